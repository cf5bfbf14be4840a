import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import {
  type Actor,
  patternThenInput,
  selectByInput,
  type ActionReport,
  compareText,
  confirmValue,
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
import { type Role, TEXT_FIELD_ROLES, type WindowInfo } from '../../tree/index.js';
import { actionText, showsNothing, UNREAD, UNSEEN } from '../text/action.js';
import { uiClick } from './ui-click.js';
import { uiKey } from './ui-key.js';
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
    text: { argument: 'value', to: 'value', secret: 'secret', enter: { argument: 'enter', ruledAs: uiKey.name } },
    ...{ keys: 'none', risk: 'set_value', clicksRuledAs: uiClick.name, place: 'any-window', appGrant: true },
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
      ["set-value 'combobox:Font' Arial --enter", 'a field that takes its text with Enter'],
    ],
  },
  sentence: {
    verb: ({ value, secret, enter }) => [
      'Put',
      ...textOrSecret(value, secret),
      enter === true ? 'and Enter' : undefined,
    ],
    at: 'into',
  },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  longerMs: () => LONG_LISTS_MS,
  quiet: QUIET,
  input: z.object({
    target: TARGET,
    window: WINDOW,
    value: z.union([z.string().max(1_000_000), z.number()]).optional(),
    secret: z.string().max(100).optional(),
    enter: z.boolean().optional().describe('press Enter after'),
    method: METHOD,
    ...WAITING,
  }),
  async plan(reader, { target, window }) {
    const found = await reader.target(target, window);
    await refuseParts(reader, found);
    return { verb: 'set_value', target: found, window: found.window, needs: { usable: true, editable: true } };
  },
  async act(actor, { target: given }, { value = '', secret, enter = false, method }) {
    const target = given!;
    if (isSheetCell(target)) return writeCell(actor, target, value, method);
    const hidden = secret !== undefined || target.element.states.secret === true;
    const number = numberFor(target, value);
    const text = String(value);
    const pattern = number === undefined ? textAct(text) : ({ kind: 'setNumber', value: number } as const);
    const input = (): Promise<void> => byHand(actor, target, text, hidden);
    const expected = { value: number ?? text };
    if (target.element.role === 'paragraph' && /[\r\n]/.test(text) && method === 'auto' && !hidden)
      return writeParagraphs(actor, target, text, enter);
    const held = method === 'auto' && !hidden ? await heldIn(actor, target, number) : undefined;
    const report = await patternThenInput(actor, target, method, { pattern, input });
    // Nothing was written, so that it may be written again, as a user would.
    if (report.method === 'pattern' && held !== undefined && (await holdsStill(actor, target, held, expected))) {
      await input();
      report.method = 'input';
      delete report.by;
    }
    if (enter) return entered(actor, target, report, { expected, hidden });
    if (needsCommit(target, report)) report.uncommitted = true;
    if (hidden) return { ...report, unobservable: UNREAD, hidden, expected: { value: text } };
    if (showsNothing(text)) report.unobservable = UNSEEN;
    // An editable page is more than a field: its text is in several elements, so it has no value to compare.
    if (report.method === 'input' && !isField(target)) return report;
    return { ...report, expected } satisfies ActionReport;
  },
  text: actionText,
});

/** Where an app has a paragraph for each line, a line end by pattern would be a line break in the same paragraph. */
async function writeParagraphs(actor: Actor, target: Target, text: string, enter: boolean): Promise<ActionReport> {
  refuseKeys(target, text);
  await patternThenInput(actor, target, 'pattern', { pattern: textAct('') });
  await actor.giveFocus(target);
  await typeText(actor, target, enter ? `${text}\n` : text);
  return { method: 'input', expected: { value: text.split(/\r\n?|\n/)[0]! } };
}

/** How long an app may take to show a value that it was given by pattern. */
const WRITTEN_MS = 600;
const POLL_MS = 30;

/** The value before the act. Undefined if it is not known, or if there is no other way to write the element. */
async function heldIn(actor: Actor, target: Target, number?: number): Promise<string | number | undefined> {
  if (!actor.reader.hasInput || !(isWritten(target) || target.element.role === 'combobox')) return undefined;
  return number === undefined ? actor.reader.wholeText(target) : numberOf(target.element.value);
}

/** Whether the element still holds what it held before, and that is not what it should hold. */
async function holdsStill(
  { reader, deadline }: Actor,
  target: Target,
  held: string | number,
  wanted: { value: string | number },
): Promise<boolean> {
  if (compareText(wanted, held) !== 'different') return false;
  for (const end = deadline.atMost(WRITTEN_MS); ; await pause(POLL_MS)) {
    const number = typeof held === 'number';
    const now = number
      ? numberOf((await reader.target(target.element.ref)).element.value)
      : await reader.wholeText(target);
    if (now !== held) return false;
    if (end.over) return !deadline.over;
  }
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

/** Enter submits what the field holds, so that is compared before. */
async function entered(
  actor: Actor,
  target: Target,
  report: ActionReport,
  { expected, hidden }: { expected: { value: string | number }; hidden: boolean },
): Promise<ActionReport> {
  const field = (target.element.role === 'combobox' && (await fieldOf(actor, target))) || target;
  await actor.giveFocus(field, { keepCaret: true });
  // A number may be displayed with a unit; it is what the app shows for the number that it has.
  if (!hidden && isField(field) && typeof expected.value === 'string') await confirmValue(actor, field, expected.value);
  await actor.pressIn(field.window, field, [{ key: 'Enter', modifiers: [] }]);
  const unobservable = hidden ? { unobservable: UNREAD, hidden } : {};
  return { ...report, detail: 'and Enter in', keys: true, entered: { lines: 0 }, ...unobservable };
}

/**
 * An app may use the text of an editable combo box, or a typed number, only after Enter or when the field loses the
 * focus. A list that an option was chosen from, and a number set by pattern, need neither.
 */
function needsCommit({ element, path }: Target, { method, by }: ActionReport): boolean {
  if (element.role === 'combobox') return element.states.editable === true;
  // Nothing submits a field of a tool bar but Enter.
  const alone = path.at(-1)?.role === 'combobox' || path.some(({ role }) => role === 'toolbar');
  const inCombo = TEXT_FIELD_ROLES.has(element.role) && alone;
  return inCombo || (element.role === 'spinbutton' && method === 'pattern' && by?.includes('Text') === true);
}

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
