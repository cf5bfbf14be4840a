import { debug, Deadline } from '../../shared/index.js';
import type { Finding } from '../contract/index.js';
import { differences } from './compare-trees.js';
import { FIRST_TRUST_MS, type KeptAnswer, type WarmWindow } from './warm-window.js';

/** An app of which all was as remembered is asked less and less often. */
const LONGEST_TRUST_MS = 120_000;
/** After the answer that it follows, so as not to be in the way of the next one. */
const LATER_MS = 500;
const LIMIT_MS = 5000;
/** News of what happened during the check may still be on their way. */
const NEWS_MS = 100;

/** What `doctor` tells of it. */
export interface WarmNumbers {
  looks: number;
  /** Answered without a call. */
  warm: number;
  checks: number;
  differences: number;
}

/** The window as its app tells it now, past all memory, and all else that this depends on; undefined without it. */
export type FreshRead = (
  window: string,
  options: KeptAnswer['options'],
  deadline: Deadline,
) => Promise<Pick<KeptAnswer, 'answer' | 'situation'> | undefined>;

/**
 * While remembered answers are in use, one is compared now and then with what the app says. What differs without any
 * sign is a fault of ours or an app that announces and draws nothing; it is counted, and all of the app is forgotten.
 */
export class WarmCheck {
  private readonly timers = new Set<NodeJS.Timeout>();
  private closed = false;

  constructor(
    private readonly fresh: FreshRead,
    private readonly numbers: WarmNumbers,
  ) {}

  /** After an answer of this kind was given from memory. */
  schedule(id: string, window: WarmWindow, kind: string): void {
    const now = performance.now();
    if (this.closed || now - window.checkedAt < window.trustedForMs) return;
    window.checkedAt = now;
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      void this.check(id, window, kind);
    }, LATER_MS);
    timer.unref();
    this.timers.add(timer);
  }

  close(): void {
    this.closed = true;
    for (const timer of this.timers) clearTimeout(timer);
    this.timers.clear();
  }

  async check(id: string, window: WarmWindow, kind: string): Promise<void> {
    const { memory } = window.link;
    const kept = window.answers.get(kind);
    const mark = memory.begin();
    if (!kept || kept.version !== memory.version) return;
    try {
      const fresh = await this.fresh(id, kept.options, Deadline.in(LIMIT_MS));
      await new Promise((wake) => setTimeout(wake, NEWS_MS).unref());
      if (!fresh || fresh.answer.degraded || fresh.situation !== kept.situation) return;
      if (this.closed || !memory.isQuiet(mark)) return;
      this.numbers.checks++;
      const found = differences(kept.answer.root, fresh.answer.root);
      window.trustedForMs = found.length > 0 ? FIRST_TRUST_MS : Math.min(LONGEST_TRUST_MS, 2 * window.trustedForMs);
      if (found.length === 0) return;
      this.numbers.differences++;
      const kinds = [...new Set(found.map(({ what }) => what))];
      debug('warm', () => `${id} of process ${window.link.pid} was not as remembered: ${kinds.join(', ')}`);
      memory.forgetAll();
    } catch (error) {
      // The app hangs or has ended: whoever reads it next is told.
      debug('warm', () => `${id} was not checked: ${String(error)}`);
    }
  }
}

/** One line for `doctor`; none where nothing was read yet. */
export function examineWarmth({ looks, warm, checks, differences: wrong }: WarmNumbers): Finding[] {
  if (looks === 0) return [];
  const number = (value: number): string => value.toLocaleString('en-US');
  const what = `warm tree: ${number(looks)} looks, ${number(warm)} without a call, ${number(checks)} checks, ${number(wrong)} differences`;
  if (wrong === 0) return [{ level: 'ok', what }];
  const fix = 'Wrong looks are corrected by the check; DESKPROOF_DEBUG=warm tells which app it was.';
  return [{ level: 'warn', what, fix }];
}
