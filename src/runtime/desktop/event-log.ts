import { BoundedMap } from '../../shared/index.js';
import { BACKGROUND_TABS } from '../visibility/hidden-tabs.js';
import type { DriverEvent } from '../../drivers/contract/index.js';

/** An app may report the changes of typed keys this long after it showed them. */
const LATE_MS = 5_000;

/** Events that a key can cause: in the field, in a display of its text or length, the title, the focus, a completion list. */
const BY_KEYS: ReadonlySet<DesktopEvent['what']> = new Set(['changed', 'title', 'focus', 'active', 'opened', 'closed']);
const BY_LATE_KEYS: ReadonlySet<DesktopEvent['what']> = new Set(['changed', 'title']);
/** If only the first of these is reported during typing, the final state must be reported at the end. */
const LASTS: ReadonlySet<DesktopEvent['what']> = new Set(['title', 'focus', 'active']);

/** Reports each event only once while a secret is typed: one event per key would reveal the length of the secret. */
export class SecretTypingThrottle<T> {
  private typing = 0;
  private lateUntil = -Infinity;
  private readonly emitted = new Set<string>();
  private readonly pending = new Map<string, T>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Starts throttling. Call the returned function to end it; it returns the events to report at the end. */
  begin(): () => T[] {
    this.typing += 1;
    return () => {
      this.typing -= 1;
      this.lateUntil = this.now() + LATE_MS;
      const last = [...this.pending.values()];
      this.emitted.clear();
      this.pending.clear();
      return last;
    };
  }

  /** Whether to report the event now. `about` identifies its subject. */
  passes({ what, window }: DesktopEvent, about: string, entry: T): boolean {
    const kinds = this.typing > 0 ? BY_KEYS : this.now() < this.lateUntil ? BY_LATE_KEYS : undefined;
    if (!kinds?.has(what)) return true;
    const comesAndGoes = what === 'opened' || what === 'closed';
    if (comesAndGoes && window?.role !== 'popup') return true;
    const key = `${what} ${comesAndGoes ? '' : about}`;
    const lasts = LASTS.has(what) && (what === 'title' ? key : what);
    if (lasts) this.pending.delete(lasts);
    if (!this.emitted.has(key)) {
      this.emitted.add(key);
      return true;
    }
    if (lasts && this.typing > 0) this.pending.set(lasts, entry);
    return false;
  }
}

export interface WindowWords {
  ref: string;
  role: string;
  title: string;
  app: string;
}

export interface ElementWords {
  /** Absent if no snapshot has contained the element yet. */
  ref?: string;
  role: string;
  name?: string;
  /** Changes are reported once during typing: one per key would reveal the length. */
  secret?: true;
}

/** User activity: started using a device, stopped using it, stopped everything, resumed, can no longer be detected. @public */
export type UserEvent = 'pause' | 'resume' | 'stop' | 'continue' | 'unwatched';

/** An event that a user would notice, described at the moment it happened. */
export interface DesktopEvent {
  /** Milliseconds since the epoch. */
  at: number;
  what: 'opened' | 'closed' | 'title' | 'active' | 'focus' | 'changed' | 'notification' | 'lost' | UserEvent;
  window?: WindowWords;
  element?: ElementWords;
  /** The text of a notification, the reason of `lost` or `stop`, the device of `pause`. */
  text?: string;
  app?: string;
  /** How many times it happened in a row. */
  times?: number;
}

/** Resolves driver ids to windows and elements. */
export interface EventContext {
  window(id: string): WindowWords | undefined;
  element(id: string): ElementWords | undefined;
  /** The id of the window that contains the element. */
  windowOf(id: string): string | undefined;
  /** The names of the background tabs that contain the element. */
  behind?(id: string): readonly string[];
}

export interface Since {
  /** The time of the caller's last query, or the start of the log. */
  since: number;
  events: DesktopEvent[];
  /** Older events were dropped. */
  missed: boolean;
}

const KEPT = 500;
const CALLERS = 256;

interface Entry {
  seq: number;
  subject: string;
  event: DesktopEvent;
}

/** Keeps events and reports each one to each caller once. */
export class EventLog {
  private readonly began = Date.now();
  private readonly entries: Entry[] = [];
  private seq = 0;
  /** Sequence number of the last dropped entry. */
  private forgotten = 0;
  private readonly callers = new BoundedMap<string, { seq: number; at: number }>(CALLERS);

  /** Secret fields whose change was reported, until the focus moves. */
  private readonly reportedSecrets = new Set<string>();
  private readonly once = new SecretTypingThrottle<[DesktopEvent, string]>();

  private readonly listeners = new Set<(event: DesktopEvent) => void>();
  /** Per caller: the last sequence number when its last call ended. */
  private readonly calls = new BoundedMap<string, number>(CALLERS);

  constructor(private readonly namer: EventContext) {}

  /** Calls the listener for each event. Returns a function to unsubscribe. */
  listen(listener: (event: DesktopEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Adds a driver event. Paint events, child changes and the like are not reported to callers. */
  take(event: DriverEvent): void {
    const described = this.wordsOf(event);
    if (!described) return;
    const subject = `${described.what} ${described.what === 'focus' ? '' : subjectOf(event)}`;
    if (!this.once.passes(described, subjectOf(event), [described, subject])) return;
    if (!this.wasReported(described, subject)) this.add(described, subject);
  }

  /** Throttles events while a secret is typed, until the returned function is called. */
  secretTyped(): () => void {
    const end = this.once.begin();
    return () => {
      for (const [event, subject] of end()) this.add(event, subject);
    };
  }

  /** Adds an event that does not come from a driver. */
  addUserEvent(what: UserEvent, text?: string): void {
    this.add({ at: Date.now(), what, ...(text !== undefined && { text }) }, what);
  }

  private add(event: DesktopEvent, subject: string): void {
    for (const listener of this.listeners) listener(event);
    const last = this.entries.at(-1);
    if (last?.subject === subject && event.what !== 'notification') {
      // Repetitions are joined. The new number makes sure that callers who read the earlier one get this one too.
      const times = (last.event.times ?? 1) + 1;
      Object.assign(last, { seq: ++this.seq, event: { ...event, times } });
      return;
    }
    this.entries.push({ seq: ++this.seq, subject, event });
    if (this.entries.length > KEPT) this.forgotten = this.entries.shift()!.seq;
  }

  /** Drops events from inside a window that policy hides now: they may already be about the hidden content. */
  forget(ref: string | undefined): void {
    const inside = ({ element, window }: DesktopEvent): boolean =>
      element !== undefined && (window === undefined || window.ref === ref);
    const kept = this.entries.filter(({ event }) => !inside(event));
    this.entries.splice(0, this.entries.length, ...kept);
  }

  /** All events since this caller's last query, oldest first. Stores the time of this query. */
  since(caller: string, wanted: (event: DesktopEvent) => boolean = () => true): Since {
    const before = this.callers.get(caller) ?? { seq: 0, at: this.began };
    this.remember(caller);
    const fresh = this.entries.filter((entry) => entry.seq > before.seq);
    const events = fresh.map((entry) => entry.event).filter(wanted);
    return { since: before.at, events, missed: this.forgotten > before.seq };
  }

  /** Important events between the caller's last call and now. None before the first call. */
  eventsSinceLastCall(caller: string): DesktopEvent[] {
    const before = this.calls.get(caller);
    if (before === undefined) return [];
    return this.entries.filter(({ seq, event }) => seq > before && isNews(event)).map((one) => one.event);
  }

  callEnded(caller: string): void {
    this.calls.set(caller, this.seq);
  }

  private wasReported({ what, element }: DesktopEvent, subject: string): boolean {
    if (what === 'focus') this.reportedSecrets.clear();
    if (what !== 'changed' || !element?.secret) return false;
    const before = this.reportedSecrets.has(subject);
    this.reportedSecrets.add(subject);
    return before;
  }

  private remember(caller: string): void {
    this.callers.set(caller, { seq: this.seq, at: Date.now() });
  }

  private wordsOf(event: DriverEvent): DesktopEvent | undefined {
    const id = event.window ?? ('element' in event ? this.namer.windowOf(event.element) : undefined);
    const window = id === undefined ? undefined : this.namer.window(id);
    const behind = ('element' in event && this.namer.behind?.(event.element)) || [];
    const place = { at: event.at, ...(window && { window }), ...(behind.length > 0 && { [BACKGROUND_TABS]: behind }) };
    switch (event.type) {
      case 'window':
        return event.change === 'moved' || !window ? undefined : { ...place, what: event.change };
      case 'focus': {
        const element = this.namer.element(event.element) ?? { role: event.role ?? 'unknown', name: event.name };
        return { ...place, what: 'focus', element };
      }
      case 'text':
      case 'value': {
        const element = this.namer.element(event.element);
        return element && { ...place, what: 'changed', element };
      }
      case 'notification':
        return { ...place, what: 'notification', text: event.text, ...(event.app && { app: event.app }) };
      case 'lost':
        return { ...place, what: 'lost', text: event.reason };
      case 'state':
      case 'children':
      case 'name':
      case 'damage':
      case 'clipboard':
        return undefined;
    }
  }
}

/** Events that are added to an answer without a request. Menus and tooltips are not: most acts open or close some. */
const NEWS: ReadonlySet<DesktopEvent['what']> = new Set(['opened', 'closed', 'notification', 'pause']);

function isNews({ what, window }: DesktopEvent): boolean {
  return NEWS.has(what) && window?.role !== 'popup';
}

function subjectOf(event: DriverEvent): string {
  return 'element' in event ? event.element : (event.window ?? '');
}
