import { z } from 'zod';
import { defineAct, type Deed, type Target } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, TEXT_FIELD_ROLES } from '../../tree/index.js';
import { actText } from './act-text.js';
import { METHOD, notTooLong, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from './fields.js';
import { bringIntoView } from './sheet-cell.js';
import { mayTakeText, takesNoText } from './takes-text.js';
import { isSheetCell, typeOut } from './type-out.js';
import { showsNothing, UNREAD, UNSEEN } from './untold.js';

export const uiType = defineAct({
  name: 'ui_type',
  class: 'act',
  description:
    "Type text into target (at its caret) or into what has focus. To replace a field's content use ui_set_value.",
  timeoutMs: READY_MS,
  limitMs: ({ timeoutMs, text = '', delayMs = 0 }) =>
    readyWithin({ timeoutMs }) + [...text].length * (delayMs + (delayMs > 0 ? 60 : 10)),
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
  async aim(reader, { target, window, text, enter, secret, delayMs = 0 }) {
    notTooLong([...(text ?? '')].length * delayMs, 'a shorter text, or less delayMs');
    const found = await reader.target(target ?? 'focused', window);
    if (target !== undefined && target !== 'focused' && !isSheetCell(found) && !mayTakeText(found))
      throw takesNoText(found, 'name the field itself; for keys as such there is ui_key.');
    if (target !== undefined && target !== 'focused' && isSheetCell(found) && (found.element.name ?? '') !== '')
      throw wouldReplace(found);
    const needs = { usable: true, editable: TEXT_FIELD_ROLES.has(found.element.role) };
    const already = text === '' && !enter && secret === undefined ? 'has all of an empty text' : undefined;
    // What is typed after a Tab may go elsewhere before anybody sees that the focus has left.
    const beyond = /\t./s.test(text ?? '') && !isSheetCell(found) && { lands: {} };
    return { verb: 'type', target: found, window: found.window, needs, ...(already && { already }), ...beyond };
  },
  async act(actor, { target }, { text = '', secret, enter, delayMs, method, target: asked }) {
    // How long a secret is nobody needs to know.
    const what = secret === undefined && !target!.element.states.secret ? `${[...text].length} characters` : 'a secret';
    const words = `${what}${enter ? ' and Enter' : ''} into`;
    const expected = secret === undefined ? expectedOf(target!, text) : {};
    const untold = what === 'a secret' ? { untold: UNREAD } : showsNothing(text) ? { untold: UNSEEN } : {};
    const plain = delayMs === undefined && !enter;
    if (method !== 'input' && plain) {
      const answer = await actor.pattern(target!, { kind: 'insertText', text });
      if (answer) return { method: 'pattern', by: answer.by, words, ...expected, ...untold };
    }
    if (method === 'pattern') throw noPattern(target!);
    if (isSheetCell(target!) && target!.element.states.offscreen) {
      await actor.pattern(target!, { kind: 'select' });
      await bringIntoView(actor, target!);
    }
    if (asked !== undefined) await actor.giveFocus(target!, { keepCaret: true });
    await typeOut(actor, target!, text, delayMs, what === 'a secret');
    if (enter) await actor.pressIn(target!.window, target, [{ key: 'Enter', modifiers: [] }]);
    return { method: 'input', words, ...(!enter && expected), ...untold };
  },
  text: actText,
});

/** Where text stays as it was typed; a line end or a tab in a single line is a key of its own. */
function expectedOf({ element }: Target, text: string): Pick<Deed, 'expected'> {
  const stays = element.states.multiline ? !text.includes('\t') : !/[\t\r\n]/.test(text);
  return TEXT_FIELD_ROLES.has(element.role) && text !== '' && stays ? { expected: { part: text } } : {};
}

/** A sheet begins a cell anew with the first letter. */
function wouldReplace({ element }: Target): DesktopError {
  const message = `${element.ref} cell ${quote(element.name!)} holds something already, which typing would replace.`;
  return new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    hint: 'to replace it use ui_set_value; to go on in it press F2 there with ui_key, then type without a target.',
  });
}

function noPattern({ element }: Target): DesktopError {
  return new DesktopError('pattern_unsupported', `${element.ref} ${element.role} takes no text but by keys.`, {
    retry: 'no',
    hint: 'leave method out.',
  });
}
