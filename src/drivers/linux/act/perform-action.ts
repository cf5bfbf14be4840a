import { type Role, roleFromAtspi } from '../../../tree/index.js';
import type { CallOptions, CheckpointGate, PatternAct, PatternAnswer } from '../../contract/index.js';
import { COMPONENT, parseElementId } from '../atspi/accessible.js';
import { readAncestors, staleRefError } from '../atspi/ancestors.js';
import type { Apps } from '../atspi/apps.js';
import { withAppErrors } from '../read/window-tree.js';
import { notReadyError, readActionTarget, type ActionTarget, unsupportedError } from './action-target.js';
import { planNamedAction } from './by-action.js';
import { planSelection, chooseOption } from './by-selection.js';
import { insertText, setCaret, setText } from './by-text.js';
import { setNumber, stepNumber } from './by-value.js';
import type { ActionConnections } from './connections.js';
import { type AlreadyDone, plannedCall, type PlannedCall, sendPlannedCall } from './send-call.js';

/** These acts also work on a disabled element. */
const ALLOWED_WHEN_DISABLED: ReadonlySet<PatternAct['kind']> = new Set(['focus', 'scrollIntoView']);

/**
 * Performs an act through the app's accessibility interfaces, without mouse and keys. All checks are made first, on the
 * connection for reads; the act is sent on a separate connection.
 */
export async function performAction(
  { apps, connections }: { apps: Apps; connections: ActionConnections },
  element: string,
  act: PatternAct,
  { deadline }: CallOptions,
  gate: CheckpointGate,
): Promise<PatternAnswer> {
  const id = parseElementId(element);
  if (!id) throw staleRefError();
  deadline.throwIfOver('The act');
  const link = await apps.connectByBusName(id.address[0], deadline);
  const [connection, plan] = await withAppErrors(link, async () => {
    const read = (): Promise<ActionTarget> => readActionTarget(link.until(deadline), id);
    const target = await read();
    // For a disabled button GTK 3 returns true and does nothing, and it writes into a disabled field.
    if (!target.enabled && !ALLOWED_WHEN_DISABLED.has(act.kind)) throw notReadyError('is disabled');
    const planned = await planAction(target, act);
    if (!planned) {
      // An element that disappears while it is read offers nothing; then this throws `stale_ref`.
      await read();
      throw unsupportedError(act.kind);
    }
    return 'noop' in planned ? [undefined, planned] : [await connections.acquire(link, deadline), planned];
  });
  if ('noop' in plan) return { by: `nothing: it ${plan.noop}`, said: true };
  try {
    await gate.pass('ready');
    deadline.throwIfOver('The act');
    const { said, waiting } = await sendPlannedCall(link, connection!, plan, deadline);
    return { by: waiting ? `${plan.by} (the app answers after what it opened is closed)` : plan.by, said };
  } finally {
    connection!.release();
    // GTK 4 and Qt do not announce all changes of an act, so the cached answers for the element are invalidated.
    for (const path of new Set([id.address[1], plan.call.path])) {
      link.cache.invalidate({ type: 'event', path, children: false });
    }
  }
}

const SCROLL_ANYWHERE = 6;
const SELECTABLE: ReadonlySet<Role> = new Set(['tab', 'listitem', 'option', 'row', 'cell', 'treeitem', 'menuitem']);

/** The call to send for an act; undefined if the app offers none. Only reads. */
export async function planAction(
  target: ActionTarget,
  act: PatternAct,
): Promise<PlannedCall | AlreadyDone | undefined> {
  const { path, role, bits } = target;
  switch (act.kind) {
    case 'invoke':
      // A click on a tab only selects it; a click on a row may do more.
      return (await planNamedAction(target, 'invoke')) ?? (role === 'tab' ? planSelection(target) : undefined);
    case 'select':
      return (await planNamedAction(target, 'select')) ?? (SELECTABLE.has(role) ? planSelection(target) : undefined);
    case 'toggle':
    case 'expand':
    case 'collapse':
    case 'contextMenu':
      return planNamedAction(target, act.kind);
    case 'increment':
      return stepNumber(target, 1, act.exposedStep);
    case 'decrement':
      return stepNumber(target, -1, act.exposedStep);
    case 'setNumber':
      return setNumber(target, act.value);
    case 'setText':
      return role === 'combobox' ? chooseOption(target, act.text) : setText(target, act.text);
    case 'insertText':
      return insertText(target, act.text);
    case 'setCaret':
      return setCaret(target, act);
    case 'focus':
      if (!bits.has('focusable')) return undefined;
      if (bits.has('focused')) return { noop: 'has the focus already' };
      return (await needsClickForFocus(target)) ? undefined : grabFocus(target);
    case 'scrollIntoView':
      return { ...plannedCall(path, COMPONENT, 'ScrollTo', 'u', [SCROLL_ANYWHERE]), falseMeansUnsupported: true };
  }
}

/**
 * A browser selects its whole address bar on a click. With focus alone, typed text would be put before the old address.
 */
async function needsClickForFocus({ calls, address, role }: ActionTarget): Promise<boolean> {
  if (calls.app.toolkit.name !== 'chromium' || role !== 'textbox') return false;
  const lineage = await readAncestors(calls, address);
  return lineage.every(({ roleNumber }) => roleFromAtspi(roleNumber) !== 'document');
}

/** In GTK 3 this also activates the window; elsewhere the active window stays. GTK 4.8 has no such call. */
function grabFocus({ path, calls }: ActionTarget): PlannedCall {
  const grab = plannedCall(path, COMPONENT, 'GrabFocus', '', []);
  const activates = calls.app.toolkit.name === 'gtk3';
  return { ...grab, ...(activates && { by: `${grab.by} (activates its window)` }), falseMeansUnsupported: true };
}
