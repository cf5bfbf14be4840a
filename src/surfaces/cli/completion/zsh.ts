import type { Place } from './command-words.js';
import { lookups, quoted, walk } from './walk-text.js';

/** For zsh's own system of completion, with a word about each. */
export function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags }) => {
    const lines = [
      ...commands.map(({ word, what }) => described(word, what)),
      ...flags.flatMap(({ words, what }) => words.map((word) => described(word, what))),
    ];
    return `    ${quoted(path.join(' '))}) words_here=(${lines.join(' ')}) ;;`;
  });
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ words, value }) =>
      value
        ? words.map((word) => `    ${quoted([...path, word].join(' '))}) values=(${value.map(quoted).join(' ')}) ;;`)
        : [],
    ),
  );
  return `#compdef deskproof
# deskproof completion for zsh. In ~/.zshrc, after compinit:  eval "$(deskproof completion zsh)"
${lookups('words_here=()', cases, values)}
_deskproof() {
  local place= word at skip=
  local -a words_here values
${walk('words', 2, 'CURRENT')}
  if [[ -n $skip ]]; then
    if (( $#values )); then compadd -a values; else _files; fi
    return
  fi
  _deskproof_words "$place"
  _describe 'deskproof' words_here || _files
}
compdef _deskproof deskproof
`;
}

/** A colon ends the word and begins what is said of it. */
function described(word: string, what: string): string {
  return quoted(`${word.replaceAll(':', '\\:')}${what && `:${what}`}`);
}
