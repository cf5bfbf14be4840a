import type { Place } from './command-words.js';

/** For fish: a line for each word, under the condition that its command was typed before. */
export function fishScript(places: readonly Place[]): string {
  const paths = places.filter(({ path }) => path.length > 0).map(({ path }) => path.join(' '));
  const lines = places.flatMap(({ path, commands, flags }) => {
    const here = `complete -c deskproof -n ${fishQuoted(`__deskproof_at ${fishQuoted(path.join(' '))}`)}`;
    return [
      ...commands.map(({ word, what }) => `${here} -f -a ${fishQuoted(word)}${about(what)}`),
      ...flags.map(({ words, what, value }) => {
        const names = words.map((word) => (word.startsWith('--') ? `-l ${word.slice(2)}` : `-s ${word.slice(1)}`));
        const takes = value ? (value.length > 0 ? ` -x -a ${fishQuoted(value.join(' '))}` : ' -r') : '';
        return `${here} ${names.join(' ')}${takes}${about(what)}`;
      }),
    ];
  });
  return `# deskproof completion for fish. In ~/.config/fish/config.fish:  deskproof completion fish | source
set -g __deskproof_paths ${paths.map(fishQuoted).join(' ')}
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

const about = (what: string): string => (what ? ` -d ${fishQuoted(what)}` : '');

/** Fish knows \\' and \\\\ within quotes, and nothing else. */
function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
