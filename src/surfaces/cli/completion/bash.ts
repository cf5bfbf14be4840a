import type { Place } from './command-words.js';
import { lookups, quoted, walk } from './walk-text.js';

/** For bash 3.2 and later, with nothing else installed. */
export function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ path, commands, flags }) => {
    const words = [...commands.map(({ word }) => word), ...flags.flatMap((flag) => flag.words)];
    return `    ${quoted(path.join(' '))}) words=${quoted(words.join(' '))} ;;`;
  });
  const valued = new Map<string, string>();
  for (const { path, flags } of places) {
    for (const { words, value } of flags) {
      for (const word of words) if (value) valued.set([...path, word].join(' '), value.join(' '));
    }
  }
  const values = [...valued].map(([key, words]) => `    ${quoted(key)}) values=${quoted(words)} ;;`);
  return `# deskproof completion for bash. In ~/.bashrc:  eval "$(deskproof completion bash)"
${lookups('words=', cases, values)}
_deskproof() {
  local place= words= values= word at skip=
  local current="\${COMP_WORDS[COMP_CWORD]}"
${walk('COMP_WORDS', 1, 'COMP_CWORD')}
  COMPREPLY=()
  if [ -n "$skip" ]; then
    if [ -n "$values" ]; then COMPREPLY=($(compgen -W "$values" -- "$current")); fi
    return
  fi
  _deskproof_words "$place"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _deskproof deskproof
`;
}
