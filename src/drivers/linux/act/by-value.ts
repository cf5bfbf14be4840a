import type { Role } from '../../../tree/index.js';
import { PROPERTIES, readNumber, VALUE } from '../atspi/accessible.js';
import { arrivesExactly, readHeldNumber, tidyNumber } from '../atspi/values.js';
import { readSpinText } from '../atspi/text.js';
import { deed, type Deed } from './send-call.js';
import { notReady, type Subject, unsupported } from './action-target.js';

/** What a person can set; a progress bar has a value too. Cells are those of a sheet. */
const SETTABLE: ReadonlySet<Role> = new Set(['slider', 'spinbutton', 'scrollbar', 'splitter', 'cell']);
const DEFAULT_STEP = 1;

export async function setNumber(subject: Subject, value: number): Promise<Deed | undefined> {
  if (!(await takesNumbers(subject))) return undefined;
  // The limits of a cell are those of all numbers, and say so in odd ways.
  if (subject.role === 'cell') return write(subject, value);
  const number = await within(subject, value);
  mustArrive(subject, number);
  return write(subject, number);
}

/**
 * By one step, which GTK 4 and Qt do not tell for spin buttons: 1 then, unless it must be told. The actions `Increase` and `increment` are not
 * used: in Qt they move by a tenth of the range.
 */
export async function stepNumber(subject: Subject, direction: 1 | -1, toldStep = false): Promise<Deed | undefined> {
  if (subject.role === 'cell' || !(await takesNumbers(subject))) return undefined;
  const { calls, path, role, bits } = subject;
  const { toolkit } = calls.app;
  const [now, step] = await Promise.all([
    readHeldNumber(calls, path, role === 'spinbutton' && bits.has('editable')),
    readNumber(calls, path, VALUE, 'MinimumIncrement'),
  ]);
  const told = step !== undefined && step > 0;
  if (now === undefined || (toldStep && !told)) return undefined;
  const next = now + direction * (told ? tidyNumber(step, toolkit) : DEFAULT_STEP);
  const number = await within(subject, Number(next.toPrecision(12)));
  mustArrive(subject, number);
  return write(subject, number);
}

async function takesNumbers({ role, interfaces, bits, calls, path }: Subject): Promise<boolean> {
  if (!SETTABLE.has(role) || !interfaces.has(VALUE)) return false;
  if (bits.has('readOnly')) throw notReady('cannot be changed');
  return role !== 'spinbutton' || (await readSpinText(calls, path, bits.has('editable'))) === undefined;
}

/** A field that is typed into takes whatever it gets; a slider goes to the nearest of its steps. */
function mustArrive({ role, bits, calls }: Subject, value: number): void {
  if (role !== 'spinbutton' || !bits.has('editable') || arrivesExactly(value, calls.app.toolkit)) return;
  throw unsupported('setNumber', `would hold ${Math.fround(value)}: its app takes numbers in 32 bits`);
}

async function within({ calls, path }: Subject, value: number): Promise<number> {
  const [min, max] = await Promise.all([
    readNumber(calls, path, VALUE, 'MinimumValue'),
    readNumber(calls, path, VALUE, 'MaximumValue'),
  ]);
  // Equal limits are a toolkit's way to say that there are none.
  if (min === undefined || max === undefined || min >= max) return value;
  const { toolkit } = calls.app;
  return Math.min(tidyNumber(max, toolkit), Math.max(tidyNumber(min, toolkit), value));
}

function write({ path }: Subject, value: number): Deed {
  const body = [VALUE, 'CurrentValue', { signature: 'd', value }];
  return deed(path, PROPERTIES, 'Set', 'ssv', body, 'Value CurrentValue');
}
