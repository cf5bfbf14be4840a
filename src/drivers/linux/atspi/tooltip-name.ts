import { cleanName, INTERACTIVE_ROLES, RANGE_ROLES, type Node, type Role } from '../../../tree/index.js';
import type { AppCalls } from './app-link.js';
import { ACCESSIBLE } from './interfaces.js';
import { asAddress, readAttributes, readChildCount, readString } from './raw-element.js';

const MOST = 80;
/** `[Escape]`, `(Ctrl+Alt+2)`, `(F3)`: how to reach it by key, which is not what it is called. */
const KEYS =
  /\s*[([](?:(?:Ctrl|Control|Alt|Shift|Super|Meta)\+\S{1,12}|F\d{1,2}|Esc|Escape|Del|Delete|Enter|Return|Space|Tab|[^\s\w])[)\]]$/;

/**
 * Buttons with an icon and no name say what they are in their tooltip. GTK 3 hangs a tool button's tooltip on the box
 * around it. A range's description is its number once more.
 */
export async function nameFromTooltip(calls: AppCalls, path: string, node: Node): Promise<string | undefined> {
  if (!INTERACTIVE_ROLES.has(node.role) || RANGE_ROLES.has(node.role)) return undefined;
  const own = firstWords(calls, await readString(calls, path, ACCESSIBLE, 'Description'));
  if (own !== '' || !IN_TOOL_ITEMS.has(node.role) || !calls.app.toolkit.tooltipAround) return own || undefined;
  const parent = asAddress(await calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')));
  if (parent?.[0] !== calls.app.busName || (await readChildCount(calls, parent[1])) !== 1) return undefined;
  return firstWords(calls, await readString(calls, parent[1], ACCESSIBLE, 'Description')) || undefined;
}

const IN_TOOL_ITEMS: ReadonlySet<Role> = new Set(['button', 'togglebutton', 'menubutton', 'radio', 'checkbox']);

/** The grey words in an empty field, where nothing else names it; else its tooltip. */
export async function nameOfField(calls: AppCalls, path: string): Promise<string | undefined> {
  const placeholder = (await readAttributes(calls, path)).get('placeholder-text') ?? '';
  return firstWords(calls, placeholder || (await readString(calls, path, ACCESSIBLE, 'Description'))) || undefined;
}

function firstWords(calls: AppCalls, raw: string): string {
  // Tooltips of Qt may be rich text.
  const plain = calls.app.toolkit.name === 'qt' ? raw.replace(/<[^<>]{1,200}>/g, '') : raw;
  const line = plain.trim().split('\n', 1)[0]!.replace(KEYS, '');
  return cleanName(line, MOST).text.trim();
}
