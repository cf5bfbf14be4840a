import { BoundedMap } from '../../shared/index.js';
import { BACKGROUND_TABS } from '../visibility/hidden-tabs.js';
import type { DriverEvent } from '../../drivers/contract/index.js';

/** What an app says of keys may come after it has shown what they did. */
const LATE_MS = 5_000;

/** By each key an app may change the field, what shows its text or its length, the title, the focus, a list of completions. */
const BY_KEYS: ReadonlySet<DesktopEvent['what']> = new Set(['changed', 'title', 'focus', 'active', 'opened', 'closed']);
const BY_LATE_KEYS: ReadonlySet<DesktopEvent['what']> = new Set(['changed', 'title']);
/** Whoever hears of it but once must hear how it ended. */
const LASTS: ReadonlySet<DesktopEvent['what']> = new Set(['title', 'focus', 'active']);

/** While a secret is typed everything is told once: as often as there are keys, it would tell how long the secret is. */
export class SecretTypingThrottle<T> {
  private typing = 0;
  private lateUntil = -Infinity;
  private readonly told = new Set<string>();
  private readonly unsaid = new Map<string, T>();

  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Until the answer is called, which gives what has to be told at the end. */
  begin(): () => T[] {
    this.typing += 1;
    return () => {
      this.typing -= 1;
      this.lateUntil = this.now() + LATE_MS;
      const last = [...this.unsaid.values()];
      this.told.clear();
      this.unsaid.clear();
      return last;
    };
  }

  /** Whether it is to be told now; `about` is what it happened to. */
  passes({ what, window }: DesktopEvent, about: string, entry: T): boolean {
    const kinds = this.typing > 0 ? BY_KEYS : this.now() < this.lateUntil ? BY_LATE_KEYS : undefined;
    if (!kinds?.has(what)) return true;
    const comesAndGoes = what === 'opened' || what === 'closed';
    if (comesAndGoes && window?.role !== 'popup') return true;
    const key = `${what} ${comesAndGoes ? '' : about}`;
    const lasts = LASTS.has(what) && (what === 'title' ? key : what);
    if (lasts) this.unsaid.delete(lasts);
    if (!this.told.has(key)) {
      this.told.add(key);
      return true;
    }
    if (lasts && this.typing > 0) this.unsaid.set(lasts, entry);
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
  /** Absent when nobody has looked at it yet. */
  ref?: string;
  role: string;
  name?: string;
  /** Told once while it is typed into: as many changes as keys would tell how long it is. */
  secret?: true;
}

/** The person took mouse or keyboard, let go of them, stopped everything, lets it go on, cannot be noticed any more. @public */
export type UserEvent = 'pause' | 'resume' | 'stop' | 'continue' | 'unwatched';

/** Something that a person would have noticed, in the words of that moment. */
export interface DesktopEvent {
  /** Milliseconds since the epoch. */
  at: number;
  what: 'opened' | 'closed' | 'title' | 'active' | 'focus' | 'changed' | 'notification' | 'lost' | UserEvent;
  window?: WindowWords;
  element?: ElementWords;
  /** Of a notification; of a lost source or a stop, the reason; of a pause, the device. */
  text?: string;
  app?: string;
  /** How often it happened in a row. */
  times?: number;
}

/** Who is meant by a driver's id, as far as it is known now. */
export interface EventContext {
  window(id: string): WindowWords | undefined;
  element(id: string): ElementWords | undefined;
  /** The id of the window that an element is in. */
  windowOf(id: string): string | undefined;
  /** The names of the tabs that it is in and that are not in front. */
  behind?(id: string): readonly string[];
}

export interface Since {
  /** When the caller asked last, or when the log began. */
  since: number;
  happenings: DesktopEvent[];
  /** More happened than was kept. */
  missed: boolean;
}

const KEPT = 500;
const CALLERS = 256;

interface Entry {
  seq: number;
  subject: string;
  happening: DesktopEvent;
}

/** What happened, told to each caller once. */
export class EventLog {
  private readonly began = Date.now();
  private readonly entries: Entry[] = [];
  private seq = 0;
  /** The last one that was dropped to keep the log bounded. */
  private forgotten = 0;
  private readonly callers = new BoundedMap<string, { seq: number; at: number }>(CALLERS);

  /** Secret fields whose change was told, until the focus moves on. */
  private readonly toldSecrets = new Set<string>();
  private readonly once = new SecretTypingThrottle<[DesktopEvent, string]>();

  private readonly listeners = new Set<(event: DesktopEvent) => void>();
  /** The last entry that there was when a caller's last call ended. */
  private readonly calls = new BoundedMap<string, number>(CALLERS);

  constructor(private readonly namer: EventContext) {}

  /** Each happening as it comes, one by one; the answer ends it. */
  listen(listener: (event: DesktopEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Pixels, children and the like are signs for programs, not news for a caller. */
  take(event: DriverEvent): void {
    const happening = this.wordsOf(event);
    if (!happening) return;
    const subject = `${happening.what} ${happening.what === 'focus' ? '' : subjectOf(event)}`;
    if (!this.once.passes(happening, subjectOf(event), [happening, subject])) return;
    if (!this.wasTold(happening, subject)) this.add(happening, subject);
  }

  /** Until the answer is called nothing is told as often as a key is pressed. */
  secretTyped(): () => void {
    const end = this.once.begin();
    return () => {
      for (const [event, subject] of end()) this.add(event, subject);
    };
  }

  /** What no driver tells. */
  addUserEvent(what: UserEvent, text?: string): void {
    this.add({ at: Date.now(), what, ...(text !== undefined && { text }) }, what);
  }

  private add(event: DesktopEvent, subject: string): void {
    for (const listener of this.listeners) listener(event);
    const last = this.entries.at(-1);
    if (last?.subject === subject && event.what !== 'notification') {
      // Only the last of a row matters, but whoever has read the earlier one must hear of this one too.
      const times = (last.happening.times ?? 1) + 1;
      Object.assign(last, { seq: ++this.seq, happening: { ...event, times } });
      return;
    }
    this.entries.push({ seq: ++this.seq, subject, happening: event });
    if (this.entries.length > KEPT) this.forgotten = this.entries.shift()!.seq;
  }

  /** A window turned into one that nobody may know: what was heard from inside of it may be of that already. */
  forget(ref: string | undefined): void {
    const inside = ({ element, window }: DesktopEvent): boolean =>
      element !== undefined && (window === undefined || window.ref === ref);
    const kept = this.entries.filter(({ happening: event }) => !inside(event));
    this.entries.splice(0, this.entries.length, ...kept);
  }

  /** All since this caller's last question, oldest first; the question itself is remembered. */
  since(caller: string, wanted: (event: DesktopEvent) => boolean = () => true): Since {
    const before = this.callers.get(caller) ?? { seq: 0, at: this.began };
    this.remember(caller);
    const fresh = this.entries.filter((entry) => entry.seq > before.seq);
    const happenings = fresh.map((entry) => entry.happening).filter(wanted);
    return { since: before.at, happenings, missed: this.forgotten > before.seq };
  }

  /** What a caller should know that happened between their last call and now; nothing before their first. */
  eventsSinceLastCall(caller: string): DesktopEvent[] {
    const before = this.calls.get(caller);
    if (before === undefined) return [];
    return this.entries
      .filter(({ seq, happening: event }) => seq > before && isNews(event))
      .map((one) => one.happening);
  }

  callEnded(caller: string): void {
    this.calls.set(caller, this.seq);
  }

  private wasTold({ what, element }: DesktopEvent, subject: string): boolean {
    if (what === 'focus') this.toldSecrets.clear();
    if (what !== 'changed' || !element?.secret) return false;
    const before = this.toldSecrets.has(subject);
    this.toldSecrets.add(subject);
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
        return undefined;
    }
  }
}

/** Worth a line although nobody asked. Menus and tool tips come and go with what one does. */
const NEWS: ReadonlySet<DesktopEvent['what']> = new Set(['opened', 'closed', 'notification', 'pause']);

function isNews({ what, window }: DesktopEvent): boolean {
  return NEWS.has(what) && window?.role !== 'popup';
}

function subjectOf(event: DriverEvent): string {
  return 'element' in event ? event.element : (event.window ?? '');
}
