import { cleanName, quote, roleFromAtspi, type Role } from '../../../tree/index.js';
import { ACCESSIBLE } from '../atspi/interfaces.js';
import { readChildCount, readChildren, readRole, readString, type Address } from '../atspi/raw-element.js';
import type { AppCalls } from '../atspi/app-link.js';
import { byAction } from './by-action.js';
import { setText } from './by-text.js';
import type { Already, Deed } from './deed.js';
import { notReady } from './refusals.js';
import { readSubject, type Subject } from './subject.js';

const MOST_OPTIONS = 1000;
const OPTIONS: ReadonlySet<Role> = new Set(['menuitem', 'option', 'listitem']);
const BETWEEN: ReadonlySet<Role> = new Set(['menu', 'list', 'listbox', 'popup', 'group']);

/**
 * A combo box gets a value by its option of that name, without being opened: GTK 3 and Chromium do it. Qt's options
 * answer true and do nothing, GTK 4 tells no names: there it is left to mouse and keys. One that is typed into has a
 * field of its own.
 */
export async function chooseOption(combo: Subject, name: string): Promise<Deed | Already | undefined> {
  const { calls, path } = combo;
  if (calls.app.toolkit.name === 'qt') return undefined;
  const inside = await partsOf(calls, path);
  const fields = inside.filter(({ role }) => role === 'textbox');
  const option = await named(calls, await optionsIn(calls, inside), name);
  if (option) {
    const subject = await readSubject(calls, { address: option });
    if (!subject.enabled && calls.app.toolkit.name === 'chromium')
      throw notReady(`has an option ${quote(name)}, but it is disabled`);
    if (!subject.enabled) return undefined;
    return byAction(subject, 'select');
  }
  if (fields.length !== 1) return undefined;
  return setText(await readSubject(calls, { address: fields[0]!.address }), name);
}

interface Part {
  address: Address;
  role: Role;
}

async function partsOf(calls: AppCalls, path: string): Promise<Part[]> {
  const count = await readChildCount(calls, path);
  if (count === 0 || count > MOST_OPTIONS) return [];
  const children = await readChildren(calls, path);
  return Promise.all(
    children.map(async (address) => ({ address, role: roleFromAtspi(await readRole(calls, address[1])) })),
  );
}

async function optionsIn(calls: AppCalls, parts: readonly Part[]): Promise<Address[]> {
  const own = parts.filter(({ role }) => OPTIONS.has(role));
  if (own.length > 0) return own.map(({ address }) => address);
  for (const { address, role } of parts) {
    if (!BETWEEN.has(role)) continue;
    const below = (await partsOf(calls, address[1])).filter((part) => OPTIONS.has(part.role));
    if (below.length > 0) return below.map((part) => part.address);
  }
  return [];
}

/** Exactly one of that name: two that read the same are not told apart by a guess. */
async function named(calls: AppCalls, options: readonly Address[], name: string): Promise<Address | undefined> {
  const names = await Promise.all(options.map(([, path]) => readString(calls, path, ACCESSIBLE, 'Name')));
  const fits = options.filter((_, index) => cleanName(names[index]!).text.trim() === name.trim());
  return fits.length === 1 ? fits[0] : undefined;
}
