import type { Atoms } from './atoms.js';
import { getProperty, readFacts, readTopLevel, type TopLevel, type WindowFacts } from './window-facts.js';
import { readPids } from './window-pids.js';
import type { X11Client } from './x11-client.js';

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
