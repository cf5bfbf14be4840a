import { Deadline, DesktopError } from '../../shared/index.js';
import { parseRef } from '../../tree/index.js';
import { knownByName } from '../actionability/recheck-target.js';
import { aimWhenReady } from '../actionability/wait-actionable.js';
import { subjectOf } from '../approval/approval-subject.js';
import { type Approval, askAndGrant, type Line, type Matter, stillFits } from '../approval/ask-user.js';
import { coveredEnds, ruleEnds, withPathsNow } from '../authorization/authorize-act.js';
import type { Decided } from '../authorization/authorizer.js';
import type { Asked } from '../authorization/policy-request.js';
import { type Judged, judgedIn } from '../authorization/triggered-controls.js';
import { intentOf, recorded, seenHash } from '../call/audit-call.js';
import { freed, notePlain, type Presses, secretIn, withSecret } from '../call/secret-input.js';
import type { ActTool } from '../call/tool.js';
import type { Desktop } from '../desktop/desktop.js';
import { Reader } from '../observe/reader.js';
import { GiveWay } from '../user/input-arbiter.js';
import { nothingToDo, takenBy } from '../verify/action-result.js';
import type { Proved } from '../verify/batch-changes.js';
import { Verify } from '../verify/post-condition.js';
import { type Scenery, sceneryOf } from '../verify/ui-changes.js';
import { actAndProve, type Proving } from '../verify/verify-action.js';
import { inTime } from './action-errors.js';
import type { ActResult, ActionPlan, ActionReport } from './action.js';
import { Actor } from './actor.js';

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
  const result = await desktop.turns.run(first, async () => {
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

export interface ActCall extends Proving {
  asked: Asked;
  /** Until when the target may become ready. */
  ready: Deadline;
  /** What a person has said to it. */
  approval?: Approval;
  /** From here on it writes its own record. */
  onBegun?: () => void;
}

/** What became of it, or what a person has to be asked before anything is done. */
export type ActOutcome = { result: ActResult } | { ask: Matter };

type Doing = Pick<ActTool, 'name' | 'class' | 'aim' | 'act'>;

interface Made {
  actor?: Actor;
  done: boolean;
}

/** One act from aim to proof. The seat is ours while this runs. */
export async function performAct(desktop: Desktop, tool: Doing, given: ActCall): Promise<ActOutcome> {
  for (let call = given; ;) {
    const made: Made = { done: false };
    const work = aimAndAct(desktop, tool, call, made);
    const soFar = () => ({ delivered: made.actor?.delivered ?? ('no' as const), done: made.done });
    try {
      const outcome = await inTime(work, call.deadline, tool.name, soFar);
      if (!('presses' in outcome)) return outcome;
      call = { ...call, asked: { ...call.asked, presses: [...(call.asked.presses ?? []), ...outcome.presses] } };
    } catch (error) {
      // A selector means whatever fits it: what went away before anything was done is looked for again.
      if (soFar().delivered !== 'no' || call.ready.over || !wentAway(error, call.asked.args)) throw error;
      const { met = [] } = made.actor ?? {};
      call = { ...call, asked: { ...call.asked, meets: [...(call.asked.meets ?? []), ...met] } };
    }
  }
}

const GONE: ReadonlySet<string> = new Set(['stale_ref', 'target_changed']);

function wentAway(error: unknown, { target, from }: Asked['args']): boolean {
  if (!(error instanceof DesktopError) || error.delivered !== 'no') return false;
  if (!GONE.has(error.code) || error.details?.asked) return false;
  // A bare point means whatever lies there in its window, once that stays.
  if (error.details?.within === true) return true;
  const named = target ?? from;
  return typeof named === 'string' && parseRef(named.trim()) === undefined;
}

async function aimAndAct(desktop: Desktop, tool: Doing, call: ActCall, made: Made): Promise<ActOutcome | Presses> {
  const { asked, reader, ready, deadline } = call;
  const { args } = asked;
  const began = performance.now();
  const veil = desktop.veil.state;
  const verify = Verify.of(desktop, args.verify);
  const findAim = async (): Promise<ActionPlan> => knownByName(desktop, await tool.aim(reader, args), args);
  const { aim, windows } = await aimWhenReady(desktop, findAim, ready, deadline);
  notePlain(desktop, asked, aim);
  // Before the question, which is also about what the target is in now.
  const before = await sceneryOf(desktop, aim.window, deadline, windows);
  const judged: Judged = new Set();
  const permit = await permitAim(desktop, call, aim, before, judged);
  if ('ask' in permit) return permit;
  if (aim.already !== undefined) return { result: nothingToDo(desktop, aim, before, began) };
  const newActor = (): Actor =>
    new Actor(desktop, deadline, ready, reader, new GiveWay(desktop, aim.window, ready, deadline), judged);
  const actor = newActor();
  made.actor = actor;
  const proceed = async (words: Asked['args'], aimed: ActionPlan, scenery: Scenery): Promise<ActResult> => {
    const act = (): Promise<ActionReport> =>
      tool.act(actor, aimed, words as never).then((deed) => {
        made.done = true;
        freed(desktop, asked, aimed);
        return deed;
      });
    return actAndProve(desktop, act, call, { aim: aimed, before: scenery, actor, began, verify, veil });
  };
  const menus = await desktop.menus.besides(desktop, aim, deadline);
  if (menus.length === 0) await verify?.before(deadline);
  const { kind, name } = desktop.driver.describe();
  const intent = intentOf(asked, aim, permit.decided, {
    driver: `${kind}/${name}`,
    seen: seenHash(before.snapshot),
    ...(permit.approval && { approval: permit.approval }),
  });
  const work = async (words: Asked['args']): Promise<ActResult> => {
    if (menus.length === 0) return proceed(words, aim, before);
    const closed = await desktop.menus.close(desktop, menus, newActor());
    // To close another app's menu its window may have to be active.
    const { activated } = takenBy(before.windows, (await desktop.listWindows(deadline)).windows);
    const told = { closed, ...(activated !== undefined && { activated }) };
    // What was in their way, and what stood behind them, is looked at again.
    const { aim: again, windows: now } = await aimWhenReady(desktop, findAim, ready, deadline);
    const scenery = await sceneryOf(desktop, again.window, deadline, now);
    if ('ask' in (await permitAim(desktop, call, again, scenery, judged))) throw otherThanAsked(tool.name);
    if (secretIn(asked) !== undefined && again.target?.element.id !== aim.target?.element.id)
      throw otherThanAsked(tool.name);
    if (again.already !== undefined) return { ...nothingToDo(desktop, again, scenery, began), ...told };
    await verify?.before(deadline);
    return { ...told, ...(await proceed(words, again, scenery)) };
  };
  // A secret is known everywhere before anything of it is written down or done.
  const result = await withSecret(desktop, asked, aim, (words) => {
    call.onBegun?.();
    return recorded(
      desktop,
      intent,
      () => actor.delivered,
      () => work(words),
      ({ evidence }) => hashAfter(desktop, asked, aim, evidence.snapshotId),
    );
  });
  return 'presses' in result ? result : { result };
}

/** Not where something was written that is to stand nowhere: an app may show it in a form that nobody knows. */
function hashAfter({ shelf }: Desktop, asked: Asked, { target }: ActionPlan, snapshotId: string): string | undefined {
  if (secretIn(asked) !== undefined || asked.args.redactInLogs === true || target?.element.states.secret) return;
  const look = shelf.get(snapshotId);
  return look && seenHash(look);
}

interface Permit {
  decided: Decided;
  approval?: { by: string; scope: string; hash?: string };
}

/** The second question. What a person must be asked, and what they have said, is bound to this very target. */
async function permitAim(
  desktop: Desktop,
  call: ActCall,
  found: ActionPlan,
  { snapshot }: Scenery,
  judged: Judged,
): Promise<Permit | { ask: Matter }> {
  const { governor } = desktop;
  const { asked, approval, deadline } = call;
  const aim = await withPathsNow(desktop, found, deadline, snapshot);
  const ruling = ruleEnds(desktop, asked, aim, (one, facts) => governor.judge(one, facts));
  for (const one of judgedIn(ruling.aims)) judged.add(one);
  // A yes to the look is still needed where the act itself needs none.
  const decided = ruling.decided.answer === 'allow' ? (desktop.sight?.owed ?? ruling.decided) : ruling.decided;
  if (decided.answer === 'allow') return { decided };
  const subject = subjectOf(desktop.name, asked, aim, decided);
  if (approval && stillFits(approval, subject)) return { decided, approval };
  const grant = coveredEnds(desktop, ruling);
  if (grant) {
    delete desktop.sight?.owed;
    return { decided, approval: { by: `grant ${grant.id}`, scope: grant.scope } };
  }
  return { ask: { asked, decided, subject, aim } };
}

function otherThanAsked(tool: string): DesktopError {
  return new DesktopError('target_changed', `${tool} would now be done to something that nobody was asked about.`, {
    retry: 'safe',
    hint: 'try again: the menus that were in the way are closed.',
    details: { asked: true },
  });
}
