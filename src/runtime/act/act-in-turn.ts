import { Deadline } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import type { Approval, Line } from '../govern/approval.js';
import { askAndGrant } from '../govern/ask-and-grant.js';
import type { Asked } from '../govern/asked.js';
import { Reader } from '../reader.js';
import type { ActTool } from '../tool.js';
import type { Proved } from './overall.js';
import { performAct } from './perform-act.js';
import type { ActResult } from './result.js';

const SETTLE_MS = 500;
const FINISH_MS = 5_000;
const LONGEST_MS = 10 * 60_000;
/** After a person has answered, the target is found again. */
const AFTER_ASKING_MS = 2_000;

export interface Wanted {
  asked: Asked;
  line: Line;
  /** How long the target may take to become ready. */
  limitMs: number;
  /** From here on it writes its own record. */
  onBegun?: () => void;
  onProved?: (proved: Proved) => void;
}

/**
 * Acts take turns. Their limit is for becoming ready; what was begun in time gets the time to be finished and proved. A
 * person who is asked takes their own time, and nobody else acts meanwhile.
 */
export async function actInTurn(desktop: Desktop, tool: ActTool, wanted: Wanted): Promise<ActResult> {
  const { line, limitMs, onBegun, onProved } = wanted;
  let { asked } = wanted;
  const meanwhile = desktop.log.meanwhile(asked.caller).filter((one) => desktop.sight?.hears(one) ?? true);
  const { settleMs = SETTLE_MS, verify } = asked.args as { settleMs?: number; verify?: unknown };
  const verifyMs = verify === undefined ? 0 : limitMs;
  const first = Deadline.in(limitMs, line.signal);
  const result = await desktop.turns.take(first, async () => {
    let approval: Approval | undefined;
    for (let ready = first; ;) {
      const finishMs = FINISH_MS + Math.min(tool.longerMs?.(asked.args) ?? 0, LONGEST_MS);
      const deadline = Deadline.in(ready.remaining() + settleMs + verifyMs + finishMs, line.signal);
      const reader = new Reader(desktop, deadline, asked.caller, line.onProgress);
      const times = { reader, ready, deadline, settleMs, verifyMs };
      const done = await performAct(desktop, tool, {
        asked,
        ...times,
        ...(approval && { approval }),
        ...(onBegun && { onBegun }),
        ...(onProved && { onProved }),
      });
      if ('result' in done) return done.result;
      const left = Math.max(ready.remaining(), AFTER_ASKING_MS);
      // More may be known of it by now than was at first.
      ({ asked } = done.ask);
      approval = await askAndGrant(desktop, done.ask, line, approval);
      delete desktop.sight?.owed;
      ready = Deadline.in(left, line.signal);
    }
  });
  return meanwhile.length > 0 ? { ...result, meanwhile } : result;
}
