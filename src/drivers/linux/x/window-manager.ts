import { cleanName } from '../../../tree/index.js';
import type { Atoms } from './atoms.js';
import { numbersOf, textOf } from './property.js';
import { getProperty } from './window-facts.js';
import type { X11Client } from './x11-client.js';

/** Name of the window manager that runs now; undefined when there is none that follows EWMH. */
export async function windowManagerName(client: X11Client, atoms: Atoms): Promise<string | undefined> {
  const window = numbersOf(await getProperty(client, client.root, atoms._NET_SUPPORTING_WM_CHECK))[0];
  if (!window) return undefined;
  const [self, name] = await Promise.all([
    getProperty(client, window, atoms._NET_SUPPORTING_WM_CHECK),
    getProperty(client, window, atoms._NET_WM_NAME),
  ]);
  if (numbersOf(self)[0] !== window) return undefined;
  return cleanName(textOf(name, atoms) || 'without a name').text;
}
