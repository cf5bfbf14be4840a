import { MADE_UP, parseSelector, printSelector, suggest, type Chain, type SuggestedBy } from '../selector/index.js';
import { DesktopError } from '../shared/index.js';
import type { Desktop } from './desktop.js';
import { findElements } from './find-elements.js';
import type { Target } from './find-target.js';
import type { LookCall } from './look.js';
import { readScene } from './read-scene.js';

export interface LastingSelector {
  selector: string;
  by: SuggestedBy;
}

/** A chain that asks for nothing in particular: the scene is read as a look reads it. */
const ANYTHING: Chain = parseSelector('name!=""').alternatives[0]!;

/**
 * A selector for an element that was found, tried on what is there now. Undefined when there is none or the windows
 * cannot be read: that an element has no lasting name must not hide what else is known of it.
 */
export async function suggestFor(
  desktop: Desktop,
  { element, window }: Target,
  call: LookCall,
): Promise<LastingSelector | undefined> {
  try {
    const byId = await byDeveloperId(desktop, element, window.app, call);
    if (byId) return byId;
    const { windows } = await desktop.listWindows(call.deadline);
    // A suggestion begins with the app where it has a name: then only its own windows can be confused with it.
    const rivals = windows.filter(
      (one) => one.visible && !one.minimised && (one.app === window.app || window.app === ''),
    );
    for (const full of [false, true]) {
      const { scene } = await readScene(desktop, ANYTHING, rivals, call, full);
      const place = scene.places.find((one) => one.element.ref === element.ref);
      const found = place && suggest(place.element, scene);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Ids come with a detailed read only, so that this one is tried by a search of its own. */
async function byDeveloperId(
  desktop: Desktop,
  { ref, platformIds }: Target['element'],
  app: string,
  call: LookCall,
): Promise<LastingSelector | undefined> {
  const id = platformIds.automationId ?? '';
  if (id === '' || MADE_UP.test(id)) return undefined;
  const own = { kind: 'match', term: { kind: 'text', key: 'automationId', op: '=', value: id } } as const;
  const scope = { kind: 'match', term: { kind: 'text', key: 'app', op: '=', value: app } } as const;
  const selector = { alternatives: [{ steps: app === '' ? [own] : [scope, own] }] };
  const { matches } = await findElements(desktop, selector, { shown: true }, call);
  if (matches.length !== 1 || matches[0]!.element.ref !== ref) return undefined;
  return { selector: printSelector(selector), by: 'id' };
}
