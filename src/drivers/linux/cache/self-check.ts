import { Deadline, debug } from '../../../shared/index.js';
import type { Box, Node, Role, States } from '../../../tree/index.js';
import type { Finding } from '../../contract/index.js';
import { FIRST_CHECK_MS, type CachedAnswer, type CachedWindow } from './cached-window.js';

/** An app of which all was as remembered is asked less and less often. */
const MAX_CHECK_INTERVAL_MS = 120_000;
/** After the answer that it follows, so as not to be in the way of the next one. */
const CHECK_DELAY_MS = 500;
const CHECK_TIMEOUT_MS = 5000;
/** News of what happened during the check may still be on their way. */
const EVENT_DELAY_MS = 100;

/** What `doctor` tells of it. */
export interface CacheStats {
  reads: number;
  /** Answered without a call. */
  hits: number;
  checks: number;
  differences: number;
}

/** The window as its app tells it now, past all memory, and all else that this depends on; undefined without it. */
export type FreshRead = (
  window: string,
  options: CachedAnswer['options'],
  deadline: Deadline,
) => Promise<Pick<CachedAnswer, 'answer' | 'windowState'> | undefined>;

/**
 * While remembered answers are in use, one is compared now and then with what the app says. What differs without any
 * sign is a fault of ours or an app that announces and draws nothing; it is counted, and all of the app is forgotten.
 */
export class CacheSelfCheck {
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly readFresh: FreshRead,
    private readonly stats: CacheStats,
  ) {}

  /** After an answer of this kind was given from memory. */
  schedule(id: string, window: CachedWindow, kind: string): void {
    const now = performance.now();
    if (this.closed || now - window.checkedAt < window.checkIntervalMs) return;
    window.checkedAt = now;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.check(id, window, kind);
    }, CHECK_DELAY_MS);
    timer.unref();
    this.timers.add(timer);
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  async check(id: string, window: CachedWindow, kind: string): Promise<void> {
    const { memory: cache } = window.link;
    const answer = window.answers.get(kind);
    const mark = cache.begin();
    if (!answer || answer.version !== cache.version) return;
    try {
      const fresh = await this.readFresh(id, answer.options, Deadline.in(CHECK_TIMEOUT_MS));
      await new Promise((wake) => setTimeout(wake, EVENT_DELAY_MS).unref());
      if (!fresh || fresh.answer.degraded || fresh.windowState !== answer.windowState) return;
      if (this.closed || !cache.isUndisturbed(mark)) return;
      this.stats.checks++;
      const found = differences(answer.answer.root, fresh.answer.root);
      window.checkIntervalMs =
        found.length > 0 ? FIRST_CHECK_MS : Math.min(MAX_CHECK_INTERVAL_MS, 2 * window.checkIntervalMs);
      if (found.length === 0) return;
      this.stats.differences++;
      const kinds = [...new Set(found.map(({ what }) => what))];
      debug('warm', () => `${id} of process ${window.link.pid} was not as remembered: ${kinds.join(', ')}`);
      cache.clear();
    } catch (error) {
      // The app hangs or has ended: whoever reads it next is told.
      debug('warm', () => `${id} was not checked: ${String(error)}`);
    }
  }
}

/** One line for `doctor`; none where nothing was read yet. */
export function examineWarmth({ reads, hits, checks, differences: wrong }: CacheStats): Finding[] {
  if (reads === 0) return [];
  const number = (value: number): string => value.toLocaleString('en-US');
  const what = `warm tree: ${number(reads)} looks, ${number(hits)} without a call, ${number(checks)} checks, ${number(wrong)} differences`;
  if (wrong === 0) return [{ level: 'ok', what }];
  const fix = 'Wrong looks are corrected by the check; DESKPROOF_DEBUG=warm tells which app it was.';
  return [{ level: 'warn', what, fix }];
}

/** What these say changes by itself, without any sign. */
const CHANGING_ROLES: ReadonlySet<Role> = new Set<Role>(['progressbar', 'meter', 'timer']);
const TOLERANCE_PX = 2;
/** Enough to see what is wrong. */
const MAX_DIFFERENCES = 20;

export interface Difference {
  what: string;
  /** With the text of the screen in it. */
  words: string;
}

/**
 * How a remembered tree differs from a fresh one; empty when it does not. Not compared: what is not on the
 * screen, the focus of a window that has none, and what changes by itself.
 */
export function differences(remembered: Node, fresh: Node): Difference[] {
  const found: Difference[] = [];
  compareNodes(remembered, fresh, { where: fresh.role, active: fresh.states.active === true, found });
  return found;
}

interface Comparison {
  where: string;
  active: boolean;
  found: Difference[];
}

function compareNodes(a: Node, b: Node, { where, active, found }: Comparison): void {
  if (found.length >= MAX_DIFFERENCES) return;
  const report = (what: string, was: unknown, is: unknown): void => {
    if (JSON.stringify(was) !== JSON.stringify(is))
      found.push({ what, words: `${where}: ${what} ${text(was)}, not ${text(is)}` });
  };
  if (a.states.offscreen && b.states.offscreen) return;
  report('id', a.id, b.id);
  report('role', a.role, b.role);
  report('name', a.name, b.name);
  if (!CHANGING_ROLES.has(b.role)) report('value', a.value, b.value);
  for (const key of ['range', 'level', 'error', 'table', 'cell', 'items', 'unread', 'description'] as const) {
    report(key, a[key], b[key]);
  }
  report('states', statesOf(a.states, active), statesOf(b.states, active));
  if (!near(a.bounds, b.bounds)) report('bounds', a.bounds, b.bounds);
  report('children', a.children.map(childLabel), b.children.map(childLabel));
  b.children.forEach((child, index) => {
    const other = a.children[index];
    if (other) compareNodes(other, child, { where: `${where} > ${nameOf(child)}`, active, found });
  });
}

function statesOf(states: States, active: boolean): [string, unknown][] {
  return Object.entries(states)
    .filter(([name, value]) => value !== undefined && (active || name !== 'focused'))
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function near(a: Box | undefined, b: Box | undefined): boolean {
  if (!a || !b) return a === b;
  return (['x', 'y', 'width', 'height'] as const).every((side) => Math.abs(a[side] - b[side]) <= TOLERANCE_PX);
}

function nameOf({ role, name }: Node): string {
  return name === undefined ? role : `${role} ${JSON.stringify(name)}`;
}

function childLabel(node: Node): string {
  return node.states.offscreen ? node.role : nameOf(node);
}

function text(value: unknown): string {
  return JSON.stringify(value)?.slice(0, 300) ?? 'nothing';
}
