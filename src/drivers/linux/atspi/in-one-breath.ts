import type { AppCalls } from './app-link.js';
import { MAX_DEPTH } from './descent.js';

const OF_ITSELF: ReadonlySet<string> = new Set([
  ...['GetState', 'GetRole', 'GetExtents', 'GetRelationSet', 'Name', 'ChildCount'],
  ...['CharacterCount', 'CurrentValue', 'MinimumValue', 'MaximumValue'],
]);
/** Of what moves and clips it; GTK 4 says of nothing else that what is in it is disabled. */
const OF_ABOVE: ReadonlySet<string> = new Set(['GetExtents']);
const OF_ABOVE_GTK4: ReadonlySet<string> = new Set(['GetExtents', 'GetState']);
/** Which of its app's windows it is in. */
const OF_OUTERMOST: ReadonlySet<string> = new Set(['GetExtents', 'GetState', 'Name', 'ChildCount']);

/**
 * Each answer about an element tells what to ask next. Mostly that is what was asked the last time: all of it is asked
 * in the same breath, so that a read past memory takes three round trips instead of eight.
 */
export function askInOneBreath(calls: AppCalls, path: string): void {
  const { memory, toolkit } = calls.app;
  const between = toolkit.enabledBy === 'sensitive' ? OF_ABOVE_GTK4 : OF_ABOVE;
  calls.ahead(path, OF_ITSELF);
  // The last two are its window and its app.
  const above = memory.pathsAbove(path, MAX_DEPTH);
  above.forEach((one, i) => calls.ahead(one, i < above.length - 2 ? between : OF_OUTERMOST));
}
