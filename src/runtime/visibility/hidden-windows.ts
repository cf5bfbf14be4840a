import type { DriverEvent, FoundApp, TitleChange } from '../../drivers/contract/index.js';
import { hiddenWindowIds, type WindowRules } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { contains, type Box, type Point, type WindowNode } from '../../tree/index.js';

/**
 * Accessibility events arrive by another channel than window titles, and later on a busy machine. For this time an
 * event may still be about hidden content.
 */
const LATE_EVENT_MS = 5_000;

/**
 * Windows that policy hides are absent from lists, trees, events and captures. A title can change at any moment, so
 * after a read, compare `revision` to learn whether a window is hidden now or was hidden in between.
 */
export class HiddenWindows {
  /** How many times a window that was shown was found to be hidden. */
  private revisions = 0;
  /** As last listed, front to back. */
  private listedWindows: readonly WindowNode[] = [];
  private hidden = new Map<string, WindowNode>();
  private readonly shown = new Set<string>();
  /** Windows that were hidden at any time. */
  private readonly everHidden = new Set<string>();
  /** Windows whose last reported title is hidden, with their process. */
  private readonly hiddenByEvent = new Map<string, number | undefined>();
  /** When each window was last known to be hidden, and its process. */
  private readonly hiddenAt = new Map<string, { at: number; pid?: number }>();

  constructor(
    private readonly rules: () => WindowRules | undefined,
    /** Called when text that was read from this window, or reported about it, may be hidden content. */
    private readonly onTurn: (window: string) => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** The windows that are visible. Windows that belong to a hidden window are hidden with it. */
  filter(windows: readonly WindowNode[], passed: readonly TitleChange[] = []): WindowNode[] {
    const rules = this.rules();
    this.listedWindows = windows;
    if (!rules) return [...windows];
    const ids = hiddenWindowIds(windows.map(forWindowRules), rules);
    // The window is hidden now or was hidden in between. Callers that saw it must discard what they saw.
    for (const id of ids) {
      this.everHidden.add(id);
      if (this.shown.has(id)) this.becameHidden(id);
    }
    for (const one of passed) {
      if (!this.shown.has(one.window) && ids.has(one.window)) continue;
      // A title that is no longer known could have been any. Editors change theirs twice per keystroke, so it counts
      // only for windows that were hidden before.
      if (one.title === undefined) this.revisions += this.everHidden.has(one.window) ? 1 : 0;
      else if (this.hidesTitle(rules, one.window, one.title)) this.becameHidden(one.window);
    }
    const openIds = new Set(windows.map(({ id }) => id));
    for (const id of this.everHidden) if (!openIds.has(id)) this.everHidden.delete(id);
    this.hidden = new Map(windows.filter(({ id }) => ids.has(id)).map((window) => [window.id, window]));
    for (const { id, pid } of this.hidden.values()) this.markHidden(id, pid);
    const visible = windows.filter(({ id }) => !ids.has(id));
    this.shown.clear();
    for (const { id } of visible) this.shown.add(id);
    return visible;
  }

  get count(): number {
    return this.hidden.size;
  }

  /** For a window that this process opened: why it is hidden. A window that is hidden with another one has no pattern. */
  patternFor(which: (window: WindowNode) => boolean): { id: string; pattern?: string } | undefined {
    const window = [...this.hidden.values()].find(which);
    if (!window) return undefined;
    const { title, appName, program = null } = forWindowRules(window);
    const pattern = this.rules()?.hidden({ title, appName, program })?.pattern;
    return { id: window.id, ...(pattern !== undefined && { pattern }) };
  }

  hides(window: string): boolean {
    return this.hidden.has(window);
  }

  /** Whether the existence of the app is secret: it has a hidden window, or all its windows would be hidden. */
  hidesApp({ pid, name, program }: FoundApp): boolean {
    const hidden = this.rules()?.hidden({ title: null, appName: name, program: program ?? null });
    return hidden !== undefined || [...this.hidden.values()].some((window) => window.pid === pid);
  }

  /** Whether the process has a window that is hidden or was hidden a moment ago. */
  hidesProcess(pid: number): boolean {
    return this.hiddenPids.includes(pid);
  }

  /** A hidden window has the keyboard focus. */
  get hidesActive(): boolean {
    return [...this.hidden.values()].some(({ active }) => active);
  }

  /** A hidden window has a menu open. A menu takes the keys even when another window is active. */
  get hidesMenu(): boolean {
    return [...this.hidden.values()].some(({ menu, visible }) => menu && visible);
  }

  /** Where hidden windows are on the screen, covered or not. */
  get boxes(): Box[] {
    return [...this.hidden.values()].flatMap(({ bounds, visible, minimised }) =>
      bounds && visible && !minimised ? [bounds] : [],
    );
  }

  /** All windows as last listed, front to back, hidden or not. */
  get stack(): readonly WindowNode[] {
    return this.listedWindows;
  }

  /** The window that the pointer would meet there, hidden or not. */
  frontAt(point: Point): WindowNode | undefined {
    const isThere = ({ bounds, visible, minimised }: WindowNode): boolean =>
      bounds !== undefined && visible && !minimised && contains(bounds, point);
    return this.listedWindows.find(isThere);
  }

  /** Compare it before and after a read: if it differs, the result of the read must not be reported. */
  get revision(): number {
    return this.revisions;
  }

  /** Whether an event is about a hidden window. A title alone decides, also for a window that was not listed yet. */
  suppresses(event: DriverEvent): boolean {
    const rules = this.rules();
    if (!rules) return false;
    if (event.type === 'window') {
      const { window, pid, fullTitle: title = event.title } = event;
      const hides = title !== undefined && this.hidesTitle(rules, window, title, event);
      if (hides && this.shown.delete(window)) this.becameHidden(window);
      if (hides) this.everHidden.add(window);
      if (hides) this.markHidden(window, pid);
      if (hides && event.change !== 'closed') this.hiddenByEvent.set(window, pid);
      else if (title !== undefined || event.change === 'closed') this.hiddenByEvent.delete(window);
      if (hides) return true;
    }
    if (event.window !== undefined) {
      const late = event.type !== 'window' && this.recentlyHidden.has(event.window);
      return late || this.hidden.has(event.window) || this.hiddenByEvent.has(event.window);
    }
    // Its text comes from an app, and it is unknown which one.
    if (event.type === 'focus' && event.pid === undefined) return true;
    return event.pid !== undefined && this.hidesProcess(event.pid);
  }

  private get hiddenPids(): (number | undefined)[] {
    return [
      ...[...this.hidden.values()].map(({ pid }) => pid),
      ...this.hiddenByEvent.values(),
      ...[...this.recentlyHidden.values()].map(({ pid }) => pid),
    ];
  }

  /** Windows that were hidden a moment ago. */
  private get recentlyHidden(): ReadonlyMap<string, { pid?: number }> {
    const since = this.now() - LATE_EVENT_MS;
    for (const [id, { at }] of this.hiddenAt) if (at < since) this.hiddenAt.delete(id);
    return this.hiddenAt;
  }

  private markHidden(window: string, pid: number | undefined): void {
    this.hiddenAt.set(window, { at: this.now(), ...(pid !== undefined && { pid }) });
  }

  private becameHidden(window: string): void {
    this.everHidden.add(window);
    this.markHidden(window, this.listedWindows.find(({ id }) => id === window)?.pid);
    this.revisions += 1;
    this.onTurn(window);
  }

  /** `reported`: the event's data about a window that was not listed yet. */
  private hidesTitle(rules: WindowRules, id: string, title: string, reported: ReportedWindow = {}): boolean {
    const { app: appName = null, program = null } = this.listedWindows.find((window) => window.id === id) ?? reported;
    return rules.hidden({ title, appName, program }) !== undefined;
  }
}

interface ReportedWindow {
  app?: string;
  program?: string;
}

export const forWindowRules = ({ id, fullTitle: whole, title, app, program, pid, of, role }: WindowNode) => ({
  ...{ id, title: whole ?? title, appName: app, belongs: role !== 'window' },
  ...(program !== undefined && { program }),
  ...(pid !== undefined && { pid }),
  ...(of !== undefined && { of }),
});

export function hiddenByPolicyError(what: string, where: 'window' | 'tab' = 'window'): DesktopError {
  return new DesktopError('policy_denied', `${what} is in a ${where} that the policy hides.`, {
    retry: 'no',
    hint: `Work in another ${where}, or ask the user to do this.`,
    details: { rule: 'windows/blocked' },
  });
}

/** The pointer may not go to a point where a hidden window is in front. */
export function refuseHidden(
  { hiddenWindows }: { hiddenWindows: Pick<HiddenWindows, 'frontAt' | 'hides'> },
  point: Point,
): void {
  const front = hiddenWindows.frontAt(point);
  if (front && hiddenWindows.hides(front.id)) throw hiddenByPolicyError(`The point ${point.x},${point.y}`);
}

/**
 * Added when nothing was found: how many windows are hidden, and nothing about them. The command is for the user: the
 * patterns are in files that agents may not read.
 */
export const hiddenCountNote = (count: number): string =>
  count === 0
    ? ''
    : ` The policy hides ${count === 1 ? '1 window' : `${count} windows`}. In a terminal, deskproof policy check lists the patterns.`;
