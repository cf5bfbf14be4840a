import { TEXT_ROLES, type Change, type Element } from '../../tree/index.js';
import type { Target } from '../find-target.js';

/**
 * Whether this can all come from the text that was typed before Enter: it stands in its field, the window's title says
 * that something is not saved, a button can be used now. What Enter does may come later: GTK holds the button that it
 * presses down for a quarter of a second.
 */
export function onlyTyped(changes: readonly Change[], target: Target, linesTyped: number): boolean {
  const inside = new Set<string>([target.element.ref]);
  return changes.every((change) => {
    const { kind, ref, element, before } = change;
    const within = inside.has(ref) || (change.in !== undefined && inside.has(change.in));
    if (within) inside.add(ref);
    if (kind === 'new') return within && TEXT_ROLES.has(element.role);
    if (kind === 'gone') return within;
    if (within) return !before || linesOf(element) - linesOf(before) <= linesTyped;
    return ref === target.window.ref || (before !== undefined && sameButEnabled(before, element));
  });
}

const linesOf = ({ value }: Element): number => (typeof value === 'string' ? value.split('\n').length : 1);

function sameButEnabled(before: Element, now: Element): boolean {
  const rest = ({ name, value, role, states }: Element): string => {
    const { enabled: _enabled, focused: _focused, ...others } = states;
    return JSON.stringify([role, name, value, others]);
  };
  return rest(before) === rest(now);
}
