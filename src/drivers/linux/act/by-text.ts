import type { Deadline } from '../../../shared/index.js';
import type { Caret } from '../../contract/index.js';
import { EDITABLE_TEXT, parseElementId, readNumber, TEXT } from '../atspi/accessible.js';
import { stale } from '../atspi/ancestors.js';
import type { Apps } from '../atspi/apps.js';
import { OBJECT, readText } from '../atspi/text.js';
import { explained } from '../read/window-tree.js';
import { notReady, readSubject, type Subject } from './action-target.js';
import { type Already, deed, type Deed } from './send-call.js';

/** Replaces all of it. Exact in GTK, Qt and Writer; whoever asked reads back. */
export function setText(subject: Subject, text: string): Deed | undefined {
  return takesText(subject) ? deed(subject.path, EDITABLE_TEXT, 'SetTextContents', 's', [text]) : undefined;
}

/** At the caret, in place of what is selected; the caret stands behind it then. */
export async function insertText(subject: Subject, text: string): Promise<Deed | Already | undefined> {
  if (!takesText(subject)) return undefined;
  const { calls, path } = subject;
  const [caret, length, selection] = await Promise.all([
    readNumber(calls, path, TEXT, 'CaretOffset'),
    readNumber(calls, path, TEXT, 'CharacterCount'),
    readSelection(subject),
  ]);
  if (caret === undefined || length === undefined) return undefined;
  if (text === '' && !selection) return { already: 'has nothing to be written into it' };
  // An app that has never had the focus may say -1.
  const start = selection ? selection[0] : Math.min(Math.max(0, caret), length);
  const behind = deed(path, TEXT, 'SetCaretOffset', 'i', [start + positions(subject, text)]);
  const insert = {
    ...deed(path, EDITABLE_TEXT, 'InsertText', 'isi', [start, text, lengthFor(subject, text)]),
    then: behind,
  };
  if (!selection) return insert;
  const remove = deed(path, EDITABLE_TEXT, 'DeleteText', 'ii', [...selection]);
  return text === '' ? remove : { ...remove, by: insert.by, then: insert };
}

/**
 * GTK 3 and Qt write into a disabled field, Qt also into one that it calls both editable and read-only. In a spin button
 * GTK 4 shows the text without taking it as its value. LibreOffice calls some fields not editable that are.
 */
function takesText({ interfaces, bits, role, calls }: Subject): boolean {
  if (!interfaces.has(EDITABLE_TEXT) || role === 'spinbutton') return false;
  if (bits.has('editable') && !bits.has('readOnly')) return true;
  if (calls.app.toolkit.name === 'libreoffice') return false;
  throw notReady('cannot be edited');
}

/** GTK 3 selects all of a field that gets the focus, and a click puts the caret where it was clicked. */
export async function readCaret(subject: Subject): Promise<Caret | undefined> {
  const { calls, path, interfaces, bits } = subject;
  if (!interfaces.has(TEXT)) return undefined;
  // A browser puts it back by itself, and in its address bar selects all, which is replaced by what one types.
  if (calls.app.toolkit.name === 'chromium' && !bits.has('focused')) return undefined;
  const [caret, length, selection] = await Promise.all([
    readNumber(calls, path, TEXT, 'CaretOffset'),
    readNumber(calls, path, TEXT, 'CharacterCount'),
    readSelection(subject),
  ]);
  // What is in paragraphs has a caret in each of them, and another count of the whole.
  if (calls.app.toolkit.name === 'chromium' && (await readText(calls, path, 0, length ?? 0)).includes(OBJECT))
    return undefined;
  if (selection) return { start: selection[0], end: selection[1] };
  if (caret === undefined || length === undefined) return undefined;
  // It may not tell of it at once.
  if (caret < 0 && calls.app.toolkit.name === 'chromium') return undefined;
  const at = caret < 0 ? length : Math.min(caret, length);
  return { start: at, end: at };
}

export async function setCaret(subject: Subject, { start, end }: Caret): Promise<Deed | undefined> {
  const { path, interfaces } = subject;
  if (!interfaces.has(TEXT)) return undefined;
  if (start === end) return deed(path, TEXT, 'SetCaretOffset', 'i', [start]);
  if (await readSelection(subject)) return deed(path, TEXT, 'SetSelection', 'iii', [0, start, end]);
  return deed(path, TEXT, 'AddSelection', 'ii', [start, end]);
}

async function readSelection({ calls, path }: Subject): Promise<readonly [number, number] | undefined> {
  const count = await calls.maybe(calls.call(path, TEXT, 'GetNSelections'));
  if (typeof count?.[0] !== 'number' || count[0] < 1) return undefined;
  const answer = await calls.maybe(calls.call(path, TEXT, 'GetSelection', 'i', [0]));
  const [from, to] = answer ?? [];
  if (typeof from !== 'number' || typeof to !== 'number' || from < 0 || to < 0 || from === to) return undefined;
  return [Math.min(from, to), Math.max(from, to)];
}

function positions({ calls }: Subject, text: string): number {
  return calls.app.toolkit.textInUtf16 ? text.length : [...text].length;
}

/** In bytes; Qt takes it in its own units and, told too many, writes what lies behind in its memory. */
function lengthFor({ calls }: Subject, text: string): number {
  return calls.app.toolkit.textInUtf16 ? text.length : Buffer.byteLength(text);
}

export async function caretOf(apps: Apps, element: string, deadline: Deadline): Promise<Caret | undefined> {
  const id = parseElementId(element);
  if (!id) throw stale();
  const link = await apps.linkByBusName(id.address[0], deadline);
  return explained(link, async () => readCaret(await readSubject(link.until(deadline), id)));
}
