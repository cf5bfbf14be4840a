// The measurements as tables.
import { count, ms, percent, times } from './numbers.mjs';
import { warmRows } from './warm.mjs';

export function report({ machine, likeForLike, looks, remembered, hung }) {
  return [
    ...heading('Full walk, like for like', 'role, name, states, extents, interfaces, actions, value, text, children'),
    ...table(
      ['app', 'elements', 'pyatspi ms', 'ours ms', 'faster', 'aim', 'round by round', 'app without a core'],
      likeForLike.map((row) => [
        row.app,
        count(row.nodes),
        timing(row.pyatspi),
        timing(row.ours),
        row.void ? 'void' : times(row.ratio.ofMedians),
        `${row.aim}x`,
        `${times(row.ratio.rounds.min)} … ${times(row.ratio.rounds.max)}`,
        `${percent(row.pyatspi.appWaited)}, ${percent(row.ours.appWaited)}`,
      ]),
    ),
    ...likeForLike.filter((row) => row.void).map((row) => `  ${row.app}: no comparison, ${row.void}`),
    ...heading('Default look', 'what is on screen, pruned: less work than a full walk, so not to be compared with it'),
    ...table(
      ['window', 'elements', 'calls', 'tokens', 'ours ms'],
      looks.windows.map((row) => [row.window, count(row.nodes), count(row.calls), count(row.tokens), timing(row.ours)]),
    ),
    '',
    ...table(
      ['pyatspi, what is shown', 'elements', '', '', 'ms'],
      looks.pyatspi.map((row) => [row.app, count(row.nodes), '', '', timing(row)]),
    ),
    ...heading(
      'Remembered tree',
      'nothing happened: fresh read and look; one change: until it is told, first right look',
    ),
    ...table(
      ['window', 'elements', 'calls', 'fresh ms', 'look ms', 'faster', 'told ms', 'right look ms', 'calls'],
      warmRows(remembered),
    ),
    ...heading(`One app stopped (${hung.stopped})`, 'the others, beside their usual'),
    ...table(
      ['', 'usual ms', 'stopped ms', 'ratio'],
      [
        ['list of windows', hung.list.running, hung.list.stopped],
        ...hung.looks.map((row) => [row.window, row.running, row.stopped]),
      ].map(([name, usual, stopped]) => [
        name,
        timing(usual),
        timing(stopped),
        `${(stopped.median / usual.median).toFixed(2)}`,
      ]),
    ),
    `  the stopped app itself: ${hung.refusal.code} after ${ms(hung.refusal.median)} ms`,
    `  pyatspi lists the apps: ${ms(hung.pyatspiList.running)} ms, with one stopped ${ms(hung.pyatspiList.stopped)} ms`,
    '',
    `Noise: ${machine.cores} cores, load ${machine.loadBefore} before and ${machine.loadAfter} after, ${machine.rounds} rounds in turns;`,
    `       medians, in brackets the fastest run and the spread (slowest - fastest) / median.`,
    `       "App without a core": how much of pyatspi's and of our time the app could have answered, but other programs ran.`,
  ].join('\n');
}

const heading = (title, note) => ['', `${title}  (${note})`];

const timing = (one) => `${ms(one.median)} (${ms(one.min)}, ${percent(one.spread)})`;

/** The first column to the left, the others to the right. */
function table(head, rows) {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column].length)));
  const line = (row) =>
    `  ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')}`;
  return [line(head), `  ${'─'.repeat(line(head).length - 2)}`, ...rows.map(line)].map((text) => text.trimEnd());
}
