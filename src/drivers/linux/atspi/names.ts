import { cleanName } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE, ERROR_MESSAGE, LABELLED_BY } from './interfaces.js';
import { idOf, readRelation, readString, type Address } from './raw-element.js';
import { readText, readTextLength } from './text.js';
import type { Toolkit } from './toolkit.js';

const FILLER = 20;

/** What a person would call it, or nothing: class names and doubled labels of GTK 4 are no names. */
export function honestName(raw: string, roleNumber: number, toolkit: Toolkit): { text: string; dropped: number } {
  // Behind a TAB comes a menu item's accelerator, which is not its name.
  const { text, dropped } = cleanName(withoutUsage(raw.split('\t', 1)[0]!, roleNumber, toolkit));
  const name = text.trim();
  if (!toolkit.classNamesAsNames) return { text: isNoName(name, roleNumber, toolkit) ? '' : name, dropped };
  if (roleNumber === FILLER || /^(Gtk|Adw|Gdk|Hdy)[A-Z]\w*$/.test(name) || GTK4_GENERIC.has(name)) {
    return { text: '', dropped };
  }
  return { text: undoubled(name), dropped };
}

/** Chromium adds to a tab's name how much memory it uses, anew every few minutes and without a word about it. */
const USAGE = / - Memory usage - [\d.,]+ ?[kKMG]?B$/;
const TAB = 37;

function withoutUsage(name: string, roleNumber: number, toolkit: Toolkit): string {
  return toolkit.name === 'chromium' && roleNumber === TAB ? name.replace(USAGE, '') : name;
}

/** A GTK 3 combo box without a name of its own is called after the first text of its row: here, the icon's. */
const ICON = /^[\w-]+-symbolic$/;
const COMBO_BOX = 11;
const TAB_LIST = 38;

const GTK4_GENERIC = new Set(['Tab', 'Tab list']);

/** Qt calls a tab list after its current tab. */
function isNoName(name: string, roleNumber: number, toolkit: Toolkit): boolean {
  return (roleNumber === COMBO_BOX && ICON.test(name)) || (roleNumber === TAB_LIST && toolkit.name === 'qt');
}

/** GTK 4.8 joins a button's own label, which may mark the letter of its key, and its child's: "7 7", "_Yes Yes". */
export function undoubled(name: string): string {
  const middle = Math.floor(name.length / 2);
  if (name[middle] !== ' ') return name;
  const [own, shown] = [name.slice(0, middle), name.slice(middle + 1)];
  return own === shown || (own.length > shown.length && own.replace('_', '') === shown) ? shown : name;
}

export interface LabelName {
  name: string;
  labelId: string;
}

/** The text of the element that labels this one. */
export async function nameFromLabel(calls: AppCalls, path: string): Promise<LabelName | undefined> {
  const [label] = await readRelation(calls, path, LABELLED_BY);
  if (!label || label[0] !== calls.app.busName) return undefined;
  const name = await ownText(calls, label);
  return name === '' ? undefined : { name, labelId: idOf(label) };
}

/** The app's own words about an invalid field. */
export async function errorMessage(calls: AppCalls, path: string): Promise<string | undefined> {
  const [message] = await readRelation(calls, path, ERROR_MESSAGE);
  if (!message || message[0] !== calls.app.busName) return undefined;
  return (await ownText(calls, message)) || undefined;
}

async function ownText(calls: AppCalls, [, path]: Address): Promise<string> {
  const name = cleanName(await readString(calls, path, ACCESSIBLE, 'Name')).text.trim();
  if (name !== '') return name;
  const length = await readTextLength(calls, path);
  return length ? cleanName(await readText(calls, path, 0, Math.min(length, 400))).text.trim() : '';
}
