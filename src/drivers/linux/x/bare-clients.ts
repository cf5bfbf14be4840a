import type { Tree } from 'x11';
import type { Atoms } from './atoms.js';
import { numbersOf } from './property.js';
import { getProperty, readFacts, type TopLevel, type WindowFacts } from './window-facts.js';
import type { X11Client } from './x11-client.js';

/**
 * Windows of a display without a window manager, or with one from before EWMH. Mapped children of the root are the
 * windows; where such a child is an old window manager's frame, the client is the one inside that has WM_STATE.
 */
export async function clientsWithoutEwmh(
  client: X11Client,
  atoms: Atoms,
  tops: ReadonlyMap<number, TopLevel>,
): Promise<WindowFacts[]> {
  const shown = [...tops.values()].filter(
    ({ attributes, box }) => attributes.klass === 1 && attributes.mapState === 2 && box.width > 1 && box.height > 1,
  );
  const found = await Promise.all(shown.map((top) => clientIn(client, atoms, top)));
  return found.filter((facts) => facts !== undefined);
}

async function clientIn(client: X11Client, atoms: Atoms, top: TopLevel): Promise<WindowFacts | undefined> {
  const [own, tree] = await Promise.all([
    readFacts(client, atoms, top.xid),
    client.askGone<Tree>((x, reply) => x.QueryTree(top.xid, reply)),
  ]);
  if (!own) return undefined;
  if (numbersOf(own.wmState).length === 0) {
    const states = await Promise.all(
      (tree?.children ?? []).slice(0, 32).map((xid) => getProperty(client, xid, atoms.WM_STATE)),
    );
    const inner = tree?.children[states.findIndex((state) => numbersOf(state).length > 0)];
    if (inner !== undefined) return readFacts(client, atoms, inner);
  }
  // Popups are found by the caller, and are the same with or without a window manager.
  return own.attributes.overrideRedirect ? undefined : own;
}
