import type { TitleChange } from '../../../contract/index.js';
import type { Atoms } from '../atoms.js';
import { getProperty } from './properties.js';
import { windowIdOf } from './window.js';
import { readTitle } from './describe-window.js';
import type { X11Client } from '../client.js';

/** If more titles than this change between two lists, the history reports that it is incomplete. */
const MAX_CHANGES = 500;
const TITLE_WORDS = 4096;

/**
 * The titles of windows between two lists; a list only shows the moment when it was made. The server reports each
 * change without the new text, so the text is requested at once. Events and replies arrive in the order in which things
 * happened. If a second change arrives before the reply, the text of the first is lost.
 */
export class TitleHistory {
  private changes: TitleChange[] = [];
  /** Changes since the request was sent, by window, then by property. The two properties together are one title. */
  private readonly pendingChanges = new Map<number, Map<number, number>>();
  private readonly pendingReads = new Set<Promise<void>>();
  /** How many changes were reported so far, and the number of the last one for each window. */
  private count = 0;
  private readonly lastChange = new Map<string, number>();

  constructor(
    private readonly client: X11Client,
    private readonly atoms: Atoms,
  ) {}

  /** True if the property is part of the title. */
  handleChange(xid: number, atom: number): boolean {
    if (atom !== this.atoms._NET_WM_NAME && atom !== this.atoms.WM_NAME) return false;
    if (this.lastChange.size > MAX_CHANGES) this.lastChange.clear();
    this.lastChange.set(windowIdOf(xid), ++this.count);
    const counts = this.pendingChanges.get(xid);
    if (counts) counts.set(atom, (counts.get(atom) ?? 0) + 1);
    else this.requestTitle(xid, atom);
    return true;
  }

  /** To be passed to `changedSince`. */
  get now(): number {
    return this.count;
  }

  /** Whether this window, or any window if none is given, got a new title since then. Await `known` first. */
  changedSince(then: number, window: string | undefined): boolean {
    return (window === undefined ? this.count : (this.lastChange.get(window) ?? 0)) > then;
  }

  /** Resolves when the text of every reported change is known. */
  async waitForTitles(): Promise<void> {
    await this.client.sync();
    while (this.pendingReads.size > 0) await Promise.all(this.pendingReads);
  }

  /** The changes since the last call. */
  takeChanges(): TitleChange[] {
    const changes = this.changes;
    this.changes = [];
    return changes;
  }

  private requestTitle(xid: number, atom: number): void {
    const counts = new Map([[atom, 1]]);
    this.pendingChanges.set(xid, counts);
    const read = this.read(xid, counts).finally(() => this.pendingReads.delete(read));
    this.pendingReads.add(read);
  }

  private async read(xid: number, counts: ReadonlyMap<number, number>): Promise<void> {
    const { client, atoms } = this;
    // A lost connection is reported to the code that lists windows.
    const readTitleProperty = (atom: number) => getProperty(client, xid, atom, TITLE_WORDS).catch(() => undefined);
    const [net, plain] = await Promise.all([readTitleProperty(atoms._NET_WM_NAME), readTitleProperty(atoms.WM_NAME)]);
    this.pendingChanges.delete(xid);
    const window = windowIdOf(xid);
    if ([...counts.values()].some((count) => count > 1)) this.add({ window });
    const { title, fullTitle: whole = title } = readTitle([net, plain], atoms);
    this.add({ window, title: whole });
  }

  private add(title: TitleChange): void {
    if (this.changes.length < MAX_CHANGES) this.changes.push(title);
    else this.changes = [{ window: title.window }];
  }
}
