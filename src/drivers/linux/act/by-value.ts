import type { Role } from '../../../tree/index.js';
import { ACTION, PROPERTIES, readNumber, VALUE } from '../atspi/accessible.js';
import { isTransferredExactly, readRangeNumber, normaliseNumber } from '../atspi/values.js';
import { readSpinText } from '../atspi/text.js';
import { type AlreadyDone, plannedCall, type PlannedCall } from './send-call.js';
import { notReadyError, readActionNames, type ActionTarget, unsupportedError } from './action-target.js';

/** Roles that a user can set; a progress bar has a value too. Cells are those of a spreadsheet. */
const SETTABLE: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'scrollbar', 'splitter', 'cell']);
const DEFAULT_STEP = 1;

export async function setNumber(target: ActionTarget, value: number): Promise<PlannedCall | AlreadyDone | undefined> {
  if (target.calls.app.toolkit.drawnByLabels) return setByActions(target, value);
  if (!(await acceptsNumbers(target))) return undefined;
  // A cell accepts all numbers, and its reported limits are not usable.
  if (target.role === 'cell') return plannedWrite(target, value);
  const number = await clampToLimits(target, value);
  assertExact(target, number);
  return plannedWrite(target, number);
}

/**
 * Moves by one step. GTK 4 and Qt do not expose the step of spin buttons; then it is 1, unless `exposedStep` requires an
 * exposed one. The actions `Increase` and `increment` are not used: in Qt they move by a tenth of the range.
 */
export async function stepNumber(
  target: ActionTarget,
  direction: 1 | -1,
  exposedStep = false,
): Promise<PlannedCall | undefined> {
  if (target.role === 'cell') return undefined;
  // Swing takes no number, but a step, also of a spinner of words. It is the step of the arrow keys.
  if (target.calls.app.toolkit.drawnByLabels) return stepByAction(target, direction);
  if (!(await acceptsNumbers(target))) return undefined;
  const { calls, path, role, bits } = target;
  const { toolkit } = calls.app;
  const [current, step] = await Promise.all([
    readRangeNumber(calls, path, role === 'spinbutton' && bits.has('editable')),
    readNumber(calls, path, VALUE, 'MinimumIncrement'),
  ]);
  const isExposed = step !== undefined && step > 0;
  if (current === undefined || (exposedStep && !isExposed)) return undefined;
  const next = current + direction * (isExposed ? normaliseNumber(step, toolkit) : DEFAULT_STEP);
  const number = await clampToLimits(target, Number(next.toPrecision(12)));
  assertExact(target, number);
  return plannedWrite(target, number);
}

const MAX_STEPS = 200;

/** Swing reports success for a written number and changes nothing. A slider moves by 1 for each step. */
async function setByActions(target: ActionTarget, value: number): Promise<PlannedCall | AlreadyDone | undefined> {
  if (target.role !== 'slider') return undefined;
  const current = await readNumber(target.calls, target.path, VALUE, 'CurrentValue');
  if (current === undefined) return undefined;
  const steps = Math.round((await clampToLimits(target, value)) - current);
  if (steps === 0) return { noop: 'has this value already' };
  const step = Math.abs(steps) > MAX_STEPS ? undefined : await stepByAction(target, steps > 0 ? 1 : -1);
  if (!step) return undefined;
  return Array.from({ length: Math.abs(steps) - 1 }).reduce<PlannedCall>((then) => ({ ...step, then }), step);
}

async function stepByAction(target: ActionTarget, direction: 1 | -1): Promise<PlannedCall | undefined> {
  if (!SETTABLE.has(target.role)) return undefined;
  const name = direction > 0 ? 'increment' : 'decrement';
  const index = (await readActionNames(target)).indexOf(name);
  return index < 0 ? undefined : plannedCall(target.path, ACTION, 'DoAction', 'i', [index], `Action ${name}`);
}

async function acceptsNumbers({ role, interfaces, bits, calls, path }: ActionTarget): Promise<boolean> {
  if (!SETTABLE.has(role) || !interfaces.has(VALUE)) return false;
  if (bits.has('readOnly')) throw notReadyError('cannot be changed');
  return role !== 'spinbutton' || (await readSpinText(calls, path, bits.has('editable'))) === undefined;
}

/** An editable field keeps any number that it gets; a slider moves to its nearest step. */
function assertExact({ role, bits, calls }: ActionTarget, value: number): void {
  if (role !== 'spinbutton' || !bits.has('editable') || isTransferredExactly(value, calls.app.toolkit)) return;
  throw unsupportedError('setNumber', `would hold ${Math.fround(value)}: its app takes numbers in 32 bits`);
}

async function clampToLimits({ calls, path }: ActionTarget, value: number): Promise<number> {
  const [min, max] = await Promise.all([
    readNumber(calls, path, VALUE, 'MinimumValue'),
    readNumber(calls, path, VALUE, 'MaximumValue'),
  ]);
  // Toolkits report equal limits if there are none.
  if (min === undefined || max === undefined || min >= max) return value;
  const { toolkit } = calls.app;
  return Math.min(normaliseNumber(max, toolkit), Math.max(normaliseNumber(min, toolkit), value));
}

function plannedWrite({ path }: ActionTarget, value: number): PlannedCall {
  const body = [VALUE, 'CurrentValue', { signature: 'd', value }];
  return plannedCall(path, PROPERTIES, 'Set', 'ssv', body, 'Value CurrentValue');
}
