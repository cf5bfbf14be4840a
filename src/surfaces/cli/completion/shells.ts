import { lookupFunctions, type CommandNode, shellWord, walkLoop } from './command-tree.js';

/** For bash 3.2 and later, without other packages. */
export function bashScript(places: readonly CommandNode[]): string {
  const cases = places.map(({ path, commands, flags }) => {
    const words = [...commands.map(({ word }) => word), ...flags.flatMap((flag) => flag.words)];
    return `    ${shellWord(path.join(' '))}) words=${shellWord(words.join(' '))} ;;`;
  });
  const valued = new Map<string, string>();
  for (const { path, flags } of places) {
    for (const { words, value } of flags) {
      for (const word of words) if (value) valued.set([...path, word].join(' '), value.join(' '));
    }
  }
  const values = [...valued].map(([key, words]) => `    ${shellWord(key)}) values=${shellWord(words)} ;;`);
  return `# deskproof completion for bash. In ~/.bashrc:  eval "$(deskproof completion bash)"
${lookupFunctions('words=', cases, values)}
_deskproof() {
  local place= words= values= word at skip=
  local current="\${COMP_WORDS[COMP_CWORD]}"
${walkLoop('COMP_WORDS', 1, 'COMP_CWORD')}
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

/** For fish: one line per word, with the condition that its command was typed before. */
export function fishScript(places: readonly CommandNode[]): string {
  const paths = places.filter(({ path }) => path.length > 0).map(({ path }) => path.join(' '));
  const lines = places.flatMap(({ path, commands, flags }) => {
    const here = `complete -c deskproof -n ${fishQuote(`__deskproof_at ${fishQuote(path.join(' '))}`)}`;
    return [
      ...commands.map(({ word, what }) => `${here} -f -a ${fishQuote(word)}${fishDescription(what)}`),
      ...flags.map(({ words, what, value }) => {
        const names = words.map((word) => (word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`));
        const takes = value ? (value.length > 0 ? ` -x -a ${fishQuote(value.join(' '))}` : ' -r') : '';
        return `${here} ${names.join(' ')}${takes}${fishDescription(what)}`;
      }),
    ];
  });
  return `# deskproof completion for fish. In ~/.config/fish/config.fish:  deskproof completion fish | source
set -g __deskproof_paths ${paths.map(fishQuote).join(' ')}
function __deskproof_at
    set -l place
    for word in (commandline -opc)[2..-1]
        set -l next (string join -- ' ' $place $word)
        contains -- $next $__deskproof_paths; and set place $next
    end
    test "$place" = "$argv[1]"
end
${lines.join('\n')}
`;
}

const fishDescription = (what: string): string => (what ? ` -d ${fishQuote(what)}` : '');

/** Inside single quotes, fish only interprets \\' and \\\\. */
function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

/** For zsh's completion system, with descriptions. */
export function zshScript(places: readonly CommandNode[]): string {
  const cases = places.map(({ path, commands, flags }) => {
    const lines = [
      ...commands.map(({ word, what }) => zshEntry(word, what)),
      ...flags.flatMap(({ words, what }) => words.map((word) => zshEntry(word, what))),
    ];
    return `    ${shellWord(path.join(' '))}) words_here=(${lines.join(' ')}) ;;`;
  });
  const values = places.flatMap(({ path, flags }) =>
    flags.flatMap(({ words, value }) =>
      value
        ? words.map(
            (word) => `    ${shellWord([...path, word].join(' '))}) values=(${value.map(shellWord).join(' ')}) ;;`,
          )
        : [],
    ),
  );
  return `#compdef deskproof
# deskproof completion for zsh. In ~/.zshrc, after compinit:  eval "$(deskproof completion zsh)"
${lookupFunctions('words_here=()', cases, values)}
_deskproof() {
  local place= word at skip=
  local -a words_here values
${walkLoop('words', 2, 'CURRENT')}
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

/** A colon separates the word from its description. */
function zshEntry(word: string, what: string): string {
  return shellWord(`${word.replaceAll(':', '\\:')}${what && `:${what}`}`);
}
