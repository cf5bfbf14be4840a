import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { Node } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import { stale } from '../atspi/ancestors.js';
import type { Parts } from '../driver.js';
import { MARKER } from '../private-desktop/home.js';
import { type Environment, openApps } from '../session-bus.js';

const OPEN_MS = 5000;
const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** So often it is tried without being asked; after that only when somebody calls. */
const UNASKED = 8;
/** After so many attempts in vain it is said that it does not come back. */
const PATIENCE = 3;

/** The accessibility bus, opened again when it was lost: at the next call, and now and then by itself. */
export class BusAgain {
  private opening?: Promise<void>;
  private failures = 0;
  private triedAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(
    private readonly parts: Parts,
    /** The new one is in its place. */
    private readonly opened: () => void,
    private readonly open = openApps,
  ) {
    this.attend();
  }

  get lost(): boolean {
    return this.parts.apps?.bus.closed === true;
  }

  /** What to tell whoever needs the bus while it is gone. */
  get error(): DesktopError {
    if (this.failures < PATIENCE) {
      return new DesktopError('driver_unavailable', 'The accessibility bus is gone.', {
        hint: 'Try again: it is being opened anew.',
      });
    }
    return new DesktopError('driver_unavailable', 'The accessibility bus ended and does not come back.', {
      hint: this.parts.env[MARKER]
        ? 'Start the desktop again: deskproof desktop stop, then deskproof desktop start'
        : 'deskproof doctor tells what is missing; else log in again.',
    });
  }

  /** Resolves when the bus is there, or could not be opened now. Attempts have time between them. */
  async reach(deadline: Deadline): Promise<void> {
    if (!this.lost || this.closed) return;
    if (!this.opening && performance.now() - this.triedAt < this.waitMs) return;
    await deadline.race(this.attempt(), 'Opening the accessibility bus');
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private get waitMs(): number {
    return this.failures === 0 ? 0 : Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1));
  }

  private attempt(): Promise<void> {
    this.opening ??= this.openAnew().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async openAnew(): Promise<void> {
    this.triedAt = performance.now();
    clearTimeout(this.timer);
    try {
      const { apps, busAddress } = await this.open(this.anew(), Deadline.in(OPEN_MS));
      if (this.closed) return apps.bus.close();
      this.parts.apps?.close();
      apps.replaced = true;
      this.parts.era.next();
      Object.assign(this.parts, { apps, busAddress });
      this.failures = 0;
      this.attend();
      this.opened();
    } catch (error) {
      this.failures++;
      debug('atspi', () => `the bus could not be opened again: ${String(error)}`);
      if (this.failures < UNASKED) this.later();
    }
  }

  /** An address that was given may be that of the bus which ended; its launcher knows the new one. */
  private anew(): Environment {
    return this.failures % 2 === 0 ? this.parts.env : { ...this.parts.env, AT_SPI_BUS_ADDRESS: undefined };
  }

  private attend(): void {
    const { apps } = this.parts;
    apps?.bus.onClose(() => {
      if (this.parts.apps === apps) this.later();
    });
  }

  private later(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    // A desktop that ends takes its bus with it, and nobody should start another then; so not at once.
    this.timer = setTimeout(() => void this.attempt(), Math.max(FIRST_WAIT_MS, this.waitMs));
    this.timer.unref();
  }
}

/**
 * A bus that was restarted gives the names of the one before to other apps. So ids are marked with how often that
 * happened, and an id from before means nothing any more.
 */
export class IdEra {
  private era = 0;

  next(): void {
    this.era++;
  }

  /** As callers know it. Ids of windows are the display's and stay as they are. */
  out(id: string): string {
    return this.era > 0 && id.startsWith(':') ? `${this.era}${id}` : id;
  }

  /** As the bus knows it; `stale_ref` for what is from before. */
  in(id: string): string {
    const [, era, rest] = /^(\d*)(:.*)$/s.exec(id) ?? [];
    if (rest === undefined) return id;
    if (era !== (this.era === 0 ? '' : String(this.era))) throw stale();
    return rest;
  }

  answer(answer: ReadAnswer): ReadAnswer {
    return this.era === 0 ? answer : { ...answer, root: this.node(answer.root) };
  }

  nodes(nodes: Node[]): Node[] {
    return this.era === 0 ? nodes : nodes.map((node) => this.node(node));
  }

  private node(node: Node): Node {
    const { id, labelId, children } = node;
    return {
      ...node,
      id: this.out(id),
      ...(labelId !== undefined && { labelId: this.out(labelId) }),
      children: this.nodes(children),
    };
  }
}
