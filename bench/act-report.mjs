import { ms, times } from './numbers.mjs';

const AIMS = { verified: 4, input: 20, capture: 4 };
const TOOLKITS = { gtk3: 'GTK 3', gtk4: 'GTK 4', qt: 'Qt' };

export function report({ machine, verified, input, user, stop, capture, cli, failed }) {
  const lines = [];
  if (verified) {
    const { rows, version, missing } = verified;
    lines.push(
      '',
      missing
        ? `cua-driver could not be installed: ${missing}`
        : `Found, done and proved, against cua-driver ${version} (aim ${AIMS.verified}x)`,
    );
    for (const { toolkit, what, saw, ...row } of rows) {
      lines.push(...rowLines(`${TOOLKITS[toolkit]}: ${what}`, row, (who) => `, effect seen in ${saw[who]}`));
    }
  }
  if (input) {
    lines.push('', `Mouse and keys without checks, against xdotool (aim ${AIMS.input}x)`);
    for (const { what, ...row } of input) lines.push(...rowLines(what, row));
    lines.push(`  user motion is noticed after ${cell(user)} ms (aim: within 50 ms)`);
    lines.push(`  Escape twice has ended a drag and let go after ${cell(stop)} ms (aim: within 100 ms)`);
  }
  if (capture) {
    lines.push('', `The screen as a PNG file, against maim (aim ${AIMS.capture}x)`);
    for (const { what, bytes, ...row } of capture) {
      lines.push(...rowLines(what, row, (who) => `, ${Math.round(bytes[who] / 1000)} kB`));
    }
  }
  if (cli) {
    const { what, starts, ...row } = cli;
    lines.push('', 'On the command line, ours verified and xdotool not', ...rowLines(what, row));
    lines.push(`  Node alone starts and ends in ${cell(starts.node)} ms; on top of that`);
    for (const row of starts.ours) {
      const { what, onTop, median } = row;
      const times = `${(median / starts.node.median).toFixed(2)} times Node alone`;
      lines.push(`      ${what.padEnd(14)} ${ms(onTop)} ms (${cell(row)} in all, ${times})`);
    }
  }
  for (const why of failed) lines.push('', `Failed: ${why}`);
  const { cores, loadBefore, loadAfter, seconds } = machine;
  const load = `load ${loadBefore.toFixed(1)} before and ${loadAfter.toFixed(1)} after`;
  lines.push('', `Noise: ${cores} cores, ${load}, ${seconds} s in all; medians (fastest … slowest).`);
  return lines.join('\n');
}

function rowLines(what, { sides, ratio, rounds, counted, lost }, more = () => '') {
  const each = ratio && `; round by round ${times(ratio.rounds.min)} … ${times(ratio.rounds.max)}`;
  const head = ratio ? `${than(ratio.ofMedians)} (fastest to fastest ${than(ratio.ofMinima)}${each})` : `no comparison`;
  const gone = lost > 0 ? `; ${lost} of ${rounds} rounds lost, ${counted} counted` : '';
  return [
    `  ${what}: ${head}${gone}`,
    ...Object.entries(sides).map(
      ([who, one]) =>
        `      ${who.padEnd(8)} ${one.median === undefined ? 'nothing arrived' : `${cell(one)} ms`}, arrived ${one.exact} of ${rounds}${more(who)}`,
    ),
  ];
}

function than(ratio) {
  return ratio >= 1 ? `${times(ratio)} faster` : `${times(1 / ratio)} slower`;
}

function cell({ median, min, max }) {
  return `${ms(median)} (${ms(min)} … ${ms(max)})`;
}
