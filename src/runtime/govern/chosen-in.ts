import { cleanName } from '../../shared/index.js';
import type { Element, Role } from '../../tree/index.js';
import type { Target } from '../find-target.js';
import type { Asked } from './asked.js';

const CHOSEN_IN: ReadonlySet<Role> = new Set(['combobox', 'listbox']);
/** What toolkits call that which is chosen; it is not known before the list is open. */
const OPTIONS: readonly Role[] = ['option', 'listitem', 'menuitem'];

/** A value for a combo box chooses the option that is called so: it is no less than a click on that. */
export function chosenIn({ tool, args }: Asked, target: Target): Target[] {
  const { element, path } = target;
  const { value, secret } = args;
  const words = typeof value === 'string' || typeof value === 'number' ? cleanName(String(value)).text.trim() : '';
  if (tool !== 'ui_set_value' || !CHOSEN_IN.has(element.role) || secret !== undefined || words === '') return [];
  const { id, ref, bounds, states } = element;
  const option = (role: Role): Element => ({
    ...{ id, ref, role, name: words, states: { enabled: states.enabled, visible: states.visible } },
    ...(bounds && { bounds }),
    ...{ patterns: [], platformIds: {}, children: [] },
  });
  return OPTIONS.map((role) => ({ ...target, element: option(role), path: [...path, element] }));
}
