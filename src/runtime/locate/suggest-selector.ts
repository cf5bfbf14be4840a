import {
  type Chain,
  GENERATED_ID,
  type MatchStep,
  parseSelector,
  printSelector,
  sameLabel,
  suggest,
  type SuggestedBy,
  type Term,
  type TextTerm,
} from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { findElements } from './elements.js';
import type { Target } from './target.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import { readWindowTrees } from '../observe/read-windows.js';

export interface SuggestedSelector {
  selector: string;
  by: SuggestedBy;
}

/** A chain without criteria: the windows are read as for a snapshot. */
const ANYTHING: Chain = parseSelector('name!=""').alternatives[0]!;

/**
 * A selector for an element, tested on the current windows. Undefined if there is none or the windows cannot be read: a
 * missing selector must not hide the rest of the description.
 */
export async function suggestSelector(
  desktop: CallView,
  { element, window }: Target,
  call: SnapshotCall,
): Promise<SuggestedSelector | undefined> {
  try {
    const { windows } = await desktop.listWindows(call.deadline);
    const own = await byItself(desktop, element, outerSteps(window, windows), call);
    if (own) return own;
    // A suggestion starts with the app if it has a name: then only windows of that app can be ambiguous.
    const rivals = windows.filter(
      (one) => one.visible && !one.minimised && (one.app === window.app || window.app === ''),
    );
    for (const full of [false, true]) {
      const { scene } = await readWindowTrees(desktop, ANYTHING, rivals, call, full);
      const place = scene.places.find((one) => one.element.ref === element.ref);
      const unread = windows.filter(({ ref }) => !scene.windows.some((read) => read.ref === ref));
      const found = place && suggest(place.element, scene, unread);
      if (found) return found;
    }
    return undefined;
  } catch (error) {
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Ids need a detailed read, and cells are found by address. Such selectors are tested with a search of their own. */
async function byItself(
  desktop: CallView,
  { ref, platformIds, cell }: Target['element'],
  outer: readonly MatchStep[],
  call: SnapshotCall,
): Promise<SuggestedSelector | undefined> {
  const id = platformIds.automationId ?? '';
  const forms: { by: SuggestedBy; term: Term }[] = [
    ...(id === '' || GENERATED_ID.test(id) ? [] : [{ by: 'id' as const, term: wholeText('automationId', id) }]),
    ...(cell?.address === undefined ? [] : [{ by: 'address' as const, term: addressTerm(cell.address) }]),
  ];
  for (const { by, term } of forms) {
    for (const step of outer) {
      const selector = { alternatives: [{ steps: [step, { kind: 'match' as const, term }] }] };
      const { matches } = await findElements(desktop, selector, { shown: true }, call);
      if (matches.length === 1 && matches[0]!.element.ref === ref) return { selector: printSelector(selector), by };
    }
  }
  return undefined;
}

function outerSteps({ app, title, ref }: WindowInfo, windows: readonly WindowInfo[]): MatchStep[] {
  const titled = windows.filter((one) => sameLabel(one.title, title));
  const terms = [
    ...(app === '' ? [] : [wholeText('app', app)]),
    titled.length > 1 || title === '' ? { kind: 'ref' as const, ref } : wholeText('window', title),
  ];
  return terms.map((term) => ({ kind: 'match', term }));
}

const wholeText = (key: TextTerm['key'], value: string): TextTerm => ({ kind: 'text', key, op: '=', value });
const addressTerm = (address: string): Term => ({ kind: 'cell', address });
