import { cleanValue } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { TEXT } from './interfaces.js';
import { readNumber } from './raw-element.js';

/** How much of a field's text a look takes; `ui_read` pages through the rest. */
const LOOK_LIMIT = 500;
const DETAIL_LIMIT = 2000;

/**
 * Always between 0 and the count: a larger end silently gives wrong text on Qt and LibreOffice, and -1 gives nothing
 * on GTK 4.
 */
export async function readText(calls: AppCalls, path: string, start: number, end: number): Promise<string> {
  if (end <= start) return '';
  const answer = await calls.maybe(calls.call(path, TEXT, 'GetText', 'ii', [start, end]));
  return typeof answer?.[0] === 'string' ? answer[0] : '';
}

export async function readTextLength(calls: AppCalls, path: string): Promise<number | undefined> {
  const count = await readNumber(calls, path, TEXT, 'CharacterCount');
  return count === undefined || count < 0 ? undefined : count;
}

export interface FieldText {
  text: string;
  dropped: number;
}

/** The beginning of a field's text, cleaned, with how much was left: `…(+1234)`. Undefined without a Text interface. */
export async function readFieldText(calls: AppCalls, path: string, detail: boolean): Promise<FieldText | undefined> {
  const beginning = await readBeginning(calls, path, detail);
  return beginning && cleanBeginning(beginning);
}

export interface Beginning {
  text: string;
  limit: number;
  /** How long all of it is. */
  total: number;
}

/** As its app tells it. */
export async function readBeginning(calls: AppCalls, path: string, detail: boolean): Promise<Beginning | undefined> {
  const total = await readTextLength(calls, path);
  if (total === undefined) return undefined;
  const limit = detail ? DETAIL_LIMIT : LOOK_LIMIT;
  return { text: await readText(calls, path, 0, Math.min(total, limit)), limit, total };
}

export function cleanBeginning({ text: told, limit, total }: Beginning): FieldText {
  const { text, dropped } = cleanValue(told, limit);
  return { text: total > limit ? `${text}…(+${total - limit})` : text, dropped };
}
