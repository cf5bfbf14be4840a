import type { Deadline } from '../../../shared/index.js';
import { DesktopError } from '../../../shared/index.js';
import { parseKeys } from '../../contract/index.js';
import { ACTION, isActions, isString, parseElementId, readAttributes } from '../atspi/accessible.js';
import type { AppCalls } from '../atspi/app-connection.js';
import type { Apps } from '../atspi/apps.js';
import { withAppErrors } from './window-tree.js';

/** The keys that activate each of the elements, which are all of one app. Cells without an object have none. */
export async function readKeyBindings(apps: Apps, ids: readonly string[], deadline: Deadline): Promise<string[][]> {
  const paths = ids.map((id) => parseElementId(id)).map((one) => (one?.row === undefined ? one?.address : undefined));
  const bus = paths.find((one) => one !== undefined)?.[0];
  if (bus === undefined) return paths.map(() => []);
  const link = await apps.connectByBusName(bus, deadline);
  return withAppErrors(link, async () => {
    const calls = link.until(deadline);
    return Promise.all(paths.map(async (one) => (one ? readBindings(calls, one[1]) : [])));
  });
}

async function readBindings(calls: AppCalls, path: string): Promise<string[]> {
  const isPage = ['chromium', 'gecko', 'other'].includes(calls.app.toolkit.name);
  const [answer, attributes] = await Promise.all([
    calls.maybe(calls.call(path, ACTION, 'GetActions')),
    isPage ? readAttributes(calls, path) : undefined,
  ]);
  const actions = calls.understood(answer?.[0], isActions) ?? [];
  const listed = [...actions.slice(0, 50).map(([, , keys]) => keys), attributes?.get('keyshortcuts')];
  return [...new Set(listed.filter(isString).flatMap(chordsIn))];
}

/** Names of keys in bindings that differ from ours. */
const KEYS: Readonly<Record<string, string>> = { primary: 'ctrl', control: 'ctrl', super: 'meta', hyper: 'meta' };

/**
 * The chords in a key binding: `<Primary><Shift>s` in GTK, `Ctrl+Shift+S` in Qt, `Control+S` in `aria-keyshortcuts`.
 * GTK 3 lists mnemonic, path through the menus and accelerator: `s;<Alt>f:s;<Primary>s`. A path is no chord. A letter
 * alone is a mnemonic, or the access key of a page.
 */
export function chordsIn(binding: string): string[] {
  // A page can make it as long as it likes.
  return binding
    .slice(0, 400)
    .split(/[;,\s]+/u)
    .flatMap((one) => chordIn(one) ?? []);
}

function chordIn(text: string): string | undefined {
  if (text === '' || /.:./u.test(text)) return undefined;
  if ([...text].length === 1) return `alt+${text.toLowerCase()}`;
  const parts = [...text.matchAll(/<(\w+)>/gu)].map(([, modifier]) => modifier!);
  const rest = text.replace(/<\w+>/gu, '');
  const key = rest.endsWith('++') ? '+' : (rest.split('+').at(-1) ?? '');
  const held = [...parts, ...rest.slice(0, Math.max(0, rest.length - key.length - 1)).split('+')].filter(Boolean);
  const word = [...held.map((one) => KEYS[one.toLowerCase()] ?? one), key].join('+');
  try {
    return parseKeys(word)
      .map(({ modifiers, key: pressed }) => [...modifiers, pressed].join('+'))
      .at(0);
  } catch (error) {
    // A key that cannot be pressed here by name.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}
