import { WHOLE } from '../../../../tree/index.js';
import type { TitleChange } from '../../../contract/index.js';
import type { Atoms } from '../atoms.js';
import { getProperty } from './properties.js';
import { windowIdOf } from './window.js';
import { titleOf } from './describe-window.js';
import type { X11Client } from '../client.js';

/** More than this between two lists is a storm: then it is said that not all are known. */
const MOST = 500;
const TITLE_WORDS = 4096;

/**
 * What windows were called between two lists, which tell no more than the moment they were made. Each change is told by
 * the server without its words; those are asked for at once. Events and answers come in the order of what happened, so
 * a second change before the answer means that nobody will ever know the words of the first.
 */
export class PassedTitles {
  private passed: TitleChange[] = [];
  /** Changes since the question was sent, by window, then by property: the two of them together are one title. */
  private readonly asking = new Map<number, Map<number, number>>();
  private readonly open = new Set<Promise<void>>();
  /** How many changes were told so far, and which of them was the last of each window. */
  private count = 0;
  private readonly last = new Map<string, number>();

  constructor(
    private readonly client: X11Client,
    private readonly atoms: Atoms,
  ) {}

  /** True when the property is one that titles are made of. */
  changed(xid: number, atom: number): boolean {
    if (atom !== this.atoms._NET_WM_NAME && atom !== this.atoms.WM_NAME) return false;
    if (this.last.size > MOST) this.last.clear();
    this.last.set(windowIdOf(xid), ++this.count);
    const counts = this.asking.get(xid);
    if (counts) counts.set(atom, (counts.get(atom) ?? 0) + 1);
    else this.ask(xid, atom);
    return true;
  }

  /** For `changedSince`. */
  get now(): number {
    return this.count;
  }

  /** Whether this window, or any where none is named, was given a title since then. Ask when all are `known`. */
  changedSince(then: number, window: string | undefined): boolean {
    return (window === undefined ? this.count : (this.last.get(window) ?? 0)) > then;
  }

  /** Resolves when the words of every change that was told are known. */
  async known(): Promise<void> {
    await this.client.sync();
    while (this.open.size > 0) await Promise.all(this.open);
  }

  /** Since the last time. */
  take(): TitleChange[] {
    const taken = this.passed;
    this.passed = [];
    return taken;
  }

  private ask(xid: number, atom: number): void {
    const counts = new Map([[atom, 1]]);
    this.asking.set(xid, counts);
    const read = this.read(xid, counts).finally(() => this.open.delete(read));
    this.open.add(read);
  }

  private async read(xid: number, counts: ReadonlyMap<number, number>): Promise<void> {
    const { client, atoms } = this;
    const words = (atom: number) => getProperty(client, xid, atom, TITLE_WORDS).catch(() => undefined); // Lost: whoever lists hears of that.
    const [net, plain] = await Promise.all([words(atoms._NET_WM_NAME), words(atoms.WM_NAME)]);
    this.asking.delete(xid);
    const window = windowIdOf(xid);
    if ([...counts.values()].some((count) => count > 1)) this.add({ window });
    const { title, [WHOLE]: whole = title } = titleOf([net, plain], atoms);
    this.add({ window, title: whole });
  }

  private add(title: TitleChange): void {
    if (this.passed.length < MOST) this.passed.push(title);
    else this.passed = [{ window: title.window }];
  }
}
