import type { DriverEvent, FoundApp, TitleChange } from '../../drivers/contract/index.js';
import { hiddenAmong, type WindowRules } from '../../policy/index.js';
import { DesktopError, WHOLE } from '../../shared/index.js';
import { contains, type Box, type Point, type WindowNode } from '../../tree/index.js';

/**
 * What an app says of itself comes by another way than the titles of its windows, and later on a busy machine: so long
 * it may still be about what was hidden.
 */
const LATE_MS = 5_000;

/**
 * Windows that policy hides are not there: in lists, trees, events and pictures. A title may change at any moment, so
 * whoever has looked asks afterwards whether something of it is hidden by now, or was so for a while.
 */
export class HiddenWindows {
  /** How often something that was shown before was found to be hidden. */
  private turned = 0;
  /** As last listed, front to back. */
  private all: readonly WindowNode[] = [];
  private hidden = new Map<string, WindowNode>();
  private readonly shown = new Set<string>();
  /** Those that were hidden at any time. */
  private readonly suspects = new Set<string>();
  /** Those that became hidden by the last title that was told of them; with their process. */
  private readonly told = new Map<string, number | undefined>();
  /** When each was last known to be hidden, and its process. */
  private readonly lately = new Map<string, { at: number; pid?: number }>();

  constructor(
    private readonly rules: () => WindowRules | undefined,
    /** What was seen and heard of this window may be what nobody may know. */
    private readonly onTurn: (window: string) => void = () => undefined,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Those that may be seen. What belongs to a hidden one is hidden with it. */
  filter(windows: readonly WindowNode[], passed: readonly TitleChange[] = []): WindowNode[] {
    const rules = this.rules();
    this.all = windows;
    if (!rules) return [...windows];
    const ids = hiddenAmong(windows.map(listed), rules);
    // It is hidden from now on, or was for a while: whoever saw it before must not keep what they saw.
    for (const id of ids) {
      this.suspects.add(id);
      if (this.shown.has(id)) this.turn(id);
    }
    for (const one of passed) {
      if (!this.shown.has(one.window) && ids.has(one.window)) continue;
      // A title that nobody knows any more may have been any. Editors change theirs twice at a keystroke, so it counts
      // only of those that were hidden before.
      if (one.title === undefined) this.turned += this.suspects.has(one.window) ? 1 : 0;
      else if (this.hidesTitled(rules, one.window, one.title)) this.turn(one.window);
    }
    const there = new Set(windows.map(({ id }) => id));
    for (const id of this.suspects) if (!there.has(id)) this.suspects.delete(id);
    this.hidden = new Map(windows.filter(({ id }) => ids.has(id)).map((window) => [window.id, window]));
    for (const { id, pid } of this.hidden.values()) this.wasHidden(id, pid);
    const seen = windows.filter(({ id }) => !ids.has(id));
    this.shown.clear();
    for (const { id } of seen) this.shown.add(id);
    return seen;
  }

  get count(): number {
    return this.hidden.size;
  }

  hides(window: string): boolean {
    return this.hidden.has(window);
  }

  /** Nobody may know that it runs: it has a hidden window, or every window of it would be one. */
  hidesApp({ pid, name, program }: FoundApp): boolean {
    const hidden = this.rules()?.hidden({ title: null, appName: name, program: program ?? null });
    return hidden !== undefined || [...this.hidden.values()].some((window) => window.pid === pid);
  }

  /** It has a window that is hidden, or was a moment ago. */
  hidesProcess(pid: number): boolean {
    return this.hiddenPids.includes(pid);
  }

  /** Has the keys, and nobody may know what it is. */
  get hidesActive(): boolean {
    return [...this.hidden.values()].some(({ active }) => active);
  }

  /** One of them has a menu open, which takes the keys whatever is active. */
  get hidesMenu(): boolean {
    return [...this.hidden.values()].some(({ menu, visible }) => menu && visible);
  }

  /** Where hidden windows are on the screen, whether others cover them or not. */
  get boxes(): Box[] {
    return [...this.hidden.values()].flatMap(({ bounds, visible, minimised }) =>
      bounds && visible && !minimised ? [bounds] : [],
    );
  }

  /** All of them as they were listed last, front to back, hidden or not. */
  get stack(): readonly WindowNode[] {
    return this.all;
  }

  /** The window that the mouse would meet there, hidden or not. */
  frontAt(point: Point): WindowNode | undefined {
    const there = ({ bounds, visible, minimised }: WindowNode): boolean =>
      bounds !== undefined && visible && !minimised && contains(bounds, point);
    return this.all.find(there);
  }

  /** Compare it before and after a look: otherwise means that what was seen may not be told. */
  get revision(): number {
    return this.turned;
  }

  /** News of what may not be seen. A title tells by itself, also of a window that no list had yet. */
  suppresses(event: DriverEvent): boolean {
    const rules = this.rules();
    if (!rules) return false;
    if (event.type === 'window') {
      const { window, pid, [WHOLE]: title = event.title } = event;
      const hides = title !== undefined && this.hidesTitled(rules, window, title, event);
      if (hides && this.shown.delete(window)) this.turn(window);
      if (hides) this.suspects.add(window);
      if (hides) this.wasHidden(window, pid);
      if (hides && event.change !== 'closed') this.told.set(window, pid);
      else if (title !== undefined || event.change === 'closed') this.told.delete(window);
      if (hides) return true;
    }
    if (event.window !== undefined) {
      const late = event.type !== 'window' && this.lastHidden.has(event.window);
      return late || this.hidden.has(event.window) || this.told.has(event.window);
    }
    // Its words come from the app, and nobody knows from which.
    if (event.type === 'focus' && event.pid === undefined) return true;
    return event.pid !== undefined && this.hidesProcess(event.pid);
  }

  private get hiddenPids(): (number | undefined)[] {
    return [
      ...[...this.hidden.values()].map(({ pid }) => pid),
      ...this.told.values(),
      ...[...this.lastHidden.values()].map(({ pid }) => pid),
    ];
  }

  /** Those that were hidden a moment ago. */
  private get lastHidden(): ReadonlyMap<string, { pid?: number }> {
    const since = this.now() - LATE_MS;
    for (const [id, { at }] of this.lately) if (at < since) this.lately.delete(id);
    return this.lately;
  }

  private wasHidden(window: string, pid: number | undefined): void {
    this.lately.set(window, { at: this.now(), ...(pid !== undefined && { pid }) });
  }

  private turn(window: string): void {
    this.suspects.add(window);
    this.wasHidden(window, this.all.find(({ id }) => id === window)?.pid);
    this.turned += 1;
    this.onTurn(window);
  }

  /** `told`: what an event says of a window that no list had yet. */
  private hidesTitled(rules: WindowRules, id: string, title: string, told: Told = {}): boolean {
    const { app: appName = null, program = null } = this.all.find((window) => window.id === id) ?? told;
    return rules.hidden({ title, appName, program }) !== undefined;
  }
}

interface Told {
  app?: string;
  program?: string;
}

export const listed = ({ id, [WHOLE]: whole, title, app, program, pid, of, role }: WindowNode) => ({
  ...{ id, title: whole ?? title, appName: app, belongs: role !== 'window' },
  ...(program !== undefined && { program }),
  ...(pid !== undefined && { pid }),
  ...(of !== undefined && { of }),
});

export function hiddenByPolicyError(what: string, where: 'window' | 'tab' = 'window'): DesktopError {
  return new DesktopError('policy_denied', `${what} is in a ${where} that the policy hides.`, {
    retry: 'no',
    hint: `work in another ${where}, or ask a person to do this.`,
    details: { rule: 'windows/blocked' },
  });
}

/** The mouse may not go where a hidden window is in front, whatever is behind it. */
export function refuseHidden(
  { hiddenWindows }: { hiddenWindows: Pick<HiddenWindows, 'frontAt' | 'hides'> },
  point: Point,
): void {
  const front = hiddenWindows.frontAt(point);
  if (front && hiddenWindows.hides(front.id)) throw hiddenByPolicyError(`What is at ${point.x},${point.y}`);
}

/** For whoever finds nothing: that there is more, and no word of what it is. */
export const moreHidden = (count: number): string =>
  count === 0 ? '' : ` policy hides ${count === 1 ? '1 window' : `${count} windows`}.`;
