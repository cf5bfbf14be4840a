import type { Driver, DriverEvent, FoundApp } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import type { Box, Element, Point, Snapshot, WindowInfo, WindowNode } from '../../tree/index.js';
import type { PolicyDecision } from '../authorization/authorizer.js';
import { CallLog } from '../request/call-context.js';
import type { Desktop, WindowList } from '../desktop/desktop.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import { type Cost, countingDriver } from './driver-decorators.js';
import { backgroundTabsOf, withoutHiddenTabs } from './hidden-tabs.js';
import type { HiddenWindows } from './hidden-windows.js';

/** What one call may read, window by window. `authorizeRead` decides it. */
interface ReadRules {
  /** `owner`: the window that a dialog or menu belongs to; the window itself when it belongs to none. */
  sees(window: WindowInfo, owner: WindowInfo): boolean;
  /** Whether the user has approved what this rule asks about, for all windows or for this one. */
  agreed(rule: string, window?: string): boolean;
  /** Ids of the windows that the caller's project hides. */
  hiddenIn(windows: readonly WindowInfo[]): ReadonlySet<string>;
}

/** No rule is about reads: everything that is not hidden from everyone may be read. */
export const SEES_ALL: ReadRules = { sees: () => true, agreed: () => false, hiddenIn: () => new Set() };

/** Before `authorizeRead` has decided, nothing is visible. */
const SEES_NOTHING: ReadRules = { ...SEES_ALL, sees: () => false };

/**
 * The desktop as one call may see and use it: the caller's project policy, counted driver calls, and the windows that
 * the call may read. Every stage of a call works on this and never on the desktop itself. It starts closed: until
 * `open` is called, no window and no event is visible.
 */
export class CallView {
  readonly cost: Cost = { driverCalls: 0 };
  readonly log = new CallLog();
  readonly name;
  readonly kind;
  readonly authorizer;
  readonly driver: Driver;
  readonly hiddenWindows: CallHiddenWindows;
  readonly secrecy;
  readonly refs;
  readonly tabs;
  readonly passwordFields;
  readonly snapshots;
  readonly queue;
  readonly openWaits;
  readonly menus;
  readonly captures;
  readonly secrets;
  readonly user;
  readonly emergencyStop;
  readonly events;
  readonly resolveCommand;
  readonly launch;
  readonly isDescendantProcess;
  readonly activityOf;
  readonly launches;
  /**
   * The approval that an act needs also covers reading its target. Until the user has given it, errors must not quote
   * what was found.
   */
  pendingReadApproval?: PolicyDecision | undefined;
  private rules = SEES_NOTHING;

  constructor(
    private readonly desktop: Desktop,
    /** The directory that the caller was started in: its project may have a policy of its own. */
    directory?: string,
  ) {
    this.name = desktop.name;
    this.kind = desktop.kind;
    this.secrecy = desktop.secrecy;
    this.refs = desktop.refs;
    this.tabs = desktop.tabs;
    this.passwordFields = desktop.passwordFields;
    this.snapshots = desktop.snapshots;
    this.queue = desktop.queue;
    this.openWaits = desktop.openWaits;
    this.menus = desktop.menus;
    this.captures = desktop.captures;
    this.secrets = desktop.secrets;
    this.user = desktop.user;
    this.emergencyStop = desktop.emergencyStop;
    this.events = desktop.events;
    this.resolveCommand = desktop.resolveCommand;
    this.launch = desktop.launch;
    this.isDescendantProcess = desktop.isDescendantProcess;
    this.activityOf = desktop.activityOf;
    this.launches = desktop.launches;
    this.authorizer = desktop.authorizer.within(directory);
    const inProject = this.authorizer !== desktop.authorizer;
    const driver = inProject ? omitTabs(desktop.driver, (title) => this.blocks(title)) : desktop.driver;
    this.driver = countingDriver(driver, this.cost);
    this.hiddenWindows = new CallHiddenWindows(desktop.hiddenWindows);
  }

  /** For commands that the user runs on their own desktop in a terminal: no rule about reads applies. */
  static forUser(desktop: Desktop, directory?: string): CallView {
    const view = new CallView(desktop, directory);
    view.open(SEES_ALL);
    return view;
  }

  /** From now on the call sees what the rules allow. `list`: the windows as just listed. */
  open(rules: ReadRules, list?: WindowList): void {
    this.rules = rules;
    // Events may arrive before the first list. The call must already know which windows are withheld.
    if (list) this.withoutWithheld(list);
  }

  /** The user, or an earlier grant, has approved the act and with it the read of its target. */
  readApproved(): void {
    delete this.pendingReadApproval;
  }

  /** Front to back, with refs; without the windows that this call may not see. */
  async listWindows(deadline: Deadline): Promise<WindowList> {
    return this.withoutWithheld(await this.listAllWindows(deadline));
  }

  /** Includes the windows that rules withhold from this call. Use it only to decide about them. */
  listAllWindows(deadline: Deadline): Promise<WindowList> {
    return this.desktop.listWindows(deadline, this.driver);
  }

  private withoutWithheld(list: WindowList): WindowList {
    const listedByRef = (ref: string): WindowInfo | undefined => list.windows.find((window) => window.ref === ref);
    const hidden = this.rules.hiddenIn(list.windows);
    const isWithheld = (window: WindowInfo): boolean =>
      hidden.has(window.id) || !this.rules.sees(window, ownerOf(window, listedByRef));
    const windows = this.hiddenWindows.withhold(list.windows, isWithheld);
    const hiddenByPolicy = (list.hiddenByPolicy ?? 0) + list.windows.length - windows.length;
    return { ...list, windows, ...(hiddenByPolicy > 0 && { hiddenByPolicy }) };
  }

  /** Whether the call may receive an event. */
  hears(event: DesktopEvent): boolean {
    const { window: eventWindow, app = '', element } = event;
    if (backgroundTabsOf(event).some((title) => this.blocks(title))) return false;
    // An element event without a window and an app could be from any window.
    if (!eventWindow && app === '') return element === undefined;
    if (this.hiddenWindows.withholds(({ ref }) => ref === eventWindow?.ref)) return false;
    // Decided by the title at the time of the event: the window may have had a different one then.
    const known = eventWindow && this.lastKnown(eventWindow.ref);
    const windowThen = {
      ...CLOSED_WINDOW,
      ...known,
      fullTitle: undefined,
      title: eventWindow?.title ?? '',
      app: eventWindow?.app ?? app,
    };
    return this.sees(windowThen);
  }

  /** Whether the call may know of a window, open or closed. An unknown window could be a hidden one. */
  shows(window: WindowInfo | undefined): boolean {
    return window !== undefined && !this.hiddenWindows.withholds(({ id }) => id === window.id) && this.sees(window);
  }

  /** Whether the user has approved what this rule asks about. */
  agreed(rule: string, window?: string): boolean {
    return this.rules.agreed(rule, window);
  }

  private sees(window: WindowInfo): boolean {
    return this.rules.sees(
      window,
      ownerOf(window, (ref) => this.lastKnown(ref)),
    );
  }

  /** A snapshot that was taken earlier, possibly by another caller. */
  snapshot(id: string): Snapshot {
    if (!/^\s*s\d+\s*$/.test(id)) {
      throw new DesktopError('bad_arguments', `${JSON.stringify(id.slice(0, 20))} is not a snapshot.`, {
        hint: 'Give the id of a snapshot, such as s7.',
      });
    }
    const found = this.snapshots.get(id.trim());
    const hidden = found?.roots.some((root) => this.hidesInTab(root.id));
    if (found?.windows.every((window) => this.shows(window)) && !hidden) return this.withoutTabsOf(found);
    throw new DesktopError('element_not_found', `The snapshot ${JSON.stringify(id.slice(0, 20))} no longer exists.`, {
      hint: 'Run ui_snapshot again without since.',
    });
  }

  private withoutTabsOf(snapshot: Snapshot): Snapshot {
    const { roots } = snapshot;
    const shown = roots.map((root) => withoutHiddenTabs(root, (title) => this.blocks(title)) as Element);
    return shown.every((root, at) => root === roots[at]) ? snapshot : { ...snapshot, roots: shown };
  }

  /** Whether policy hides windows of this title from this caller. */
  blocks(title: string): boolean {
    return this.authorizer.rules.windows?.blocks(title) ?? false;
  }

  /** Whether an element was last seen in a background tab whose title policy hides from this caller. */
  hidesInTab(id: string): boolean {
    return this.tabs.hides(id, (title) => this.blocks(title));
  }

  /** The last known state of a window, by ref or driver id, open or closed; undefined when it is no longer stored. */
  lastKnown(which: string): WindowInfo | undefined {
    return this.desktop.lastKnown(which);
  }

  /** Subscribes to every driver event, after the desktop has handled it. Returns the function that unsubscribes. */
  onEvent(listener: (event: DriverEvent) => void): () => void {
    return this.desktop.onEvent(listener);
  }
}

/** Windows that policy hides from everyone, together with those that it withholds from one call. */
class CallHiddenWindows {
  private withheld = new Map<string, WindowInfo>();
  private shown = new Map<string, WindowInfo>();
  /** How many times a window that was shown became withheld. */
  private revisions = 0;

  constructor(private readonly hiddenFromAll: HiddenWindows) {}

  /** The windows that stay visible. */
  withhold(windows: readonly WindowInfo[], isWithheld: (window: WindowInfo) => boolean): WindowInfo[] {
    this.withheld = byId(windows.filter(isWithheld));
    this.revisions += [...this.withheld.keys()].filter((id) => this.shown.has(id)).length;
    this.shown = byId(windows.filter(({ id }) => !this.withheld.has(id)));
    return [...this.shown.values()];
  }

  withholds(which: (window: WindowInfo) => boolean): boolean {
    return [...this.withheld.values()].some(which);
  }

  hidesApp(app: FoundApp): boolean {
    return this.hiddenFromAll.hidesApp(app) || this.withholds(({ pid }) => pid === app.pid);
  }

  hides(id: string): boolean {
    return this.hiddenFromAll.hides(id) || this.withheld.has(id);
  }

  hidesProcess(pid: number): boolean {
    return this.hiddenFromAll.hidesProcess(pid) || this.withholds((window) => window.pid === pid);
  }

  get count(): number {
    return this.hiddenFromAll.count + this.withheld.size;
  }

  /** See `HiddenWindows.patternFor`. Windows that only this call may not see are left out. */
  patternFor(which: (window: WindowNode) => boolean): { id: string; pattern?: string } | undefined {
    return this.hiddenFromAll.patternFor(which);
  }

  /** A hidden window has the keyboard focus. */
  get hidesActive(): boolean {
    return this.hiddenFromAll.hidesActive || this.withholds(({ active }) => active);
  }

  /** A hidden window has a menu open. A menu takes the keys even when another window is active. */
  get hidesMenu(): boolean {
    return this.hiddenFromAll.hidesMenu || this.withholds(({ menu, visible }) => menu === true && visible);
  }

  /** Where hidden windows are on the screen, covered or not. */
  get boxes(): Box[] {
    const places = [...this.withheld.values()].filter(({ visible, minimised }) => visible && !minimised);
    return [...this.hiddenFromAll.boxes, ...places.flatMap(({ bounds }) => (bounds ? [bounds] : []))];
  }

  /** Compare it before and after a read: if it differs, the result of the read must not be reported. */
  get revision(): number {
    return this.hiddenFromAll.revision + this.revisions;
  }

  /** All windows as last listed, front to back, hidden or not. */
  get stack(): readonly WindowNode[] {
    return this.hiddenFromAll.stack;
  }

  /** The window that the pointer would meet there, hidden or not. */
  frontAt(point: Point): WindowNode | undefined {
    return this.hiddenFromAll.frontAt(point);
  }
}

/** A closed window: only the data of the event is known. */
const CLOSED_WINDOW: WindowInfo = {
  ...{ ref: '', id: '', role: 'window', title: '', app: '' },
  ...{ visible: false, minimised: false, maximised: false, active: false },
};

const byId = (windows: readonly WindowInfo[]): Map<string, WindowInfo> =>
  new Map(windows.map((window) => [window.id, window]));

/** Windows can own each other in a cycle. */
const MAX_OWNERS = 32;

/** The window that a dialog or a menu belongs to; itself when it belongs to none. */
function ownerOf(window: WindowInfo, find: (ref: string) => WindowInfo | undefined): WindowInfo {
  let owner = window;
  for (let steps = 0; steps < MAX_OWNERS; steps++) {
    const next = find(owner.of ?? '');
    if (!next) break;
    owner = next;
  }
  return owner;
}

/** Omits the background tabs that a project's policy hides. The layer below applies the desktop's own policy. */
function omitTabs(driver: Driver, hides: (title: string) => boolean): Driver {
  return new Proxy(driver, {
    get(target, key): unknown {
      const value: unknown = Reflect.get(target, key, target);
      if (key !== 'read' || !target.read) return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      const read: Driver['read'] = async (scope, options) => {
        const answer = await target.read!(scope, options);
        return { ...answer, root: withoutHiddenTabs(answer.root, hides) };
      };
      return read;
    },
  });
}
