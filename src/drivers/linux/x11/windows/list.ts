import type { Tree } from 'x11';
import type { ListedWindow } from '../../processes.js';
import type { Atoms } from '../atoms.js';
import type { X11Client } from '../client.js';
import { type Monitor, type MonitorSource, readMonitors } from '../monitors.js';
import { numbersOf } from '../property.js';
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

export interface ListContext {
  client: X11Client;
  atoms: Atoms;
  monitors: MonitorSource;
}

const MAX_WINDOWS = 4096;

/** Of the root: what a list depends on besides the windows in it. */
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
  /** Whatever would change it is told by an event of the root or of a window in it; else only a new list tells. */
  told: boolean;
}

/**
 * Every top-level window, front to back. Where they are the same as the last time it is one round trip, else three,
 * whatever their number (a window manager that nests deeper costs one more), and none of them is answered by an app, so
 * a hung app costs nothing.
 */
export async function listWindows({ client, atoms, monitors }: ListContext): Promise<WindowList> {
  const first = Promise.all([
    client.ask<Tree>((x, reply) => x.QueryTree(client.root, reply)),
    readMonitors(client, monitors),
    Promise.all(ROOT_PROPERTIES.map((name) => getProperty(client, client.root, atoms[name], MAX_WINDOWS))),
  ]);
  const ahead = new AskAhead(client, atoms);
  const [tree, screens, [stacking, list, activeWindow, check]] = await first;
  const wm = numbersOf(check)[0] ?? 0;
  const listed = [...new Set([...numbersOf(stacking), ...numbersOf(list)])];

  const [wmSelf, tops, listedFacts] = await Promise.all([
    wm ? ahead.check(wm) : undefined,
    topLevels(ahead, tree.children),
    Promise.all(listed.map((xid) => ahead.facts(xid))),
  ]);
  // A dead window manager leaves its lists on the root; only its own window proves that it lives.
  const managed = numbersOf(wmSelf)[0] === wm && wm !== 0;
  const clients = managed ? present(listedFacts) : await clientsWithoutEwmh(client, atoms, tops);
  const frames = await framesOf(client, clients, tops);

  const taken = new Set([...frames.values(), ...clients].map(({ xid }) => xid));
  const candidates = [...tops.values()].filter((top) => !taken.has(top.xid) && couldBePopup(top, client));
  const popupIds = candidates.map(({ xid }) => xid);
  const owners = [...clients.map(({ xid }) => xid), ...popupIds, wm];
  ahead.remember({ tops: tree.children, facts: [...listed, ...popupIds], wm, owners });
  const [popupFacts, pids, focused] = await Promise.all([
    Promise.all(popupIds.map((xid) => ahead.facts(xid))),
    ahead.pids(owners),
    managed ? undefined : focusedClient(client, new Set(clients.map((facts) => facts.xid))),
  ]);
  const pidOf = (xid: number): number | undefined => pids.get(ownerBase(client, xid));
  // The window manager's own windows without a type are frames that came after the list was read; its menus have one.
  const ofManager = (xid: number): boolean => managed && pidOf(wm) !== undefined && pidOf(xid) === pidOf(wm);
  const popups = present(popupFacts).filter(({ xid, type, attributes }) =>
    ofManager(xid) ? numbersOf(type).length > 0 : attributes.overrideRedirect !== 0,
  );
  const active = managed ? numbersOf(activeWindow)[0] : focused;

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
  const place = (window: ListedWindow): number => order.get(frames.get(window.xid)?.xid ?? window.xid) ?? -1;
  // What is minimised is in front of nothing, though the server keeps its old place.
  windows.sort((a, b) => Number(a.minimised) - Number(b.minimised) || place(b) - place(a));
  // Of what is no window yet, and of what a manager has put between a window and its frame, nobody hears.
  const near = clients.every(({ parent }) => parent === client.root || tops.has(parent));
  const all = clients.length === listed.length && popups.length === popupIds.length;
  // Whose a window is may not be known at once.
  const owned = windows.every(({ pid }) => pid !== undefined);
  return { windows: withOwners(windows), screens, told: managed && near && all && owned };
}

async function topLevels(ahead: AskAhead, xids: readonly number[]): Promise<Map<number, TopLevel>> {
  const read = await Promise.all(xids.map((xid) => ahead.top(xid)));
  return new Map(present(read).map((top) => [top.xid, top]));
}

/** For each client the child of the root that holds it, when that is another window. */
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
        const tree = await client.askGone<Tree>((x, reply) => x.QueryTree(child, reply));
        holder = tree?.parent ?? 0;
      }
    }),
  );
  return frames;
}

/** Without a window manager nothing is "active", but keys go somewhere: to a client or to a window inside of it. */
async function focusedClient(client: X11Client, clients: ReadonlySet<number>): Promise<number | undefined> {
  let { focus } = await client.ask<{ focus: number }>((x, reply) => x.GetInputFocus(reply));
  for (let depth = 0; depth < 8 && focus > 1 && !clients.has(focus); depth += 1) {
    const child = focus;
    const tree = await client.askGone<Tree>((x, reply) => x.QueryTree(child, reply));
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

/** Drops owners that are not listed; a popup that names none belongs to its program's frontmost window. */
function withOwners(windows: ListedWindow[]): ListedWindow[] {
  const known = new Set(windows.map((window) => window.xid));
  return windows.map((window) => {
    const { of, ...rest } = window;
    if (of !== undefined && of !== window.xid && known.has(of)) return window;
    const owner =
      window.role === 'popup' && window.pid !== undefined
        ? windows.find((other) => other.pid === window.pid && other.role !== 'popup' && !other.minimised)
        : undefined;
    return owner ? { ...rest, of: owner.xid } : rest;
  });
}

function present<T>(items: readonly (T | undefined)[]): T[] {
  return items.filter((item) => item !== undefined);
}

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

/** Which windows the last list was made from. */
export interface LastList {
  tops: readonly number[];
  /** Clients and popups. */
  facts: readonly number[];
  /** The window manager's own. */
  wm: number;
  /** All whose process was asked for. */
  owners: readonly number[];
}

const LAST = new WeakMap<X11Client, LastList>();

/**
 * What a list needs to know of its windows is known only once the server has told which there are. Mostly they are those
 * of the last time: these are asked about in the same breath, so that a list takes one round trip instead of three. It
 * is all as new as it would be otherwise; what was not foreseen is asked afterwards.
 */
export class AskAhead {
  private readonly tops = new Map<number, Promise<TopLevel | undefined>>();
  private readonly known = new Map<number, Promise<WindowFacts | undefined>>();
  private readonly checks = new Map<number, ReturnType<typeof getProperty>>();
  private readonly owners: ReadonlySet<number>;
  private readonly processes: Promise<ReadonlyMap<number, number>> | undefined;

  constructor(
    private readonly client: X11Client,
    private readonly atoms: Atoms,
  ) {
    const last = LAST.get(client);
    this.owners = new Set(last?.owners);
    if (!last) return;
    for (const xid of last.tops) this.tops.set(xid, unneeded(readTopLevel(client, xid)));
    for (const xid of last.facts) this.known.set(xid, unneeded(readFacts(client, atoms, xid)));
    if (last.wm) this.checks.set(last.wm, unneeded(this.check(last.wm)));
    this.processes = unneeded(readPids(client, last.owners));
  }

  top(xid: number): Promise<TopLevel | undefined> {
    return this.tops.get(xid) ?? readTopLevel(this.client, xid);
  }

  facts(xid: number): Promise<WindowFacts | undefined> {
    return this.known.get(xid) ?? readFacts(this.client, this.atoms, xid);
  }

  check(wm: number): ReturnType<typeof getProperty> {
    return this.checks.get(wm) ?? getProperty(this.client, wm, this.atoms._NET_SUPPORTING_WM_CHECK);
  }

  pids(xids: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const foreseen = this.processes && xids.every((xid) => this.owners.has(xid));
    return foreseen ? this.processes : readPids(this.client, xids);
  }

  /** For the next list. */
  remember(last: LastList): void {
    LAST.set(this.client, last);
  }
}

/** Nobody may ask for it, and then nobody minds that the server went away meanwhile. */
function unneeded<T>(asked: Promise<T>): Promise<T> {
  asked.catch(() => undefined);
  return asked;
}
