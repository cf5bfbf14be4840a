import { setTimeout as pause } from 'node:timers/promises';
import { MemoryLedger, type Ledger, type Note } from '../../audit/index.js';
import type { Driver, DriverEvent, PrivateDesktop } from '../../drivers/contract/index.js';
import { compilePolicy, type PolicyRequest } from '../../policy/index.js';
import { debug, Deadline } from '../../shared/index.js';
import { Refs, type WindowInfo } from '../../tree/index.js';
import type { IsDescendantProcess } from '../act/launched-window.js';
import type { ActivityOf } from '../actionability/missing-target.js';
import { OpenMenus } from '../actionability/open-menus.js';
import { CaptureStore } from '../capture/capture-store.js';
import { SecretRegions } from '../capture/redact-pixels.js';
import { Authorizer, type ProjectRules, type Rules } from '../authorization/authorizer.js';
import { PasswordFields } from '../visibility/password-fields.js';
import { Tabs } from '../visibility/hidden-tabs.js';
import { redactingDriver } from '../visibility/driver-decorators.js';
import { noSecrets, type Secrecy } from '../request/secret-input.js';
import { HiddenWindows } from '../visibility/hidden-windows.js';
import { EventLog, type ElementWords, type WindowWords } from './event-log.js';
import { UserActivity, type UserActivityListener } from '../user/user-activity.js';
import { EmergencyStop, resumeAfterStop, stopEverything, type StopKeeper } from '../user/emergency-stop.js';
import { SnapshotStore } from './snapshot-store.js';
import { ActionQueue } from './action-queue.js';

const FIRST_LIST_MS = 5_000;
const LISTEN_AGAIN_MS = 1_000;
/** How many windows to remember that are no longer listed: their `closed` events may still arrive. */
const DEPARTED_KEPT = 100;

export interface DesktopOptions {
  name: string;
  driver: Driver;
  launch?: PrivateDesktop['launch'];
  /** Finds the window of a launched program. Without it, only the process itself is considered. */
  isDescendantProcess?: IsDescendantProcess;
  /** How busy the process of a window is. Without it, only events tell whether an app still works. */
  activityOf?: ActivityOf;
  /** User desktop (`seat`, the default) or private desktop. */
  kind?: PolicyRequest['desktop'];
  /** The policy for its calls; the built-in policy by default. */
  policy?: Rules;
  ledger?: Ledger;
  /** Returns the policy files that have changed on disk since they were read. */
  policyChanged?: () => string[];
  /** Additional rules for callers from a directory. */
  inProject?: (directory: string) => ProjectRules | undefined;
  /** Named secrets, and which of them have been typed. */
  secrecy?: Secrecy;
  /** Finds the program that a command would start. */
  resolveCommand?: PrivateDesktop['resolveCommand'];
  /** The directory for screenshots that are requested as files. It does not exist yet. */
  files?: string;
  /** Keeps an emergency stop across processes. */
  stops?: StopKeeper;
  /** Refs that an earlier host of this desktop has issued. They are not issued again. */
  after?: RefCounters;
}

/** How many refs were issued: for elements, windows, snapshots and screenshots. */
export interface RefCounters {
  elements: number;
  windows: number;
  looks: number;
  pictures: number;
}

export interface WindowList {
  windows: WindowInfo[];
  /** Number of windows that policy hides. */
  hiddenByPolicy?: number;
  degraded?: { reason: string };
}

/** One desktop and its state: refs, recent snapshots, events. */
export class Desktop {
  readonly name: string;
  readonly driver: Driver;
  readonly kind: PolicyRequest['desktop'];
  readonly authorizer: Authorizer;
  readonly secrecy: Secrecy;
  /** Windows that policy hides from every caller. */
  readonly hiddenWindows = new HiddenWindows(
    () => this.authorizer.rules.windows,
    (window) => this.forget(window),
  );
  readonly resolveCommand?: PrivateDesktop['resolveCommand'];
  /** Starts a program on this desktop. Absent if Deskproof does not own the desktop. */
  readonly launch?: PrivateDesktop['launch'];
  readonly isDescendantProcess?: IsDescendantProcess;
  readonly activityOf?: ActivityOf;
  /** When Deskproof last started a program here. It may not have a window yet. */
  readonly launches = { lastAt: -Infinity };
  readonly refs = new Refs();
  readonly tabs = new Tabs();
  readonly passwordFields = new PasswordFields();
  readonly snapshots = new SnapshotStore();
  readonly queue = new ActionQueue();
  /** How many waits of all callers poll now. */
  readonly openWaits = { count: 0 };
  readonly menus = new OpenMenus();
  readonly captures: CaptureStore;
  readonly secrets = new SecretRegions(this);
  /** Activity of the user at the same mouse and keyboard. */
  readonly user: UserActivity;
  /** Every call is checked against it. */
  readonly emergencyStop: EmergencyStop;
  readonly events: EventLog;
  private readonly ending = new AbortController();
  /** By driver id: the last known title and role. */
  private readonly known = new Map<string, WindowWords>();
  /** By ref: the last known state of each window. Rules also apply to windows that are gone. */
  private readonly knownWindows = new Map<string, WindowInfo>();
  private readonly listening: Promise<void>;
  private readonly listeners = new Set<(event: DriverEvent) => void>();

  constructor(options: DesktopOptions) {
    const { name, driver, launch, kind = 'seat', stops, files, resolveCommand, policyChanged, inProject } = options;
    this.name = name;
    this.secrecy = options.secrecy ?? noSecrets();
    this.driver = redactingDriver(
      driver,
      this.secrecy.taint,
      (element) => this.refs.windowOf(element),
      (title) => this.blocks(title),
      this.tabs,
      this.passwordFields,
    );
    this.kind = kind;
    this.authorizer = new Authorizer(kind, {
      rules: options.policy ?? compilePolicy({}, kind),
      ledger: options.ledger ?? new MemoryLedger(),
      ...(policyChanged && { changed: policyChanged }),
      ...(inProject && { inProject }),
    });
    if (resolveCommand) this.resolveCommand = resolveCommand;
    this.captures = new CaptureStore(files);
    if (options.after) this.continueFrom(options.after);
    if (launch) this.launch = launch;
    if (options.isDescendantProcess) this.isDescendantProcess = options.isDescendantProcess;
    if (options.activityOf) this.activityOf = options.activityOf;
    this.events = new EventLog({
      window: (id) => this.known.get(id),
      element: (id) => this.elementWords(id),
      windowOf: (id) => this.refs.windowOf(id),
      behind: (id) => this.tabs.of(id).flatMap(({ name, front }) => (front ? [] : [name])),
    });
    this.emergencyStop = new EmergencyStop(stops);
    this.user = new UserActivity(this.driver, this.userListener(), kind === 'seat');
    this.listening = this.driver.describe().capabilities.events.can === 'no' ? Promise.resolve() : this.listen();
  }

  get given(): RefCounters {
    return { ...this.refs.lastNumbers, looks: this.snapshots.given, pictures: this.captures.given };
  }

  /** All visible windows with refs, front to back. */
  async listWindows(deadline: Deadline, driver = this.driver): Promise<WindowList> {
    const { windows: all, passed, degraded } = await driver.windows({ deadline });
    const nodes = this.hiddenWindows.filter(all, passed);
    const adopted = this.refs.adoptWindows(nodes, this.snapshots.lastId);
    const windows = adopted.map((window) => {
      const owner = adopted.find((other) => other.ref === window.of);
      return owner ? { ...window, ofTitle: owner.title } : window;
    });
    this.know(windows);
    const { count } = this.hiddenWindows;
    return { windows, ...(count > 0 && { hiddenByPolicy: count }), ...(degraded && { degraded }) };
  }

  /** Whether policy hides windows of this title from everyone. */
  blocks(title: string): boolean {
    return this.authorizer.rules.windows?.blocks(title) ?? false;
  }

  /** Whether the element is in a background tab with a hidden title, according to the last read. */
  hidesInTab(id: string): boolean {
    return this.tabs.hides(id, (title) => this.blocks(title));
  }

  /** The last known state of a window, by ref or driver id, whether or not it still exists. */
  lastKnown(which: string): WindowInfo | undefined {
    return this.knownWindows.get(which) ?? [...this.knownWindows.values()].findLast(({ id }) => id === which);
  }

  /** Calls the listener for each driver event, after the desktop has processed it. Returns a function to unsubscribe. */
  onEvent(listener: (event: DriverEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Ends all calls at once and refuses new ones until `resume`. Delivered input stays delivered. Returns false if the
   * desktop was already stopped.
   */
  stop(reason: string): Promise<boolean> {
    return stopEverything(this, reason, (note) => this.write(note));
  }

  private continueFrom({ elements, windows, looks, pictures }: RefCounters): void {
    this.refs.continueFrom({ elements, windows });
    this.snapshots.continueFrom(looks);
    this.captures.continueFrom(pictures);
  }

  /** Ends a stop, on the user's request. Returns false if the desktop was not stopped. */
  resume(): boolean {
    return resumeAfterStop(this, (note) => this.write(note));
  }

  /** Closes the event stream and the driver. Idempotent. */
  async close(): Promise<void> {
    this.ending.abort();
    this.user.end();
    this.captures.close();
    await this.driver.close();
    await this.listening;
  }

  private async listen(): Promise<void> {
    const { signal } = this.ending;
    while (!signal.aborted) {
      try {
        const events = this.driver.events({ signal });
        await events.ready;
        await this.listWindows(Deadline.in(FIRST_LIST_MS, signal));
        for await (const event of events) this.hear(event);
      } catch (error) {
        if (signal.aborted) return;
        debug('runtime', () => `events: ${error instanceof Error ? error.message : String(error)}`);
        this.hear({ type: 'lost', at: Date.now(), reason: 'the driver lost its events' });
      }
      // `close` aborts the pause; that is safe to ignore.
      await pause(LISTEN_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  private userListener(): UserActivityListener {
    return {
      pause: (kind) => {
        const hand = kind === 'key' ? 'keyboard' : 'mouse';
        this.events.addUserEvent('pause', hand);
        void this.write({ kind: 'pause', by: 'user', reason: hand });
      },
      resume: () => {
        this.events.addUserEvent('resume');
        void this.write({ kind: 'resume', by: 'user', reason: 'let go' });
      },
      stop: () => {
        // The stop holds in this process. Only saving it for the next process can have failed.
        this.stop('the user pressed Escape twice').catch((error: unknown) =>
          debug('runtime', () => `stop: ${String(error)}`),
        );
      },
      lost: (reason) => this.events.addUserEvent('unwatched', reason),
    };
  }

  /** The event has happened, whether or not the log can be written. A failed record is written before any later one. */
  private async write(note: Note): Promise<void> {
    try {
      await this.authorizer.ledger.note(note);
    } catch (error) {
      debug('runtime', () => `log: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Deletes all data about a window that policy hides now. */
  private forget(window: string): void {
    this.events.forget(this.known.get(window)?.ref);
    this.refs.eraseWindow(window, this.snapshots.lastId);
    this.snapshots.forget(window);
  }

  private hear(event: DriverEvent): void {
    if (event.type === 'state' && event.state === 'selected') this.tabs.setFront(event.element, event.on);
    if (this.hiddenWindows.suppresses(event)) return;
    if ('element' in event && this.hidesInTab(event.element)) return;
    this.note(event);
    for (const listener of this.listeners) listener(event);
  }

  private note(event: DriverEvent): void {
    if (event.type !== 'window') return this.events.take(event);
    const before = this.known.get(event.window);
    if (event.change === 'opened' || (!before && event.change !== 'closed')) this.meet(event);
    else if (before && event.title !== undefined) this.known.set(event.window, { ...before, title: event.title });
    this.events.take(event);
    if (event.change !== 'closed') return;
    this.menus.closed(event.window);
    this.refs.windowGone(event.window, this.snapshots.lastId);
    this.known.delete(event.window);
  }

  /** Assigns a ref at once: the window may be gone before the next list. */
  private meet(event: DriverEvent & { type: 'window' }): void {
    const { window: id, pid, program, title = '', app = '', role = 'window' } = event;
    const node = {
      ...{ id, title, app, role, visible: true, minimised: false, maximised: false, active: false },
      ...(pid !== undefined && { pid }),
      ...(program !== undefined && { program }),
    };
    const ref = this.refs.adoptWindow(node, this.snapshots.lastId);
    this.known.set(id, { ref, role, title, app });
    this.meets({ ...node, ref });
  }

  private meets(window: WindowInfo): void {
    this.knownWindows.delete(window.ref);
    this.knownWindows.set(window.ref, window);
  }

  /** Moves listed windows to the end, so that the windows that have been gone longest are dropped first. */
  private know(windows: readonly WindowInfo[]): void {
    for (const window of windows) {
      const { id, ref, role, title, app } = window;
      this.known.delete(id);
      this.known.set(id, { ref, role, title, app });
      this.meets(window);
    }
    const most = windows.length + DEPARTED_KEPT;
    for (const id of this.known.keys()) if (this.known.size > most) this.known.delete(id);
    for (const ref of this.knownWindows.keys()) if (this.knownWindows.size > most) this.knownWindows.delete(ref);
  }

  private elementWords(id: string): ElementWords | undefined {
    const element = this.snapshots.elementById(id);
    if (!element) return undefined;
    const { ref, role, name, states } = element;
    // The widget may show another item by now. Then the old ref would be wrong.
    const known = this.refs.get(ref)?.stale === false;
    const isSecret = states.secret === true || this.secrecy.taint.fieldMark(id) !== undefined;
    const secret = isSecret && { secret: true as const };
    return { ...(known && { ref }), role, ...(name !== undefined && { name }), ...secret };
  }
}
