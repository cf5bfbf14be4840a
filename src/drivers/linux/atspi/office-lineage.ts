import type { AppCalls } from './app-link.js';
import type { Ancestor } from './lineage.js';
import { readAttributes, readChildCount, readChildren, readRole, type Address } from './raw-element.js';
import { readTopLevels } from './top-level.js';

const ROOT_PANE = 46;
const MENU_BAR = 34;
/** From the frame to the pane that LibreOffice draws itself: frame, box, box. */
const LEVELS = 4;
/** A frame has a dozen hidden boxes beside the one that counts. */
const MOST_CHILDREN = 60;

/**
 * The way up from an element of LibreOffice leaves out the GTK boxes around its pane, and may end at a frame that is
 * none of the app's windows. The pane itself tells the window: from there down to the pane the way is right.
 */
export async function throughPane(calls: AppCalls, line: Ancestor[]): Promise<Ancestor[]> {
  const at = line.findIndex(({ roleNumber }) => roleNumber === ROOT_PANE);
  if (at < 0) return line;
  const pane = line[at]!.address[1];
  const inside = await Promise.all(line.slice(at + 1).map((one) => markNative(calls, one)));
  for (const { address } of await readTopLevels(calls)) {
    const way = await wayToPane(calls, address, LEVELS);
    if (way?.at(-1)?.address[1] === pane) return [...way, ...inside];
  }
  return [...line.slice(0, at + 1), ...inside];
}

/** GTK's own widgets report true places in the midst of LibreOffice's, which do not. */
async function markNative(calls: AppCalls, one: Ancestor): Promise<Ancestor> {
  const native = (await readAttributes(calls, one.address[1])).get('toolkit') === 'gtk';
  return native ? { ...one, native } : one;
}

async function wayToPane(calls: AppCalls, address: Address, levels: number): Promise<Ancestor[] | undefined> {
  const roleNumber = await readRole(calls, address[1]);
  if (roleNumber === ROOT_PANE) return [{ address, roleNumber }];
  if (levels === 0 || roleNumber === MENU_BAR) return undefined;
  const count = await readChildCount(calls, address[1]);
  if (count === 0 || count > MOST_CHILDREN) return undefined;
  for (const child of await readChildren(calls, address[1])) {
    const way = await wayToPane(calls, child, levels - 1);
    if (way) return [{ address, roleNumber }, ...way];
  }
  return undefined;
}
