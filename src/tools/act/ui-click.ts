import { z } from 'zod';
import { patternThenInput, defineAct, type Reader, type Target } from '../../runtime/index.js';
import { ITEM_DEPTH, ITEM_ROLES, plainClickPoint, TEXT_FIELD_ROLES } from '../../tree/index.js';
import { METHOD, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { actionText } from '../text/action.js';

export const uiClick = defineAct({
  name: 'ui_click',
  class: 'act',
  description:
    'Click an element: by its accessibility action if it has one, else the mouse. Waits until it is ready. verify: a condition (see ui_wait) that must hold afterwards.',
  traits: { text: 'none', keys: 'none', risk: 'click', place: 'any-window', appGrant: true },
  cli: {
    group: 'Act',
    positionals: ['target'],
    examples: [
      ["click 'button:Save' --window w3", 'by role and name'],
      ['click e22 --verify \'{"window":"Save As"}\'', 'and check that the dialog opened'],
      ['click \'row:"Ada"\' --button right', 'with the right mouse button'],
    ],
  },
  sentence: { verb: ({ count }) => [count === 2 ? 'Double click' : count === 3 ? 'Triple click' : 'Click'] },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  quiet: QUIET,
  input: z.object({
    target: TARGET,
    window: WINDOW,
    button: z.enum(['left', 'right', 'middle']).default('left'),
    count: z.int().min(1).max(3).default(1),
    modifiers: z.array(z.enum(['ctrl', 'shift', 'alt', 'meta'])).optional(),
    method: METHOD,
    ...WAITING,
  }),
  async plan(reader, { target, window, count }) {
    const found = await besideControls(reader, await reader.target(target, window));
    const verb = count === 2 ? 'double click' : 'click';
    return { verb, target: found, window: found.window, needs: { usable: true } };
  },
  async act(actor, { target }, { button, count, modifiers = [], method }) {
    const { role, states } = target!.element;
    const plain = button === 'left' && count === 1 && modifiers.length === 0;
    // In a text field a click means the caret; what the app calls its action there is Enter.
    const field = TEXT_FIELD_ROLES.has(role);
    const kind = field ? ('focus' as const) : ('invoke' as const);
    // Focusing a field that has the focus would do nothing, and a page may wait for the click itself.
    const isFocused = field && states.focused === true && method === 'auto';
    const report = await patternThenInput(actor, target!, method, {
      ...(plain && !isFocused && { pattern: { kind } }),
      input: () => actor.click(target!, { button, count, modifiers }),
    });
    return { ...report, clicks: true, ...(actor.slowClick !== undefined && { reason: actor.slowClick }) };
  },
  text: actionText,
});

/** A row is clicked at a point where no control of the row is; policy decides on that point, too. */
export async function besideControls(reader: Reader, target: Target): Promise<Target> {
  const { role, states, bounds, ref } = target.element;
  if (!ITEM_ROLES.has(role) || states.offscreen || !bounds) return target;
  const { element } = await reader.target(ref, undefined, { depth: ITEM_DEPTH });
  const clickPoint = plainClickPoint(element);
  if (!clickPoint || !element.bounds) return target;
  return { ...target, element: { ...target.element, bounds: element.bounds, clickPoint } };
}
