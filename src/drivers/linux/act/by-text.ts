import type { Deadline } from '../../../shared/index.js';
import type { Caret } from '../../contract/index.js';
import { EDITABLE_TEXT, parseElementId, readNumber, TEXT } from '../atspi/accessible.js';
import { staleRefError } from '../atspi/ancestors.js';
import type { Apps } from '../atspi/apps.js';
import { OBJECT_REPLACEMENT, readText } from '../atspi/text.js';
import { withAppErrors } from '../read/window-tree.js';
import { notReadyError, readActionTarget, type ActionTarget } from './action-target.js';
import { type AlreadyDone, plannedCall, type PlannedCall } from './send-call.js';

/** Replaces the whole text. Exact in GTK, Qt and Writer; the caller reads the value back. */
export function setText(target: ActionTarget, text: string): PlannedCall | undefined {
  if (isMangled(target, text)) return undefined;
  return acceptsText(target) ? plannedCall(target.path, EDITABLE_TEXT, 'SetTextContents', 's', [text]) : undefined;
}

/** Swing writes other letters in place of an emoji. Keys type it. */
function isMangled({ calls }: ActionTarget, text: string): boolean {
  return calls.app.toolkit.name === 'swing' && /[^\u0000-\uFFFF]/u.test(text);
}

/** Inserts at the caret or replaces the selection, then puts the caret behind the new text. */
export async function insertText(target: ActionTarget, text: string): Promise<PlannedCall | AlreadyDone | undefined> {
  if (isMangled(target, text) || !acceptsText(target)) return undefined;
  const { calls, path } = target;
  const [caret, length, selection] = await Promise.all([
    readNumber(calls, path, TEXT, 'CaretOffset'),
    readNumber(calls, path, TEXT, 'CharacterCount'),
    readSelection(target),
  ]);
  if (caret === undefined || length === undefined) return undefined;
  if (text === '' && !selection) return { noop: 'has nothing to insert' };
  // An app that never had the focus may report -1.
  const start = selection ? selection[0] : Math.min(Math.max(0, caret), length);
  const behind = plannedCall(path, TEXT, 'SetCaretOffset', 'i', [start + caretUnits(target, text)]);
  const insert = {
    ...plannedCall(path, EDITABLE_TEXT, 'InsertText', 'isi', [start, text, insertLength(target, text)]),
    then: behind,
  };
  if (!selection) return insert;
  const remove = plannedCall(path, EDITABLE_TEXT, 'DeleteText', 'ii', [...selection]);
  return text === '' ? remove : { ...remove, by: insert.by, then: insert };
}

/**
 * GTK 3 and Qt write into a disabled field. Qt also writes into a field that it reports as both editable and read-only.
 * In a spin button GTK 4 shows the text but does not take it as the value. LibreOffice reports some editable fields as
 * not editable.
 */
function acceptsText({ interfaces, bits, role, calls }: ActionTarget): boolean {
  if (!interfaces.has(EDITABLE_TEXT) || role === 'spinbutton') return false;
  // Gecko answers true and writes nothing into a field of a page.
  if (calls.app.toolkit.name === 'gecko') return false;
  if (bits.has('editable') && !bits.has('readOnly')) return true;
  if (calls.app.toolkit.name === 'libreoffice') return false;
  throw notReadyError('cannot be edited');
}

/** Needed because GTK 3 selects the whole text of a field that gets the focus, and a click moves the caret. */
export async function readCaret(target: ActionTarget): Promise<Caret | undefined> {
  const { calls, path, interfaces, bits } = target;
  if (!interfaces.has(TEXT)) return undefined;
  // A browser restores the caret itself. In its address bar it selects everything, and typing replaces that.
  if (calls.app.toolkit.name === 'chromium' && !bits.has('focused')) return undefined;
  const [caret, length, selection] = await Promise.all([
    readNumber(calls, path, TEXT, 'CaretOffset'),
    readNumber(calls, path, TEXT, 'CharacterCount'),
    readSelection(target),
  ]);
  // Text in paragraphs has a caret in each paragraph, and offsets in the whole are counted differently.
  if (
    calls.app.toolkit.name === 'chromium' &&
    (await readText(calls, path, 0, length ?? 0)).includes(OBJECT_REPLACEMENT)
  )
    return undefined;
  if (selection) return { start: selection[0], end: selection[1] };
  if (caret === undefined || length === undefined) return undefined;
  // Chromium may report the caret late.
  if (caret < 0 && calls.app.toolkit.name === 'chromium') return undefined;
  const at = caret < 0 ? length : Math.min(caret, length);
  return { start: at, end: at };
}

export async function setCaret(target: ActionTarget, { start, end }: Caret): Promise<PlannedCall | undefined> {
  const { path, interfaces } = target;
  if (!interfaces.has(TEXT)) return undefined;
  if (start === end) return plannedCall(path, TEXT, 'SetCaretOffset', 'i', [start]);
  if (await readSelection(target)) return plannedCall(path, TEXT, 'SetSelection', 'iii', [0, start, end]);
  return plannedCall(path, TEXT, 'AddSelection', 'ii', [start, end]);
}

async function readSelection({ calls, path }: ActionTarget): Promise<readonly [number, number] | undefined> {
  const count = await calls.maybe(calls.call(path, TEXT, 'GetNSelections'));
  if (typeof count?.[0] !== 'number' || count[0] < 1) return undefined;
  const answer = await calls.maybe(calls.call(path, TEXT, 'GetSelection', 'i', [0]));
  const [from, to] = answer ?? [];
  if (typeof from !== 'number' || typeof to !== 'number' || from < 0 || to < 0 || from === to) return undefined;
  return [Math.min(from, to), Math.max(from, to)];
}

function caretUnits({ calls }: ActionTarget, text: string): number {
  return calls.app.toolkit.textInUtf16 ? text.length : [...text].length;
}

/**
 * The length is in bytes. Qt counts it in UTF-16 units; if the number is too high, Qt writes the memory behind the
 * text.
 */
function insertLength({ calls }: ActionTarget, text: string): number {
  return calls.app.toolkit.textInUtf16 ? text.length : Buffer.byteLength(text);
}

export async function readElementCaret(apps: Apps, element: string, deadline: Deadline): Promise<Caret | undefined> {
  const id = parseElementId(element);
  if (!id) throw staleRefError();
  const link = await apps.connectByBusName(id.address[0], deadline);
  return withAppErrors(link, async () => readCaret(await readActionTarget(link.until(deadline), id)));
}
