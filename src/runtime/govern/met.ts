import type { Found } from '../../drivers/contract/index.js';
import { DesktopError } from '../../shared/index.js';
import { INTERACTIVE_ROLES, isInteractive, ITEM_ROLES, quote, roleInText, type Node } from '../../tree/index.js';
import type { Aim } from '../act/aim.js';
import type { Target } from '../find-target.js';

/** Everything that was judged of an act, as rules see it. */
export type Judged = Set<string>;

export function judgedIn(aims: readonly Aim[]): string[] {
  return aims
    .flatMap(({ target, lands }) => [target, lands?.target])
    .flatMap((one) => (one ? [seen(one.element)] : []));
}

/**
 * What a press at the point would press in the target, and nobody has judged: what came into view only now, or shows
 * only when the mouse is there, no look before could tell.
 */
export function unjudged(judged: Judged, target: Target, { path }: Found): Target[] {
  const from = path.findIndex(({ id }) => id === target.element.id);
  const parts = from < 0 ? [] : path.slice(from + 1);
  const above = [...target.path, target.element];
  return parts
    .filter((one) => isInteractive(one) && !judged.has(seen(one)))
    .map((one) => ({ window: target.window, element: { ...one, ref: '', children: [] }, path: above, how: 'point' }));
}

/** It was judged out of view: where it is pressed, and what lies there, nobody knew. A control is itself all over. */
export function judgedUnseen({ element: { role, bounds, states } }: Target): boolean {
  return (states.offscreen === true || !bounds) && (!INTERACTIVE_ROLES.has(role) || ITEM_ROLES.has(role));
}

const seen = ({ role, name, states }: Pick<Node, 'role' | 'name' | 'states'>): string =>
  JSON.stringify([role, name ?? '', states.secret === true]);

/** The whole is begun again, and judged with what is there. */
export function notJudged({ element, window }: Target): DesktopError {
  const name = element.name ? ` ${quote(element.name)}` : '';
  const what = `${element.ref} ${roleInText(element.role)}${name} in ${window.ref}`;
  return new DesktopError('target_changed', `What a press on ${what} would press there was not seen before.`, {
    retry: 'safe',
    hint: 'try again: it shows now.',
    details: { within: true },
  });
}
