import { setTimeout as pause } from 'node:timers/promises';
import { Deadline, debug } from '../../../shared/index.js';
import type { Box, Node, Role, States } from '../../../tree/index.js';
import type { Finding } from '../../contract/index.js';
import { FIRST_CHECK_MS, type CachedAnswer, type CachedWindow } from './cached-window.js';

/** The interval grows up to this while no difference is found. */
const MAX_CHECK_INTERVAL_MS = 120_000;
/** Delay after the answer, so that the check does not slow down the next call. */
const CHECK_DELAY_MS = 500;
const CHECK_TIMEOUT_MS = 5000;
/** Events from the time of the check may still be on their way. */
const EVENT_DELAY_MS = 100;

/** Numbers that `doctor` reports. */
export interface CacheStats {
  reads: number;
  /** Answered without a call. */
  hits: number;
  checks: number;
  differences: number;
}

/**
 * Reads the window without the cache. Also returns everything else that the answer depends on. Undefined if the window
 * is gone.
 */
export type FreshRead = (
  window: string,
  options: CachedAnswer['options'],
  deadline: Deadline,
) => Promise<Pick<CachedAnswer, 'answer' | 'windowState'> | undefined>;

/**
 * While the cache is in use, its answer is compared with a fresh read from time to time. A difference without any event
 * or redraw is a bug of ours, or an app that neither sends events nor draws. It is counted, and the app's whole cache
 * is cleared.
 */
export class CacheSelfCheck {
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly readFresh: FreshRead,
    private readonly stats: CacheStats,
  ) {}

  /** Call this after an answer of this kind was served from the cache. */
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
    const { cache: cache } = window.link;
    const answer = window.answers.get(kind);
    const mark = cache.begin();
    if (!answer || answer.version !== cache.version) return;
    try {
      const fresh = await this.readFresh(id, answer.options, Deadline.in(CHECK_TIMEOUT_MS));
      await pause(EVENT_DELAY_MS, undefined, { ref: false });
      if (!fresh || fresh.answer.degraded || fresh.windowState !== answer.windowState) return;
      if (this.closed || !cache.isUndisturbed(mark)) return;
      this.stats.checks++;
      const found = compareTrees(answer.answer.root, fresh.answer.root);
      window.checkIntervalMs =
        found.length > 0 ? FIRST_CHECK_MS : Math.min(MAX_CHECK_INTERVAL_MS, 2 * window.checkIntervalMs);
      if (found.length === 0) return;
      this.stats.differences++;
      const kinds = [...new Set(found.map(({ what }) => what))];
      debug('cache', () => `${id} of process ${window.link.pid} differed from the cache: ${kinds.join(', ')}`);
      cache.clear();
    } catch (error) {
      // The app hangs or has ended. The next read reports it.
      debug('cache', () => `${id} was not checked: ${String(error)}`);
    }
  }
}

/** One line for `doctor`. None before the first read. */
export function reportCacheStats({ reads, hits, checks, differences: wrong }: CacheStats): Finding[] {
  if (reads === 0) return [];
  const number = (value: number): string => value.toLocaleString('en-US');
  const what = `tree cache: ${number(reads)} reads, ${number(hits)} without a call, ${number(checks)} checks, ${number(wrong)} differences`;
  if (wrong === 0) return [{ level: 'ok', what }];
  const fix = 'The check corrects wrong cached trees. Set DESKPROOF_DEBUG=cache to see which app was affected.';
  return [{ level: 'warn', what, fix }];
}

/** The values of these roles change without any event or redraw. */
const CHANGING_ROLES: ReadonlySet<Role> = new Set<Role>(['progressbar', 'meter', 'timer']);
const TOLERANCE_PX = 2;
/** Enough to see what is wrong. */
const MAX_DIFFERENCES = 20;

interface Difference {
  what: string;
  /** Contains text from the screen. */
  detail: string;
}

/**
 * The differences between a cached and a fresh tree. Not compared: off-screen elements, the focus in an inactive
 * window, and values that change by themselves.
 */
export function compareTrees(remembered: Node, fresh: Node): Difference[] {
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
      found.push({ what, detail: `${where}: ${what} ${text(was)}, not ${text(is)}` });
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
