import { Deadline, DesktopError, type Delivered } from '../../shared/index.js';
import { contains, type WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Person, Use } from './person.js';

/** How far an act has come. */
export interface SoFar {
  /** `12 of 40 characters went in` */
  words?: string;
  details?: Record<string, unknown>;
}

/** Ends what the hands do when the person takes mouse or keyboard. */
export interface Cut {
  deadline: Deadline;
  /** It was the person who ended it. */
  readonly made: boolean;
  end(): void;
}

/** One act's manners towards the person at the same mouse and keyboard: they come first. */
export class GiveWay {
  /** The worst of all that the act has sent so far. */
  private sent: Delivered = 'no';

  constructor(
    private readonly desktop: Desktop,
    private readonly window: WindowInfo | undefined,
    /** Until when the act may begin or go on. */
    private readonly ready: Deadline,
    private readonly deadline: Deadline,
  ) {}

  private get person(): Person {
    return this.desktop.person;
  }

  /** Something of the act has gone out, or may have. */
  went(delivered: Delivered): void {
    if (delivered !== 'no' && this.sent !== 'yes') this.sent = delivered;
  }

  /** Before mouse and keys: until the person has let go. What was begun goes on only if they left it as it was. */
  async beforeInput(soFar: SoFar = {}): Promise<void> {
    await this.person.watched(this.deadline);
    if (this.person.unwatched !== undefined && this.desktop.kind === 'seat') throw unwatched(this.person.unwatched);
    if (!this.person.busy) return;
    const use = this.person.lastUse!;
    const began = performance.now();
    this.checkKeys(use, soFar);
    if (!(await this.person.quiet(this.ready))) throw this.stillBusy(use, began, soFar);
    this.checkKeys(use, soFar);
    if (this.sent !== 'no' && use.kinds.has('button')) await this.checkPlace(use, soFar);
  }

  /** Before what needs neither: it waits only if the person works in that window. */
  async beforePattern(window: string): Promise<void> {
    await this.person.watched(this.deadline);
    if (!this.person.busy) return;
    const use = this.person.lastUse!;
    const { windows } = await this.desktop.listWindows(this.deadline);
    const theirs = await this.windowsOf(use, windows);
    if (!theirs.has(rootOf(window, windows))) return;
    const began = performance.now();
    if (!(await this.person.quiet(this.ready))) throw this.stillBusy(use, began);
  }

  cut(within: Deadline): Cut {
    const { signal } = within;
    const ending = new AbortController();
    const abort = (): void => ending.abort();
    let made = false;
    const stop = this.person.onUse(() => {
      made = true;
      abort();
    });
    if (signal?.aborted) abort();
    signal?.addEventListener('abort', abort, { once: true });
    return {
      deadline: Deadline.in(within.remaining(), ending.signal),
      get made() {
        return made && signal?.aborted !== true;
      },
      end: () => {
        stop();
        signal?.removeEventListener('abort', abort);
      },
    };
  }

  /** The person came in while something was under way that cannot be taken up again. */
  interrupted(error: DesktopError, soFar: SoFar): DesktopError {
    return this.changed(this.person.lastUse, 'so it was ended there', soFar, error);
  }

  /** Their keys went where ours go. */
  private checkKeys(use: Use, soFar: SoFar): void {
    if (this.sent === 'no' || !use.kinds.has('key')) return;
    throw this.changed(use, 'so it does not go on by itself', soFar);
  }

  /** A click may have moved the caret in our window, or taken the focus away from it. */
  private async checkPlace(use: Use, soFar: SoFar): Promise<void> {
    const { windows } = await this.desktop.listWindows(this.deadline);
    const ours = this.window && rootOf(this.window.id, windows);
    const there = windows.find(({ active }) => active);
    const moved = ours === undefined || !there || rootOf(there.id, windows) !== ours;
    if (!moved && !(await this.windowsOf(use, windows)).has(ours)) return;
    throw this.changed(use, 'so it does not go on by itself', soFar);
  }

  private stillBusy(use: Use, began: number, { words, details }: SoFar = {}): DesktopError {
    const ms = performance.now() - began;
    const waited = ms > 100 ? `, for ${Math.round(ms)} ms` : '';
    const done = words === undefined ? '' : `; ${words}`;
    const fresh = this.sent === 'no';
    return new DesktopError('not_ready', `The person is using ${devices(use)}${waited}${done}.`, {
      delivered: this.sent,
      ...(fresh && { retry: 'after' as const, retryAfter: 'they have let go of mouse and keyboard' }),
      hint: 'wait a little; they come first.',
      ...(details && { details }),
    });
  }

  private changed(use: Use | undefined, why: string, { words, details }: SoFar, cause?: unknown): DesktopError {
    const done = words === undefined ? '' : `; ${words}`;
    return new DesktopError('target_changed', `The person used ${devices(use)} during the act, ${why}${done}.`, {
      delivered: this.sent,
      retry: 'no',
      hint: 'look what is there now: ui_snapshot.',
      ...(details && { details }),
      ...(cause !== undefined && { cause }),
    });
  }

  /** Where the person is: keys go to the active window, the mouse is over one. */
  private async windowsOf({ kinds }: Use, windows: readonly WindowInfo[]): Promise<ReadonlySet<string>> {
    const found: (WindowInfo | undefined)[] = [];
    const mouse = kinds.has('motion') || kinds.has('button');
    if (kinds.has('key')) found.push(windows.find(({ active }) => active));
    const at = mouse ? await this.desktop.driver.hands?.pointer({ deadline: this.deadline }) : undefined;
    if (at) {
      const under = ({ visible, minimised, bounds }: WindowInfo): boolean =>
        visible && !minimised && bounds !== undefined && contains(bounds, at);
      found.push(windows.find(under));
    } else if (mouse) found.push(windows.find(({ active }) => active));
    return new Set(found.filter((one) => one !== undefined).map(({ id }) => rootOf(id, windows)));
  }
}

/** Dialogs and menus belong to a window; what happens to them happens to it. */
function rootOf(id: string, windows: readonly WindowInfo[]): string {
  let here = windows.find((window) => window.id === id);
  for (let steps = windows.length; here?.of !== undefined && steps > 0; steps--) {
    const owner = windows.find(({ ref }) => ref === here!.of);
    if (!owner) break;
    here = owner;
  }
  return here?.id ?? id;
}

const BOTH = 'mouse and keyboard';

function devices(use: Use | undefined): string {
  const mouse = use?.kinds.has('motion') === true || use?.kinds.has('button') === true;
  if (mouse && use?.kinds.has('key')) return BOTH;
  return mouse ? 'the mouse' : use?.kinds.has('key') ? 'the keyboard' : BOTH;
}

function unwatched(reason: string): DesktopError {
  const why = reason.replace(/[.\s]+$/, '');
  const message = `Nobody can tell whether the person is using mouse or keyboard (${why}), so they are left alone.`;
  return new DesktopError('not_ready', message, {
    hint: 'acts that need neither still work: method "pattern". deskproof doctor tells more.',
  });
}
