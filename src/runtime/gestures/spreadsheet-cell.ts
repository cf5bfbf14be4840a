import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../act/actor.js';
import type { ActionReport, Method } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { DesktopError } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import { typeText } from './type-text.js';

/** What sheets show in a form of their own: formulas, dates, percentages. */
const SHOWN_OTHERWISE = /^[=+\-@']|\d/;
const PLAIN_NUMBER = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
/** Digits that a number does not keep: the zeros before a postcode, and more of them than a number has. */
const LOST_IN_NUMBERS = /^-?0\d|^\D*(\d\D?){16}/;
/**
 * Typed behind the text and taken away again: Enter would take what the sheet suggests for the text alone, and an empty
 * cell needs something to begin with. Not Delete: LibreOffice does that later, in the cell where Enter has gone to.
 */
const UNLIKELY = '~';
const NO_TEXT =
  'the cell holds a formula and tells no text for it: what it shows is an error, such as #DIV/0!, or nothing';
const READ_BACK_MS = 2_000;
const PAUSE_MS = 50;

/** Numbers go in without the focus; everything else as a person does it, with Enter at the end. */
export async function writeCell(
  actor: Actor,
  target: Target,
  value: string | number,
  request: 'auto' | Method,
): Promise<ActionReport> {
  const text = String(value);
  if (/[\n\r\t]/.test(text)) throw oneLine();
  if (request !== 'input' && isNumber(text.trim())) {
    const sent = await actor.pattern(target, { kind: 'setNumber', value: Number(text) });
    if (sent) return { method: 'pattern', by: sent.by, ...(await readBack(actor, target, text, 'pattern')) };
  }
  if (request === 'pattern') throw keysOnly(target);
  // Always: a cell that was left a moment ago may still say that it has the focus.
  await actor.pattern(target, { kind: 'select' });
  await bringIntoView(actor, target);
  await actor.giveFocus(target);
  if (!(await actor.hasFocus(target))) throw otherCell(target);
  await actor.settled(target.window, async () => {
    await typeText(actor, target, `${text}${UNLIKELY}`);
    await actor.press([
      { key: 'Backspace', modifiers: [] },
      { key: 'Enter', modifiers: [] },
    ]);
  });
  return { method: 'input', ...(await readBack(actor, target, text, 'input')) };
}

/** A sheet does not follow to a cell that is selected without keys, and tells of the focus only where one sees it. */
export async function bringIntoView(actor: Actor, target: Target): Promise<void> {
  const { element } = await actor.reader.target(target.element.ref);
  if (!element.states.offscreen) return;
  if (!target.window.active) await actor.activate(target.window);
  const focused = await actor.reader.target('focused');
  // Anywhere else the key would delete a word.
  if (focused.window.ref !== target.window.ref || focused.element.role !== 'sheet') return;
  const show = { key: 'Backspace', modifiers: ['ctrl' as const] };
  await actor.settled(target.window, () => actor.pressIn(target.window, focused, [show]));
}

async function readBack(actor: Actor, target: Target, text: string, method: Method): Promise<Partial<ActionReport>> {
  const { ref } = target.element;
  let there = '';
  // The sheet answers what was before until it has drawn what is now.
  for (const end = performance.now() + READ_BACK_MS; ; await pause(PAUSE_MS)) {
    there = (await actor.reader.wholeText(target)) ?? '';
    if (isSame(there, text)) return { confirmed: true };
    if (performance.now() >= end || text.startsWith('=')) break;
  }
  if (there === '' && text !== '' && (await showsNoText(actor, target))) return { doubt: NO_TEXT };
  const lost = LOST_IN_NUMBERS.test(text.trim()) && PLAIN_NUMBER.test(text.trim());
  if (SHOWN_OTHERWISE.test(text) && !lost) return {};
  const sentence = `set_value ${ref} was done (by ${method}), but the cell reads ${quote(there)} now.`;
  throw new DesktopError('verify_failed', sentence, {
    delivered: 'yes',
    retry: 'no',
    details: { complete: true },
    hint: lost ? `to keep every digit give it as text: '${text.trim()}` : `see what it holds: ui_read ${ref}.`,
  });
}

/** Read alone, a cell that has a formula and tells no text tells the formula as its value. */
async function showsNoText(actor: Actor, { element }: Target): Promise<boolean> {
  const now = await actor.reader.target(element.ref);
  return typeof now.element.value === 'string' && now.element.value !== '';
}

/** A cell may be there for text, as of postcodes and accounts: only keys leave it to the sheet what a digit is. */
function isNumber(text: string): boolean {
  return PLAIN_NUMBER.test(text) && !LOST_IN_NUMBERS.test(text);
}

function isSame(there: string, text: string): boolean {
  return there === text || (isNumber(text.trim()) && there !== '' && Number(there) === Number(text));
}

function oneLine(): DesktopError {
  return new DesktopError('bad_arguments', 'A cell takes one line without tabs.', {
    retry: 'no',
    hint: 'one call for each cell; ui_batch makes them one.',
  });
}

function otherCell({ element }: Target): DesktopError {
  return new DesktopError('not_ready', `${element.ref} cell did not become the selected one.`, {
    hint: 'see which is: ui_describe focused.',
  });
}

function keysOnly({ element }: Target): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} cell takes text by keys only.`, {
    retry: 'no',
    hint: 'leave method out.',
  });
}
