import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../act/actor.js';
import type { ActionReport, Method } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { quote } from '../../tree/index.js';
import { typeText } from './type-text.js';

/** Sheets display these in another form: formulas, dates, percentages. */
const REFORMATTED = /^[=+\-@']|\d/;
const PLAIN_NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a number would lose: leading zeros as in a postcode, and digits beyond the precision of a number. */
const LOST_IN_NUMBERS = /^-?0\d|^\D*(\d\D?){16}/;
/**
 * Typed after the text and deleted again: otherwise Enter would accept the sheet's autocompletion, and an empty text
 * would not start editing. Deleted with Backspace, because LibreOffice handles Delete later, in the cell that Enter has
 * moved to.
 */
const SUFFIX = '~';
const NO_TEXT_REASON =
  'the cell holds a formula and exposes no text for it: it shows an error, such as #DIV/0!, or nothing';
const READ_BACK_MS = 2_000;
const POLL_MS = 50;

/** Numbers are set by pattern, without focus. Everything else is typed and ends with Enter. */
export async function writeCell(
  actor: Actor,
  target: Target,
  value: string | number,
  request: 'auto' | Method,
): Promise<ActionReport> {
  const text = String(value);
  if (/[\n\r\t]/.test(text)) throw oneLineError();
  if (request !== 'input' && isNumber(text.trim())) {
    const sent = await actor.pattern(target, { kind: 'setNumber', value: Number(text) });
    if (sent) return { method: 'pattern', by: sent.by, ...(await readBack(actor, target, text, 'pattern')) };
  }
  if (request === 'pattern') throw keysOnlyError(target);
  // Always select: a cell that was left a moment ago may still expose the focus.
  await actor.pattern(target, { kind: 'select' });
  await bringIntoView(actor, target);
  await actor.giveFocus(target);
  if (!(await actor.hasFocus(target))) throw otherCellError(target);
  await actor.settled(target.window, async () => {
    await typeText(actor, target, `${text}${SUFFIX}`);
    await actor.press([
      { key: 'Backspace', modifiers: [] },
      { key: 'Enter', modifiers: [] },
    ]);
  });
  return { method: 'input', ...(await readBack(actor, target, text, 'input')) };
}

/** A sheet does not scroll to a cell that is selected by pattern, and exposes the focus only of a visible cell. */
export async function bringIntoView(actor: Actor, target: Target): Promise<void> {
  const { element } = await actor.reader.target(target.element.ref);
  if (!element.states.offscreen) return;
  if (!target.window.active) await actor.activate(target.window);
  const focused = await actor.reader.target('focused');
  // In another element this key would delete a word.
  if (focused.window.ref !== target.window.ref || focused.element.role !== 'sheet') return;
  const showKey = { key: 'Backspace', modifiers: ['ctrl' as const] };
  await actor.settled(target.window, () => actor.pressIn(target.window, focused, [showKey]));
}

async function readBack(actor: Actor, target: Target, text: string, method: Method): Promise<Partial<ActionReport>> {
  const { ref } = target.element;
  let actual = '';
  // The sheet returns the old text until it has drawn the new one.
  for (const end = performance.now() + READ_BACK_MS; ; await pause(POLL_MS)) {
    actual = (await actor.reader.wholeText(target)) ?? '';
    if (showsValue(actual, text)) return { confirmed: true };
    if (performance.now() >= end || text.startsWith('=')) break;
  }
  if (actual === '' && text !== '' && (await exposesNoText(actor, target))) return { reason: NO_TEXT_REASON };
  const losesDigits = LOST_IN_NUMBERS.test(text.trim()) && PLAIN_NUMBER.test(text.trim());
  if (REFORMATTED.test(text) && !losesDigits) return {};
  const sentence = `set_value ${ref} was done (by ${method}), but the cell reads ${quote(actual)} now.`;
  throw new FinalActError('verify_failed', sentence, {
    delivered: 'yes',
    retry: 'no',
    hint: losesDigits
      ? `To keep every digit, give it as text: '${text.trim()}`
      : `Run ui_read ${ref} to see what it holds.`,
  });
}

/** Read individually, a cell with a formula and no text exposes the formula as its value. */
async function exposesNoText(actor: Actor, { element }: Target): Promise<boolean> {
  const current = await actor.reader.target(element.ref);
  return typeof current.element.value === 'string' && current.element.value !== '';
}

/**
 * A cell may be formatted as text, as for postcodes and account numbers. With keys the sheet decides what the digits
 * mean.
 */
function isNumber(text: string): boolean {
  return PLAIN_NUMBER.test(text) && !LOST_IN_NUMBERS.test(text);
}

function showsValue(actual: string, text: string): boolean {
  return actual === text || (isNumber(text.trim()) && actual !== '' && Number(actual) === Number(text));
}

function oneLineError(): DesktopError {
  return new DesktopError('bad_arguments', 'A cell takes one line without tabs.', {
    retry: 'no',
    hint: 'Use one call for each cell; ui_batch combines them.',
  });
}

function otherCellError({ element }: Target): DesktopError {
  return new DesktopError('not_ready', `${element.ref} cell did not become the selected cell.`, {
    hint: 'Run ui_describe focused to see which cell is selected.',
  });
}

function keysOnlyError({ element }: Target): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} cell takes text by keys only.`, {
    retry: 'no',
    hint: 'Omit method.',
  });
}
