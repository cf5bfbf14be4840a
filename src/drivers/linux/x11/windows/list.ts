import type { Tree } from 'x11';
import type { ListedWindow } from '../../processes.js';
import type { Atoms } from '../atoms.js';
import type { X11Client } from '../client.js';
import { type Monitor, type MonitorSource, readMonitors } from '../monitors.js';
import { readNumbers } from '../property.js';
import { describeWindow } from './describe-window.js';
import {
  getProperty,
  ownerBase,
  readFacts,
  readPids,
  readTopLevel,
  type TopLevel,
  type WindowFacts,
} from './properties.js';

interface ListContext {
  client: X11Client;
  atoms: Atoms;
  monitors: MonitorSource;
}

const MAX_WINDOWS = 4096;

/** The properties of the root window that a list depends on. */
export const ROOT_PROPERTIES = [
  '_NET_CLIENT_LIST_STACKING',
  '_NET_CLIENT_LIST',
  '_NET_ACTIVE_WINDOW',
  '_NET_SUPPORTING_WM_CHECK',
] as const satisfies readonly (keyof Atoms)[];

export interface WindowList {
  /** Front to back. */
  windows: ListedWindow[];
  screens: Monitor[];
  /**
   * Every change to this list is reported by an event of the root or of a window in it. If false, only a new list shows
   * changes.
   */
  isCoveredByEvents: boolean;
}

/**
 * Every top-level window, front to back. This takes one round trip if the windows are the same as last time, else
 * three, no matter how many windows there are (one more if a window manager nests deeper). No app answers any of these
 * requests, so a hung app cannot delay them.
 */
export async function listWindows({ client, atoms, monitors }: ListContext): Promise<WindowList> {
  const first = Promise.all([
    client.request<Tree>((x, reply) => x.QueryTree(client.root, reply)),
    readMonitors(client, monitors),
    Promise.all(ROOT_PROPERTIES.map((name) => getProperty(client, client.root, atoms[name], MAX_WINDOWS))),
  ]);
  const prefetch = new Prefetch(client, atoms);
  const [tree, screens, [stacking, list, activeWindow, check]] = await first;
  const wm = readNumbers(check)[0] ?? 0;
  const listed = [...new Set([...readNumbers(stacking), ...readNumbers(list)])];

  const [wmSelf, tops, listedFacts] = await Promise.all([
    wm ? prefetch.wmCheck(wm) : undefined,
    topLevels(prefetch, tree.children),
    Promise.all(listed.map((xid) => prefetch.facts(xid))),
  ]);
  // A dead window manager leaves its lists on the root. Only its own window proves that it is running.
  const managed = readNumbers(wmSelf)[0] === wm && wm !== 0;
  const clients = managed ? definedOnly(listedFacts) : await clientsWithoutEwmh(client, atoms, tops);
  const frames = await framesOf(client, clients, tops);

  const shown = new Set([...frames.values(), ...clients].map(({ xid }) => xid));
  const candidates = [...tops.values()].filter((top) => !shown.has(top.xid) && couldBePopup(top, client));
  const popupIds = candidates.map(({ xid }) => xid);
  const owners = [...clients.map(({ xid }) => xid), ...popupIds, wm];
  prefetch.remember({ tops: tree.children, facts: [...listed, ...popupIds], wm, owners });
  const [popupFacts, pids, focused] = await Promise.all([
    Promise.all(popupIds.map((xid) => prefetch.facts(xid))),
    prefetch.pids(owners),
    managed ? undefined : focusedClient(client, new Set(clients.map((facts) => facts.xid))),
  ]);
  const pidOf = (xid: number): number | undefined => pids.get(ownerBase(client, xid));
  // Windows of the window manager without a type are frames that were created after the list was read. Its menus have a
  // type.
  const ofManager = (xid: number): boolean => managed && pidOf(wm) !== undefined && pidOf(xid) === pidOf(wm);
  const popups = definedOnly(popupFacts).filter(({ xid, type, attributes }) =>
    ofManager(xid) ? readNumbers(type).length > 0 : attributes.overrideRedirect !== 0,
  );
  const active = managed ? readNumbers(activeWindow)[0] : focused;

  const windows = [...clients, ...popups].map((facts) =>
    describeWindow(facts, {
      atoms,
      active: facts.xid === active,
      frame: frames.get(facts.xid),
      monitors: screens,
      pid: pidOf(facts.xid),
    }),
  );
  const order = new Map(tree.children.map((xid, index) => [xid, index]));
  const stackIndex = (window: ListedWindow): number => order.get(frames.get(window.xid)?.xid ?? window.xid) ?? -1;
  // A minimised window is behind all others, although the server keeps its old stacking position.
  windows.sort((a, b) => Number(a.minimised) - Number(b.minimised) || stackIndex(b) - stackIndex(a));
  // No events arrive for candidates that are not windows yet, nor for windows that a window manager put between a
  // client and its frame.
  const areFramesKnown = clients.every(({ parent }) => parent === client.root || tops.has(parent));
  const areAllListed = clients.length === listed.length && popups.length === popupIds.length;
  // A window's process may not be known at first.
  const arePidsKnown = windows.every(({ pid }) => pid !== undefined);
  return {
    windows: withOwners(windows),
    screens,
    isCoveredByEvents: managed && areFramesKnown && areAllListed && arePidsKnown,
  };
}

async function topLevels(prefetch: Prefetch, xids: readonly number[]): Promise<Map<number, TopLevel>> {
  const read = await Promise.all(xids.map((xid) => prefetch.top(xid)));
  return new Map(definedOnly(read).map((top) => [top.xid, top]));
}

/** For each client, the child of the root that contains it, if that is another window. */
async function framesOf(client: X11Client, clients: readonly WindowFacts[], tops: ReadonlyMap<number, TopLevel>) {
  const frames = new Map<number, TopLevel>();
  await Promise.all(
    clients.map(async (facts) => {
      let holder = facts.parent;
      for (let depth = 0; depth < 8 && holder !== client.root && holder !== 0; depth += 1) {
        const top = tops.get(holder);
        if (top) {
          frames.set(facts.xid, top);
          return;
        }
        const child = holder;
        const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(child, reply));
        holder = tree?.parent ?? 0;
      }
    }),
  );
  return frames;
}

/** Without a window manager no window is "active", but keys still go to a client or to a window inside it. */
async function focusedClient(client: X11Client, clients: ReadonlySet<number>): Promise<number | undefined> {
  let { focus } = await client.request<{ focus: number }>((x, reply) => x.GetInputFocus(reply));
  for (let depth = 0; depth < 8 && focus > 1 && !clients.has(focus); depth += 1) {
    const child = focus;
    const tree = await client.requestIfExists<Tree>((x, reply) => x.QueryTree(child, reply));
    focus = tree?.parent ?? 0;
  }
  return clients.has(focus) ? focus : undefined;
}

function couldBePopup(top: TopLevel, client: X11Client): boolean {
  const { attributes, box } = top;
  const shown = attributes.klass === 1 && attributes.mapState === 2;
  if (!shown || box.width < 2 || box.height < 2) return false;
  const { pixel_width: width, pixel_height: height } = client.screen;
  return box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0;
}

/** Drops owners that are not in the list. A popup without an owner belongs to the frontmost window of its process. */
function withOwners(windows: ListedWindow[]): ListedWindow[] {
  const listedXids = new Set(windows.map((window) => window.xid));
  return windows.map((window) => {
    const { of, ...rest } = window;
    if (of !== undefined && of !== window.xid && listedXids.has(of)) return window;
    const owner =
      window.role === 'popup' && window.pid !== undefined
        ? windows.find((other) => other.pid === window.pid && other.role !== 'popup' && !other.minimised)
        : undefined;
    return owner ? { ...rest, of: owner.xid } : rest;
  });
}

function definedOnly<T>(items: readonly (T | undefined)[]): T[] {
  return items.filter((item) => item !== undefined);
}

/**
 * The windows of a display without a window manager, or with one that predates EWMH. The mapped children of the root
 * are the windows. If such a child is the frame of an old window manager, the client is the window inside it that has
 * WM_STATE.
 */
async function clientsWithoutEwmh(
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
    client.requestIfExists<Tree>((x, reply) => x.QueryTree(top.xid, reply)),
  ]);
  if (!own) return undefined;
  if (readNumbers(own.wmState).length === 0) {
    const states = await Promise.all(
      (tree?.children ?? []).slice(0, 32).map((xid) => getProperty(client, xid, atoms.WM_STATE)),
    );
    const inner = tree?.children[states.findIndex((state) => readNumbers(state).length > 0)];
    if (inner !== undefined) return readFacts(client, atoms, inner);
  }
  // The caller finds popups, which are the same with or without a window manager.
  return own.attributes.overrideRedirect ? undefined : own;
}

/** The windows that the last list was made from. */
interface LastList {
  tops: readonly number[];
  /** Clients and popups. */
  facts: readonly number[];
  /** The window manager's own window. */
  wm: number;
  /** All windows whose process was requested. */
  owners: readonly number[];
}

const LAST_LISTS = new WeakMap<X11Client, LastList>();

/**
 * Prefetches the facts of the windows that were in the last list. A list needs facts about windows that are known only
 * after the server has listed them, and mostly these are the same as last time. Requesting them in the same batch takes
 * one round trip instead of three. The data is as fresh as without the prefetch; facts that were not prefetched are
 * requested afterwards.
 */
class Prefetch {
  private readonly tops = new Map<number, Promise<TopLevel | undefined>>();
  private readonly windowFacts = new Map<number, Promise<WindowFacts | undefined>>();
  private readonly checks = new Map<number, ReturnType<typeof getProperty>>();
  private readonly owners: ReadonlySet<number>;
  private readonly processes: Promise<ReadonlyMap<number, number>> | undefined;

  constructor(
    private readonly client: X11Client,
    private readonly atoms: Atoms,
  ) {
    const last = LAST_LISTS.get(client);
    this.owners = new Set(last?.owners);
    if (!last) return;
    for (const xid of last.tops) this.tops.set(xid, ignoreRejection(readTopLevel(client, xid)));
    for (const xid of last.facts) this.windowFacts.set(xid, ignoreRejection(readFacts(client, atoms, xid)));
    if (last.wm) this.checks.set(last.wm, ignoreRejection(this.wmCheck(last.wm)));
    this.processes = ignoreRejection(readPids(client, last.owners));
  }

  top(xid: number): Promise<TopLevel | undefined> {
    return this.tops.get(xid) ?? readTopLevel(this.client, xid);
  }

  facts(xid: number): Promise<WindowFacts | undefined> {
    return this.windowFacts.get(xid) ?? readFacts(this.client, this.atoms, xid);
  }

  wmCheck(wm: number): ReturnType<typeof getProperty> {
    return this.checks.get(wm) ?? getProperty(this.client, wm, this.atoms._NET_SUPPORTING_WM_CHECK);
  }

  pids(xids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const foreseen = this.processes && xids.every((xid) => this.owners.has(xid));
    return foreseen ? this.processes : readPids(this.client, xids);
  }

  /** For the next list. */
  remember(last: LastList): void {
    LAST_LISTS.set(this.client, last);
  }
}

/** A prefetched fact may stay unused. Then it does not matter that its request failed because the server went away. */
function ignoreRejection<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => undefined);
  return asked;
}
