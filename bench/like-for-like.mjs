// The same properties of every element of an app, by pyatspi and by our client, in turns.
import { fullWalk } from './full-walk.mjs';
import { median, ratio, statistics } from './numbers.mjs';
import { pyatspi } from './pyatspi.mjs';
import { callsTo } from './scene.mjs';

const COMPARED = ['nodes', 'nameChars', 'textChars', 'actions', 'values', 'placed'];
/** Apps that live (a cursor, a clock) may differ by an element or two between two walks. */
const TOLERANCE = 0.01;

export async function likeForLike(scene, rounds, say) {
  const results = [];
  for (const app of scene.measured) {
    const theirs = [];
    const ours = [];
    // The first of each side is not counted: it fills caches in the app and compiles our code.
    for (let round = 0; round <= rounds; round++) {
      say(`full walk of ${app.title}, ${round === 0 ? 'not counted' : `round ${round} of ${rounds}`}`);
      const sides = [
        async () => theirs.push(await pyatspi(scene.env, 'full', app.pid)),
        async () => ours.push(await fullWalk(await callsTo(scene, app.pid))),
      ];
      // Who goes first changes each round, so that neither always runs on an app that was just woken up.
      for (const side of round % 2 ? sides : sides.reverse()) await side();
    }
    results.push(compared(app, theirs.slice(1), ours.slice(1)));
  }
  return results;
}

function compared(app, theirs, ours) {
  const differences = COMPARED.filter((key) => !alike(key, theirs, ours));
  return {
    app: app.title,
    aim: app.aim,
    nodes: ours.at(-1).nodes,
    calls: ours.at(-1).calls,
    pyatspi: { ...statistics(each(theirs, 'ms')), appWaited: waited(theirs), seen: pick(theirs.at(-1)) },
    ours: { ...statistics(each(ours, 'ms')), appWaited: waited(ours), seen: pick(ours.at(-1)) },
    ratio: ratio(each(theirs, 'ms'), each(ours, 'ms')),
    // Two walks that did not see the same cannot be compared.
    ...(differences.length > 0 && { void: `the walks differ in ${differences.join(', ')}` }),
  };
}

const each = (walks, key) => walks.map((walk) => walk[key]);
/** Which part of the time the app was ready to answer and had no core: the noise that others make. */
const waited = (walks) => median(walks.map((walk) => walk.appWaited / walk.ms));
const pick = (walk) => Object.fromEntries(COMPARED.map((key) => [key, walk[key]]));

function alike(key, theirs, ours) {
  return theirs.every((walk, round) => {
    const difference = Math.abs(walk[key] - ours[round][key]);
    return difference <= Math.max(3, walk[key] * TOLERANCE);
  });
}
