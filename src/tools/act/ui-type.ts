import { z } from 'zod';
import {
  type Actor,
  confirmBeforeEnter,
  bringIntoView,
  characters,
  type ActionReport,
  defineAct,
  fieldOf,
  isSheetCell,
  mayTakeText,
  refuseParts,
  takesNoText,
  type Target,
  typeText,
} from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, roleInText, TEXT_FIELD_ROLES } from '../../tree/index.js';
import { actionText, showsNothing, UNREAD, UNSEEN, UNTAKEN } from '../text/action.js';
import { uiClick } from './ui-click.js';
import { uiKey } from './ui-key.js';
import { METHOD, notTooLong, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { textOrSecret } from '../text/sentence.js';

export const uiType = defineAct({
  name: 'ui_type',
  class: 'act',
  description:
    "Type text into target (at its caret) or into what has focus. To replace a field's content use ui_set_value.",
  traits: {
    text: { argument: 'text', to: 'caret', secret: 'secret', enter: 'enter', keysRuledAs: uiKey.name },
    ...{ keys: 'none', risk: 'type', clicksRuledAs: uiClick.name, place: 'active-window', appGrant: true },
  },
  cli: {
    group: 'Act',
    positionals: ['text', 'target'],
    replacedBy: 'secret',
    usage: 'type TEXT [TARGET]',
    help: {
      text: 'text to type',
      delayMs: 'pause between two characters, in milliseconds',
      redactInLogs: 'keep the text out of the log',
    },
    examples: [
      ["type 'héllo' 'textbox:Name' --enter", 'type at the caret, then press Enter'],
      ["type --secret vpn 'textbox:Password'", 'type a secret of your policy'],
    ],
  },
  sentence: {
    verb: ({ text, secret, enter }) => [
      'Type',
      ...textOrSecret(text, secret),
      enter === true ? 'and Enter' : undefined,
    ],
    at: 'into',
  },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  longerMs: ({ text = '', delayMs = 0 }) => [...text].length * (delayMs + (delayMs > 0 ? 60 : 10)),
  quiet: QUIET,
  input: z.object({
    text: z.string().max(100_000).optional(),
    secret: z.string().max(100).optional().describe('name of a secret, instead of text'),
    target: TARGET.optional(),
    window: WINDOW,
    enter: z.boolean().optional().describe('press Enter after'),
    delayMs: z.int().min(0).max(2_000).optional(),
    redactInLogs: z.boolean().optional(),
    method: METHOD,
    ...WAITING,
  }),
  async plan(reader, { target, window, text, enter, secret, delayMs = 0 }) {
    notTooLong([...(text ?? '')].length * delayMs, 'a shorter text, or less delayMs');
    if (secret !== undefined && delayMs > 0) throw revealsLength();
    const named = await reader.target(target ?? 'focused', window);
    // Text for a combo box that is not editable itself goes into the field inside it.
    const inside = named.element.role === 'combobox' && !named.element.states.editable;
    const found = (inside && (await fieldOf({ reader }, named))) || named;
    if (target !== undefined && target !== 'focused' && !isSheetCell(found) && !mayTakeText(found))
      throw takesNoText(found, 'name the field itself; for keys as such there is ui_key.');
    // Then its first part has the focus and exposes the result.
    if (TEXT_FIELD_ROLES.has(found.element.role)) await refuseParts(reader, found);
    if (target !== undefined && target !== 'focused' && isSheetCell(found) && heldIn(found) !== '')
      throw wouldReplace(found);
    const needs = { usable: true, editable: TEXT_FIELD_ROLES.has(found.element.role) };
    const noop = text === '' && !enter && secret === undefined ? 'has all of an empty text' : undefined;
    // Text after a Tab may go elsewhere before the moved focus is noticed. In a field of one line, text after Enter
    // may too.
    const oneLine = TEXT_FIELD_ROLES.has(found.element.role) && !found.element.states.multiline;
    const leaves = oneLine || found.element.role === 'paragraph' ? /[\t\r\n]./s : /\t./s;
    const beyond = leaves.test(text ?? '') && !isSheetCell(found) && { lands: {} };
    return { verb: 'type', target: found, window: found.window, needs, ...(noop && { noop }), ...beyond };
  },
  async act(actor, { target }, { text = '', secret, enter, delayMs, method, target: request }) {
    // The length of a secret is not reported.
    const what = secret === undefined && !target!.element.states.secret ? characters(text) : 'a secret';
    const detail = `${what}${enter ? ' and Enter' : ''} into`;
    const expected = expectedOf(target!, text);
    const hidden = what === 'a secret';
    const unobservable = hidden ? { unobservable: UNREAD, hidden } : showsNothing(text) ? { unobservable: UNSEEN } : {};
    // That a row was left or selected by the keys does not show that a cell of it has the text.
    const shut = target!.element.role === 'cell' && !isSheetCell(target!) && !mayTakeText(target!);
    const dropped = shut && text !== '' ? { reason: UNTAKEN } : {};
    // By pattern a line end would be a line break in the same paragraph, where the app has a paragraph for each line.
    const endsParagraph = method === 'auto' && target!.element.role === 'paragraph' && /[\r\n]/.test(text);
    const plain = delayMs === undefined && !enter && !endsParagraph;
    if (method !== 'input' && plain) {
      const held = await heldNow(actor, target!, expected, hidden);
      const answer = await actor.pattern(target!, { kind: 'insertText', text });
      if (answer) return { method: 'pattern', by: answer.by, detail, ...held, ...unobservable };
    }
    if (method === 'pattern') throw noPattern(target!);
    if (isSheetCell(target!) && target!.element.states.offscreen) {
      await actor.pattern(target!, { kind: 'select' });
      await bringIntoView(actor, target!);
    }
    if (request !== undefined) await actor.giveFocus(target!, { keepCaret: true });
    const held = await heldNow(actor, target!, expected, hidden);
    await typeText(actor, target!, text, delayMs, hidden);
    if (enter && held.expected && !hidden) await confirmBeforeEnter(actor, target!, text, held.expected.held);
    if (enter) await actor.pressIn(target!.window, target, [{ key: 'Enter', modifiers: [] }]);
    // A cell of a sheet takes its text with Enter.
    const entered = enter && !isSheetCell(target!) && { entered: { lines: text.split('\n').length - 1 } };
    return { method: 'input', detail, ...(enter ? { keys: true } : held), ...entered, ...unobservable, ...dropped };
  },
  text: actionText,
});

interface Typed {
  expected?: Extract<ActionReport['expected'], { part: string }>;
}

/** Where text stays as it was typed; a line end or a tab in a single line is a key of its own. */
function expectedOf({ element }: Target, text: string): Typed {
  const stays = element.states.multiline ? !text.includes('\t') : !/[\t\r\n]/.test(text);
  return TEXT_FIELD_ROLES.has(element.role) && text !== '' && stays ? { expected: { part: text } } : {};
}

/** With what it holds before: what is typed may be in there already. */
async function heldNow(actor: Actor, target: Target, typed: Typed, hidden: boolean): Promise<Typed> {
  if (!typed.expected || hidden) return typed;
  const held = await actor.reader.held(target);
  return { expected: { ...typed.expected, ...(held && { held }) } };
}

/** The time that it takes would reveal its length. */
function revealsLength(): DesktopError {
  return new DesktopError('bad_arguments', 'A secret is typed without delayMs, which would reveal its length.', {
    retry: 'no',
    hint: 'leave delayMs out.',
  });
}

/** A cell exposes its displayed text as its name, and a formula without displayed text as its value. */
const heldIn = ({ element }: Target): string => element.name ?? String(element.value ?? '');

/** In a spreadsheet the first letter replaces the content of a cell. */
function wouldReplace(target: Target): DesktopError {
  const message = `${target.element.ref} cell ${quote(heldIn(target))} holds something already, which typing would replace.`;
  return new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    hint: 'to replace it use ui_set_value; to go on in it press F2 there with ui_key, then type without a target.',
  });
}

function noPattern({ element }: Target): DesktopError {
  return new DesktopError(
    'pattern_unsupported',
    `${element.ref} ${roleInText(element.role)} takes no text but by keys.`,
    {
      retry: 'no',
      hint: 'leave method out.',
    },
  );
}
