import { INTERACTIVE_ROLES, roleFromAtspi, TEXT_FIELD_ROLES } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { readChildCount, readChildren, readRole } from './raw-element.js';
import { readText, readTextLength } from './text.js';

/** Stands in a text for each element that is in it. */
export const OBJECT = '\uFFFC';
/** What is written directly into the text: it stands there itself. */
const STATIC = 116;
const MOST_PARTS = 500;
const DEEPEST = 8;

/**
 * A text with those of the elements in it in their places, and each paragraph on a line of its own: as a page is
 * written that one can edit. Undefined where it cannot be told which element stands where.
 */
export async function textInParts(calls: AppCalls, path: string, text: string, depth = 0): Promise<string | undefined> {
  const pieces = text.split(OBJECT);
  if (pieces.length === 1) return text;
  if (depth === DEEPEST || (await readChildCount(calls, path)) > MOST_PARTS) return undefined;
  const children = await Promise.all(
    (await readChildren(calls, path)).map(async ([, child]) => ({ child, role: await readRole(calls, child) })),
  );
  const objects = children.filter(({ role }) => role !== STATIC);
  if (objects.length !== pieces.length - 1) return undefined;
  // A field in it may be a secret one, of which only its own label tells.
  if (objects.some(({ role }) => isField(role))) return undefined;
  const texts = await Promise.all(objects.map(({ child }) => textOf(calls, child, depth + 1)));
  const lines: string[] = [];
  let line = pieces[0]!;
  for (const [index, { role }] of objects.entries()) {
    const own = texts[index];
    if (own === undefined) return undefined;
    const after = pieces[index + 1]!;
    if (isInLine(role)) {
      line += own + after;
      continue;
    }
    if (line !== '') lines.push(ended(line));
    lines.push(ended(own));
    line = after;
  }
  if (line !== '') lines.push(line);
  return lines.join('\n');
}

async function textOf(calls: AppCalls, path: string, depth: number): Promise<string | undefined> {
  const length = await readTextLength(calls, path);
  if (length === undefined) return '';
  return textInParts(calls, path, await readText(calls, path, 0, length), depth);
}

function isInLine(roleNumber: number): boolean {
  const role = roleFromAtspi(roleNumber);
  return INTERACTIVE_ROLES.has(role) || role === 'link' || role === 'image';
}

function isField(roleNumber: number): boolean {
  const role = roleFromAtspi(roleNumber);
  return TEXT_FIELD_ROLES.has(role) || role === 'passwordbox';
}

/** A line that is empty is told as its end. */
const ended = (line: string): string => line.replace(/\n$/, '');
