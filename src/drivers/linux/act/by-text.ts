import { EDITABLE_TEXT, TEXT } from '../atspi/interfaces.js';
import { readNumber } from '../atspi/raw-element.js';
import { deed, type Already, type Deed } from './deed.js';
import { notReady } from './refusals.js';
import type { Subject } from './subject.js';

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
