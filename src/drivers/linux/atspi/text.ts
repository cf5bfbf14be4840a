import { cutMark } from '../../../shared/index.js';
import {
  type Box,
  cleanName,
  cleanValue,
  INTERACTIVE_ROLES,
  type Node,
  type Role,
  roleFromAtspi,
  TEXT_FIELD_ROLES,
} from '../../../tree/index.js';
import {
  ACCESSIBLE,
  type Address,
  asAddress,
  boxOf,
  HYPERLINK,
  idOf,
  isNumbers,
  isString,
  readChildCount,
  readChildren,
  readExtents,
  readNumber,
  readRole,
  readString,
  SCREEN,
  TEXT,
  VALUE,
} from './accessible.js';
import type { AppCalls } from './app-connection.js';
import { childPlace, visiblePart } from './bounds.js';
import type { WalkContext, Walk } from './walk.js';

/** Maximum length of a field's text in a snapshot. `ui_read` pages through the rest. */
const SNAPSHOT_LIMIT = 500;
const DETAIL_LIMIT = 2000;

/**
 * Both positions must lie between 0 and the character count: a larger end silently returns wrong text in Qt and
 * LibreOffice, and -1 returns nothing in GTK 4.
 */
export async function readText(calls: AppCalls, path: string, start: number, end: number): Promise<string> {
  if (end <= start) return '';
  const answer = await calls.maybe(calls.call(path, TEXT, 'GetText', 'ii', [start, end]));
  const text = typeof answer?.[0] === 'string' ? answer[0] : '';
  const isLost = text === '' && calls.app.toolkit.name === 'swing';
  return isLost ? readAroundEmoji(calls, path, start, end, { calls: MAX_SPLITS }) : text;
}

const UNREADABLE = '\uFFFD';
/** Enough for a few dozen emoji in a text of 2,000 characters. */
const MAX_SPLITS = 400;

/** Java's wrapper 0.40 returns nothing for a text with an emoji in it. The text around it can be read in parts. */
async function readAroundEmoji(
  calls: AppCalls,
  path: string,
  start: number,
  end: number,
  left: { calls: number },
): Promise<string> {
  if (end - start <= 1 || left.calls <= 0) return UNREADABLE.repeat(end - start);
  const middle = Math.floor((start + end) / 2);
  const parts: string[] = [];
  for (const [from, to] of [
    [start, middle],
    [middle, end],
  ] as const) {
    left.calls--;
    const answer = await calls.maybe(calls.call(path, TEXT, 'GetText', 'ii', [from, to]));
    const text = typeof answer?.[0] === 'string' ? answer[0] : '';
    parts.push(text === '' ? await readAroundEmoji(calls, path, from, to, left) : text);
  }
  return parts.join('');
}

export async function readTextLength(calls: AppCalls, path: string): Promise<number | undefined> {
  const count = await readNumber(calls, path, TEXT, 'CharacterCount');
  return count === undefined || count < 0 ? undefined : count;
}

export interface FieldText {
  text: string;
  dropped: number;
}

/**
 * The start of a field's text, cleaned, with the number of omitted characters: `…(+1234)`. Undefined without a Text
 * interface.
 */
export async function readFieldText(calls: AppCalls, path: string, detail: boolean): Promise<FieldText | undefined> {
  const prefix = await readTextPrefix(calls, path, detail);
  return prefix && cleanTextPrefix(prefix);
}

interface TextPrefix {
  text: string;
  limit: number;
  /** Length of the whole text. */
  total: number;
}

/** The text as the app reports it, not cleaned. */
export async function readTextPrefix(calls: AppCalls, path: string, detail: boolean): Promise<TextPrefix | undefined> {
  const total = await readTextLength(calls, path);
  if (total === undefined) return undefined;
  const limit = detail ? DETAIL_LIMIT : SNAPSHOT_LIMIT;
  return { text: await readText(calls, path, 0, Math.min(total, limit)), limit, total };
}

export function cleanTextPrefix({ text: reported, limit, total }: TextPrefix): FieldText {
  const { text, dropped } = cleanValue(reported, limit);
  return { text: total > limit ? text + cutMark(total - limit) : text, dropped };
}

/** Placeholder in a text for each embedded element. */
export const OBJECT_REPLACEMENT = '\uFFFC';
/** Text that is part of the parent's own text, so it has no placeholder. */
const STATIC_TEXT = 116;
const MAX_PARTS = 500;
const MAX_PART_DEPTH = 8;

/**
 * A text with the texts of embedded elements inserted at their positions and each paragraph on its own line, as in an
 * editable page. Undefined when the positions of the elements cannot be determined.
 */
export async function inlineEmbeddedText(
  calls: AppCalls,
  path: string,
  text: string,
  depth = 0,
): Promise<string | undefined> {
  const pieces = text.split(OBJECT_REPLACEMENT);
  if (pieces.length === 1) return text;
  if (depth === MAX_PART_DEPTH || (await readChildCount(calls, path)) > MAX_PARTS) return undefined;
  const children = await Promise.all(
    (await readChildren(calls, path)).map(async ([, child]) => ({ child, role: await readRole(calls, child) })),
  );
  const objects = children.filter(({ role }) => role !== STATIC_TEXT);
  if (objects.length !== pieces.length - 1) return undefined;
  // An embedded field may be secret, which only its own label shows.
  if (objects.some(({ role }) => isField(role))) return undefined;
  const texts = await Promise.all(objects.map(({ child }) => readEmbeddedText(calls, child, depth + 1)));
  const lines: string[] = [];
  let line = pieces[0]!;
  for (const [index, { role }] of objects.entries()) {
    const own = texts[index];
    if (own === undefined) return undefined;
    const after = pieces[index + 1]!;
    if (isInline(role)) {
      line += own + after;
      continue;
    }
    if (line !== '') lines.push(withoutFinalNewline(line));
    lines.push(withoutFinalNewline(own));
    line = after;
  }
  if (line !== '') lines.push(line);
  return lines.join('\n');
}

/** Boxes of layout. A person sees their text as a paragraph. */
const LAYOUT: ReadonlySet<Role> = new Set(['group', 'scrollpane', 'unknown']);
const TEXT_CONTAINERS: ReadonlySet<Role> = new Set([
  ...LAYOUT,
  ...(['alert', 'alertdialog', 'article', 'dialog', 'document', 'figure', 'form', 'listitem', 'log'] as const),
  ...(['paragraph', 'region', 'statusbar', 'timer', 'tooltip'] as const),
]);
const NAMED_AROUND_FIELDS: ReadonlySet<Role> = new Set(['label', 'cell', 'columnheader', 'rowheader']);
/** Children that a person reads as part of the sentence around them. */
const INLINE: ReadonlySet<Role> = new Set(['button', 'image', 'label', 'link', 'mark', 'text']);

/**
 * Adds the words that stand between the children of a container, where texts are not elements of their own. `children`:
 * all of them, undefined where one was not read.
 */
export async function readContainerText(
  calls: AppCalls,
  path: string,
  node: Node,
  children: readonly (Node | undefined)[],
): Promise<void> {
  if (!calls.app.toolkit.textInContainers || node.states.secret) return;
  // Gecko adds the values of fields to the name of the label or cell around them.
  const isLabel = NAMED_AROUND_FIELDS.has(node.role) && children.length > 0;
  const isDate = node.role === 'textbox' && children.some((child) => child?.role === 'spinbutton');
  if (!isLabel && !isDate && !TEXT_CONTAINERS.has(node.role)) return;
  const own = await readTextPrefix(calls, path, false);
  if (!own) return;
  const pieces = own.text.split(OBJECT_REPLACEMENT);
  if (isDate) {
    const parts = children.map((child) => (child?.role === 'spinbutton' ? String(child.value ?? '') : ''));
    node.value = interleave(pieces, parts).trim();
    return;
  }
  if (pieces.every((piece) => piece.trim() === '')) {
    if (isLabel && children.some((child) => child && isFieldRole(child.role))) delete node.name;
    return;
  }
  const names = children.map((child) => (child && INLINE.has(child.role) ? (child.name ?? '') : ''));
  const { text, dropped } = cleanTextPrefix({ ...own, text: interleave(pieces, node.role === 'label' ? [] : names) });
  const words = text.replace(/ {2,}/g, ' ').trim();
  if (dropped > 0) node.cleaned = (node.cleaned ?? 0) + dropped;
  if (isLabel) node.name = words;
  else if (words !== node.name) node.value = words;
  if (LAYOUT.has(node.role) && node.name === undefined) node.role = 'paragraph';
}

/** A text with a part at each placeholder. */
function interleave(pieces: readonly string[], parts: readonly string[]): string {
  return pieces.map((piece, at) => (at === 0 ? piece : (parts[at - 1] || ' ') + piece)).join('');
}

async function readEmbeddedText(calls: AppCalls, path: string, depth: number): Promise<string | undefined> {
  const length = await readTextLength(calls, path);
  if (length === undefined) return '';
  return inlineEmbeddedText(calls, path, await readText(calls, path, 0, length), depth);
}

function isInline(roleNumber: number): boolean {
  const role = roleFromAtspi(roleNumber);
  return INTERACTIVE_ROLES.has(role) || role === 'link' || role === 'image';
}

const isField = (roleNumber: number): boolean => isFieldRole(roleFromAtspi(roleNumber));
const isFieldRole = (role: Role): boolean => TEXT_FIELD_ROLES.has(role) || role === 'passwordbox';

/** An empty line is reported as its newline. */
const withoutFinalNewline = (line: string): string => line.replace(/\n$/, '');

/**
 * The text of a spin button whose number is meaningless; undefined when the number is valid. Qt's date and time fields
 * and Swing's spinners of words have no number: they report 0 without limits, and a number written to them is stored
 * apart from the date. Chromium reports 0 for an empty field and accepts no number until the field has one. Spin buttons that a page draws itself
 * have no text at all. Parts of a date in Gecko report 0 and no limits, and have the shown digits as text.
 */
export async function readSpinText(calls: AppCalls, path: string, editable: boolean): Promise<FieldText | undefined> {
  const { name } = calls.app.toolkit;
  if (name === 'chromium' && editable)
    return (await readTextLength(calls, path)) === 0 ? { text: '', dropped: 0 } : undefined;
  if (name !== 'qt' && name !== 'gecko' && name !== 'swing') return undefined;
  const [min, max] = await Promise.all([
    readNumber(calls, path, VALUE, 'MinimumValue'),
    readNumber(calls, path, VALUE, 'MaximumValue'),
  ]);
  return min !== undefined && max !== undefined && min < max ? undefined : readFieldText(calls, path, false);
}

interface LinkInText {
  text: string;
  box?: Box;
}

/** A text box higher than one letter by this factor spans more than one line. */
const MULTI_LINE_RATIO = 1.6;

/** A link in a GTK 3 label has no name and no bounds of its own. Both come from its letters. */
export async function readLinkInText(calls: AppCalls, path: string): Promise<LinkInText | undefined> {
  const [start, end, parent] = await Promise.all([
    readNumber(calls, path, HYPERLINK, 'StartIndex'),
    readNumber(calls, path, HYPERLINK, 'EndIndex'),
    calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')).then(asAddress),
  ]);
  if (start === undefined || end === undefined || end <= start || parent?.[0] !== calls.app.busName) return undefined;
  const boxFrom = async (to: number): Promise<Box | undefined> =>
    boxOf(
      calls.understood(
        await calls.maybe(calls.call(parent[1], TEXT, 'GetRangeExtents', 'iiu', [start, to, SCREEN])),
        isNumbers,
      ),
    );
  const [text, all, first] = await Promise.all([
    calls.maybe(calls.call(parent[1], TEXT, 'GetText', 'ii', [start, end])),
    boxFrom(end),
    boxFrom(start + 1),
  ]);
  // The centre of a link that spans two lines may lie beside it.
  const box = all && first && all.height > first.height * MULTI_LINE_RATIO ? first : all;
  return { text: calls.understood(text?.[0], isString) ?? '', ...(box && { box }) };
}

const PANEL = 39;
const PARAGRAPH = 73;
/** The input line grows with its content. Further paragraphs of a cell are cut. */
const MAX_PARAGRAPHS = 20;

/**
 * LibreOffice Calc reports the input line for cells as defunct although it is visible: a named panel with live
 * paragraphs. An element that is really gone has neither.
 */
export async function readInputLine(walk: Walk, address: Address, context: WalkContext): Promise<Node | undefined> {
  const { calls } = walk;
  const path = address[1];
  if (!(await isInputLine(walk.calls, path))) return undefined;
  const [rawName, extents, paragraphs] = await Promise.all([
    readString(calls, path, ACCESSIBLE, 'Name'),
    readExtents(calls, path),
    readChildren(calls, path),
  ]);
  const texts = await Promise.all(
    paragraphs.slice(0, MAX_PARAGRAPHS).map(async (paragraph) => readFieldText(calls, paragraph[1], false)),
  );
  const visible = visiblePart(childPlace(calls.app.toolkit, context.place, PANEL, extents));
  if (!visible && !walk.options.full && !context.requested) return undefined;
  walk.count++;
  const name = cleanName(rawName).text.trim();
  return {
    id: idOf(address),
    role: 'textbox',
    ...(name !== '' && { name }),
    value: texts.map((text) => text?.text ?? '').join('\n'),
    ...(visible && { bounds: visible }),
    states: {
      enabled: context.enabled,
      visible: true,
      editable: true,
      focusable: true,
      ...(!visible && { offscreen: true }),
    },
    patterns: [],
    platformIds: { atspiPath: path },
    children: [],
  };
}

export async function isInputLine(calls: Walk['calls'], path: string): Promise<boolean> {
  const [role, count] = await Promise.all([readRole(calls, path), readChildCount(calls, path)]);
  if (role !== PANEL || count === 0 || count > 1000) return false;
  const [first] = await readChildren(calls, path);
  return first !== undefined && (await readRole(calls, first[1])) === PARAGRAPH;
}
