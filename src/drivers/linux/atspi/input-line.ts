import type { Node } from '../../../tree/index.js';
import { cleanName } from '../../../tree/index.js';
import { ACCESSIBLE } from './interfaces.js';
import { childPlace, seenPart } from './place.js';
import { idOf, readChildCount, readChildren, readExtents, readRole, readString, type Address } from './raw-element.js';
import { readFieldText } from './text.js';
import type { Above, Walk } from './walk.js';

const PANEL = 39;
const PARAGRAPH = 73;
/** The line grows with what is in it; a cell's text of more paragraphs is cut here. */
const MOST_PARAGRAPHS = 20;

/**
 * LibreOffice Calc calls the line in which one edits a cell defunct, though it is there for everyone to see: a named
 * panel with living paragraphs. What is really gone has neither.
 */
export async function readInputLine(walk: Walk, address: Address, above: Above): Promise<Node | undefined> {
  const { calls } = walk;
  const path = address[1];
  if (!(await isInputLine(walk.calls, path))) return undefined;
  const [rawName, extents, paragraphs] = await Promise.all([
    readString(calls, path, ACCESSIBLE, 'Name'),
    readExtents(calls, path),
    readChildren(calls, path),
  ]);
  const texts = await Promise.all(
    paragraphs.slice(0, MOST_PARAGRAPHS).map(async (paragraph) => readFieldText(calls, paragraph[1], false)),
  );
  const seen = seenPart(childPlace(calls.app.toolkit, above.place, PANEL, extents));
  if (!seen && !walk.options.full && !above.wanted) return undefined;
  walk.count++;
  const name = cleanName(rawName).text.trim();
  return {
    id: idOf(address),
    role: 'textbox',
    ...(name !== '' && { name }),
    value: texts.map((text) => text?.text ?? '').join('\n'),
    ...(seen && { bounds: seen }),
    states: {
      enabled: above.enabled,
      visible: true,
      editable: true,
      focusable: true,
      ...(!seen && { offscreen: true }),
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
