/** Text as one word of a shell, whatever is in it. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/**
 * What bash and zsh have in common. Two functions that look a place up, `cases` and `values` being the arms: each sets
 * its variable, or fails where there is nothing. `clear` is how the first begins.
 */
export function lookups(clear: string, cases: readonly string[], values: readonly string[]): string {
  return `_deskproof_words() {
  ${clear}
  case "$1" in
${cases.join('\n')}
    *) return 1 ;;
  esac
}
_deskproof_values() {
  case "$1" in
${values.join('\n')}
    *) return 1 ;;
  esac
}`;
}

/** From the first word to the one before the caret: `place` is where one is then; `skip` is set when a value is due. */
export function walk(words: string, first: number, caret: string): string {
  return `  for ((at = ${first}; at < ${caret}; at++)); do
    word="\${${words}[at]}"
    if [[ -n $skip ]]; then skip=; continue; fi
    if _deskproof_values "\${place:+$place }$word"; then skip=yes; continue; fi
    if [[ $word != -* ]] && _deskproof_words "\${place:+$place }$word"; then place="\${place:+$place }$word"; fi
  done`;
}
