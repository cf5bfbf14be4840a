// Both sides in each round, in turns, so that whatever else the machine does hits both.
import { ratio, statistics } from './numbers.mjs';

/** A slow machine gets fewer rounds, not a longer run; so many at least. */
const WITHIN_MS = 6_000;
const FEWEST = 3;

/**
 * A side is `{ act, arrived, before }`: `act` does it (and may answer with the milliseconds that it took by its own
 * clock), `arrived` asks the app whether it came. A round in which one side's act did not arrive is void for both,
 * unless `keepLost`: then it is only counted. The first round of each warms up and is not counted.
 */
export async function inTurns(most, sides, { keepLost = false } = {}) {
  const names = Object.keys(sides);
  const took = Object.fromEntries(names.map((name) => [name, []]));
  const exact = Object.fromEntries(names.map((name) => [name, 0]));
  let lost = 0;
  let rounds = 0;
  const end = performance.now() + WITHIN_MS;
  for (let round = 0; round <= most && (round <= FEWEST || performance.now() < end); round++) {
    const times = {};
    let good = true;
    for (const name of round % 2 ? names : [...names].reverse()) {
      const { before, act, arrived } = sides[name];
      await before?.(round);
      const began = performance.now();
      const own = await act(round);
      times[name] = typeof own === 'number' ? own : performance.now() - began;
      const right = (await arrived?.(round)) ?? true;
      if (round > 0 && right) exact[name]++;
      good &&= right;
    }
    if (round === 0) continue;
    rounds = round;
    if (!good) lost++;
    if (good || keepLost) for (const name of names) took[name].push(times[name]);
  }
  const [ours, theirs] = names;
  const counted = took[ours].length;
  const compared = theirs !== undefined && counted > 0;
  const numbers = Object.fromEntries(names.map((name) => [name, { exact: exact[name], ...told(took[name]) }]));
  return { sides: numbers, ...(compared && { ratio: ratio(took[theirs], took[ours]) }), rounds, counted, lost };
}

function told(values) {
  return values.length > 0 ? statistics(values) : {};
}
