import { Deadline, debug, DesktopError } from '../../../shared/index.js';
import type { Node } from '../../../tree/index.js';
import type { ReadAnswer } from '../../contract/index.js';
import { staleRefError } from '../atspi/ancestors.js';
import type { DriverParts } from '../capabilities.js';
import { MARKER } from '../private-desktop/home.js';
import { type Environment, openApps } from '../session-bus.js';

const OPEN_MS = 5000;
const FIRST_WAIT_MS = 250;
const MAX_WAIT_MS = 10_000;
/** Limit of attempts in the background; after that only a call tries again. */
const MAX_BACKGROUND_ATTEMPTS = 8;
/** After this many failures the error says that the bus does not come back. */
const ATTEMPTS_BEFORE_GIVING_UP = 3;

/** Reconnects to the accessibility bus after it was lost: at the next call, and from time to time in the background. */
export class BusReconnector {
  private opening?: Promise<void>;
  private failures = 0;
  private triedAt = -Infinity;
  private timer?: NodeJS.Timeout;
  private closed = false;

  constructor(
    private readonly parts: DriverParts,
    /** Called when the new connection is in place. */
    private readonly onReconnected: () => void,
    private readonly open = openApps,
  ) {
    this.watchForClose();
  }

  get lost(): boolean {
    return this.parts.apps?.bus.closed === true;
  }

  /** The error for calls that need the bus while it is gone. */
  get error(): DesktopError {
    if (this.failures < ATTEMPTS_BEFORE_GIVING_UP) {
      return new DesktopError('driver_unavailable', 'The accessibility bus is gone.', {
        hint: 'Try again: the connection is being reopened.',
      });
    }
    return new DesktopError('driver_unavailable', 'The accessibility bus ended and does not come back.', {
      hint: this.parts.env[MARKER]
        ? 'Start the desktop again: deskproof desktop stop, then deskproof desktop start'
        : 'Run deskproof doctor to see what is missing, or log in again.',
    });
  }

  /** Resolves when the bus is connected or could not be connected now. There is a pause between attempts. */
  async ensureConnected(deadline: Deadline): Promise<void> {
    if (!this.lost || this.closed) return;
    if (!this.opening && performance.now() - this.triedAt < this.waitMs) return;
    await deadline.race(this.attempt(), 'Opening the accessibility bus');
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  private get waitMs(): number {
    return this.failures === 0 ? 0 : Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - 1));
  }

  private attempt(): Promise<void> {
    this.opening ??= this.reconnect().finally(() => {
      this.opening = undefined;
    });
    return this.opening;
  }

  private async reconnect(): Promise<void> {
    this.triedAt = performance.now();
    clearTimeout(this.timer);
    try {
      const { apps, busAddress } = await this.open(this.nextEnvironment(), Deadline.in(OPEN_MS));
      if (this.closed) return apps.bus.close();
      this.parts.apps?.close();
      apps.replaced = true;
      this.parts.idGeneration.next();
      Object.assign(this.parts, { apps, busAddress });
      this.failures = 0;
      this.watchForClose();
      this.onReconnected();
    } catch (error) {
      this.failures++;
      debug('atspi', () => `the bus could not be opened again: ${String(error)}`);
      if (this.failures < MAX_BACKGROUND_ATTEMPTS) this.scheduleAttempt();
    }
  }

  /** A configured address may be that of the bus that ended; the bus launcher knows the new one. */
  private nextEnvironment(): Environment {
    return this.failures % 2 === 0 ? this.parts.env : { ...this.parts.env, AT_SPI_BUS_ADDRESS: undefined };
  }

  private watchForClose(): void {
    const { apps } = this.parts;
    apps?.bus.onClose(() => {
      if (this.parts.apps === apps) this.scheduleAttempt();
    });
  }

  private scheduleAttempt(): void {
    if (this.closed) return;
    clearTimeout(this.timer);
    // Not at once: a desktop that ends takes its bus with it, and then no new bus should be started.
    this.timer = setTimeout(() => void this.attempt(), Math.max(FIRST_WAIT_MS, this.waitMs));
    this.timer.unref();
  }
}

/**
 * A restarted bus reuses the names of the previous one for other apps. So ids are marked with the number of restarts,
 * and ids from before a restart are stale.
 */
export class IdGeneration {
  private count = 0;

  next(): void {
    this.count++;
  }

  /** The id as callers know it. Ids of windows come from the display and do not change. */
  toPublicId(id: string): string {
    return this.count > 0 && id.startsWith(':') ? `${this.count}${id}` : id;
  }

  /** The id as the bus knows it; throws `stale_ref` for an id from before a restart. */
  toBusId(id: string): string {
    const [, generation, rest] = /^(\d*)(:.*)$/s.exec(id) ?? [];
    if (rest === undefined) return id;
    if (generation !== (this.count === 0 ? '' : String(this.count))) throw staleRefError();
    return rest;
  }

  publicAnswer(answer: ReadAnswer): ReadAnswer {
    return this.count === 0 ? answer : { ...answer, root: this.publicNode(answer.root) };
  }

  publicNodes(nodes: Node[]): Node[] {
    return this.count === 0 ? nodes : nodes.map((node) => this.publicNode(node));
  }

  private publicNode(node: Node): Node {
    const { id, labelId, children } = node;
    return {
      ...node,
      id: this.toPublicId(id),
      ...(labelId !== undefined && { labelId: this.toPublicId(labelId) }),
      children: this.publicNodes(children),
    };
  }
}
