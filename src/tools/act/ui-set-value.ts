import { z } from 'zod';
import {
  type Actor,
  patternThenInput,
  selectByInput,
  type ActionReport,
  defineAct,
  fieldOf,
  isField,
  isSheetCell,
  isWritten,
  refuseParts,
  takesNoText,
  type Target,
  typeText,
  typeSections,
  writeCell,
} from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Role, WindowInfo } from '../../tree/index.js';
import { actionText, showsNothing, UNREAD, UNSEEN } from '../text/action.js';
import { METHOD, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { textOrSecret } from '../text/sentence.js';

/** A list of 500 options is exposed part by part, and each part takes a busy machine seconds. */
const LONG_LISTS_MS = 20_000;

export const uiSetValue = defineAct({
  name: 'ui_set_value',
  class: 'act',
  repeatable: true,
  description: 'Replace the value of a field, slider, spin button or combo box, and read it back.',
  traits: {
    text: { argument: 'value', to: 'value', secret: 'secret' },
    ...{ keys: 'none', risk: 'set_value', place: 'any-window', appGrant: true },
  },
  cli: {
    group: 'Act',
    positionals: ['target', 'value'],
    usage: 'set-value TARGET VALUE',
    help: {
      value: 'text or number',
      secret: 'name of a secret, instead of a value',
    },
    examples: [
      ["set-value 'spinbutton:Age' 36", 'set the value and read it back'],
      ["set-value cell:B4 '=A1*2'", 'a spreadsheet cell'],
    ],
  },
  sentence: { verb: ({ value, secret }) => ['Put', ...textOrSecret(value, secret)], at: 'into' },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  longerMs: () => LONG_LISTS_MS,
  quiet: QUIET,
  input: z.object({
    target: TARGET,
    window: WINDOW,
    value: z.union([z.string().max(1_000_000), z.number()]).optional(),
    secret: z.string().max(100).optional(),
    method: METHOD,
    ...WAITING,
  }),
  async plan(reader, { target, window }) {
    const found = await reader.target(target, window);
    await refuseParts(reader, found);
    return { verb: 'set_value', target: found, window: found.window, needs: { usable: true, editable: true } };
  },
  async act(actor, { target }, { value = '', secret, method }) {
    if (isSheetCell(target!)) return writeCell(actor, target!, value, method);
    const hidden = secret !== undefined || target!.element.states.secret === true;
    const number = numberFor(target!, value);
    const pattern = number === undefined ? textAct(String(value)) : ({ kind: 'setNumber', value: number } as const);
    const report = await patternThenInput(actor, target!, method, {
      pattern,
      input: () => byHand(actor, target!, String(value), hidden),
    });
    if (hidden) return { ...report, unobservable: UNREAD, hidden, expected: { value: String(value) } };
    if (showsNothing(String(value))) report.unobservable = UNSEEN;
    // An editable page is more than a field: its text is in several elements, so it has no value to compare.
    if (report.method === 'input' && !isField(target!)) return report;
    return { ...report, expected: { value: number ?? String(value) } } satisfies ActionReport;
  },
  text: actionText,
});

const MANY_LINES: ReadonlySet<Role> = new Set(['document', 'paragraph']);

const textAct = (text: string) => ({ kind: 'setText', text }) as const;

/** A range takes numbers, whatever a model wrote around them. */
function numberFor({ element, path }: Target, value: string | number): number | undefined {
  if (typeof element.value !== 'number' && !element.range) return undefined;
  if (String(value).trim() === '') {
    // That of a page may be empty; those of toolkits go back to a number of their own when one leaves them.
    if (element.role === 'spinbutton' && path.some(({ role }) => role === 'document')) return undefined;
    throw wrong(`${element.ref} ${element.role} always holds a number and cannot be emptied.`, 'give a number.');
  }
  const number = typeof value === 'number' ? value : Number(value);
  const { min = -Infinity, max = Infinity } = element.range ?? {};
  if (!Number.isFinite(number)) throw wrong(`${element.ref} takes a number.`, 'give it as 36 or 12.5.');
  if (number < min || number > max)
    throw wrong(`${element.ref} takes ${min} to ${max}.`, 'give a number in that range.');
  return number;
}

async function byHand(actor: Actor, target: Target, text: string, hidden: boolean): Promise<void> {
  if (target.element.role !== 'combobox') return retype(actor, target, text, hidden);
  const field = (await fieldOf(actor, target)) ?? (target.element.states.editable ? target : undefined);
  if (!field) return selectByInput(actor, target, text);
  const before = await popupsOf(actor, target);
  await actor.settled(target.window, () => retype(actor, field, text, hidden));
  // A list of suggestions for the text would keep the pointer and the keys, so it is closed.
  for (const { ref, menu } of await popupsOf(actor, target)) {
    if (before.some((one) => one.ref === ref) || !(menu || (await isList(actor, ref)))) continue;
    return actor.press([{ key: 'Escape', modifiers: [] }]);
  }
}

async function popupsOf(actor: Actor, { window }: Target): Promise<WindowInfo[]> {
  const { windows } = await actor.reader.windows();
  return windows.filter(
    ({ menu, role, visible, of, pid }) =>
      (menu || role === 'popup') && visible && (of === window.ref || pid === window.pid),
  );
}

/** Without a list, as over a hint, the key would close what the combo box is in. */
async function isList(actor: Actor, ref: string): Promise<boolean> {
  try {
    const { roots } = await actor.reader.takeSnapshot({ window: ref });
    return roots.flatMap(({ children }) => children).some(({ role }) => role === 'listbox' || role === 'list');
  } catch (error) {
    // Gone by itself, as suggestions are that fit nothing any more.
    if (error instanceof DesktopError && error.code === 'element_not_found') return false;
    throw error;
  }
}

async function retype(actor: Actor, target: Target, text: string, hidden: boolean): Promise<void> {
  // A click that is to focus anything else would press or move it, and the keys would select and delete what is around it.
  if (!isWritten(target)) throw takesNoText(target, 'name the field itself; ui_describe lists what this one offers.');
  refuseKeys(target, text);
  await actor.giveFocus(target);
  if (await typeSections(actor, target, text)) return;
  await actor.pressIn(target.window, target, [{ key: 'a', modifiers: ['ctrl'] }]);
  if (text === '') return actor.pressIn(target.window, target, [{ key: 'Delete', modifiers: [] }]);
  await typeText(actor, target, text, undefined, hidden);
  // Some take the number only when one leaves them.
  if (target.element.role === 'spinbutton') await actor.pressIn(target.window, target, [{ key: 'Tab', modifiers: [] }]);
}

/** Typed, a line end would be Enter, which sends a form off, and a tab would go on into the next field. */
function refuseKeys({ element }: Target, text: string): void {
  const { ref, role, states } = element;
  const lines = states.multiline || MANY_LINES.has(role);
  if (!(lines ? /\t/ : /[\n\r\t]/).test(text)) return;
  const what = lines ? 'no tabs' : 'one line without tabs';
  throw wrong(`By keys ${ref} ${role} takes ${what}.`, 'leave them out of the value.');
}

function wrong(message: string, hint: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint, retry: 'no' });
}
