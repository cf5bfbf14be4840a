import type { Deadline } from '../../shared/index.js';
import { renderChanges, type Element } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { factsOf, permit, recorded, type Asked } from '../govern.js';
import type { Reader } from '../reader.js';
import type { ActTool } from '../tool.js';
import type { Aim, Deed } from './aim.js';
import { Actor } from './actor.js';
import { doubtFrom, outcomeOf, sameIn, sceneryOf, type Outcome, type Scenery } from './changes.js';
import { failedAct, hungAfter } from './failed-act.js';
import { aimWhenReady } from './ready.js';
import type { ActResult, ResolvedTarget, Seen } from './result.js';
import { inTime } from './in-time.js';
import { GiveWay } from '../seat/give-way.js';
import { readBackOf } from './read-back.js';
import { knownByName } from './same-target.js';
import { Settling } from './settle.js';
import { settledOutcome } from './settled-outcome.js';
import { takenBy } from './taken.js';
import { Verify } from './verify.js';
import { verifyFailed } from './verify-failed.js';
import type { Outcome as VerifyOutcome } from '../wait.js';

export interface ActCall {
  caller: string;
  reader: Reader;
  /** Until when the target may become ready. */
  ready: Deadline;
  /** Until when everything is over. */
  deadline: Deadline;
  settleMs: number;
  /** How long what must hold afterwards may take. */
  verifyMs: number;
}

const MOST_LINES = 10;
const MOST_TOKENS = 150;
const FEW_LINES = 3;

/** One act from aim to proof. The seat is ours while this runs. */
export function performAct<Args>(desktop: Desktop, tool: Doing, args: Args, call: ActCall): Promise<ActResult> {
  const made: Made = { done: false };
  const work = aimAndAct(desktop, tool, args, call, made);
  const soFar = () => ({ delivered: made.actor?.delivered ?? 'no', done: made.done });
  return inTime(work, call.deadline, tool.name, soFar);
}

interface Made {
  actor?: Actor;
  done: boolean;
}

type Doing = Pick<ActTool, 'name' | 'class' | 'aim' | 'act'>;

async function aimAndAct<Args>(
  desktop: Desktop,
  tool: Doing,
  args: Args,
  call: ActCall,
  made: Made,
): Promise<ActResult> {
  const { caller, reader, ready, deadline } = call;
  const began = performance.now();
  const verify = Verify.of(desktop, (args as { verify?: unknown }).verify);
  const findAim = async (): Promise<Aim> => knownByName(desktop, await tool.aim(reader, args as never), args as object);
  const aim = await aimWhenReady(desktop, findAim, ready, deadline);
  const rule = permitAim(desktop, { tool: tool.name, class: tool.class, caller }, aim);
  const before = await sceneryOf(desktop, aim.window, deadline);
  if (aim.already !== undefined) return nothingToDo(desktop, aim, before, began);
  const newActor = (): Actor =>
    new Actor(desktop, deadline, ready, reader, new GiveWay(desktop, aim.window, ready, deadline));
  const actor = newActor();
  made.actor = actor;
  const intent = { tool: tool.name, caller, rule, target: factsOf(aim) };
  const proceed = async (aimed: Aim, scenery: Scenery): Promise<ActResult> => {
    const act = (): Promise<Deed> =>
      tool.act(actor, aimed, args as never).then((deed) => {
        made.done = true;
        return deed;
      });
    return actAndProve(desktop, act, call, { aim: aimed, before: scenery, actor, began, verify });
  };
  const menus = await desktop.menus.besides(desktop, aim, deadline);
  if (menus.length === 0) await verify?.before(deadline);
  return recorded(
    desktop,
    intent,
    () => actor.delivered,
    async () => {
      if (menus.length === 0) return proceed(aim, before);
      const closed = await desktop.menus.close(desktop, menus, newActor());
      // What was in their way, and what stood behind them, is looked at again.
      const again = await aimWhenReady(desktop, findAim, ready, deadline);
      permitAim(desktop, { tool: tool.name, class: tool.class, caller }, again);
      const scenery = await sceneryOf(desktop, again.window, deadline);
      if (again.already !== undefined) return { ...nothingToDo(desktop, again, scenery, began), closed };
      await verify?.before(deadline);
      return { ...(await proceed(again, scenery)), closed };
    },
  );
}

/** A drag does something to both ends. */
function permitAim(desktop: Desktop, asked: Asked, aim: Aim): string {
  const { rule } = permit(desktop, asked, factsOf(aim));
  if (aim.onto) permit(desktop, asked, factsOf({ ...aim, target: aim.onto }));
  return rule;
}

/** Does it once, waits until its effect is there, and compares. */
async function actAndProve(
  desktop: Desktop,
  act: () => Promise<Deed>,
  { reader, deadline, settleMs, verifyMs }: ActCall,
  { verify, ...begun }: Pick<Facts, 'aim' | 'before' | 'actor' | 'began'> & { verify: Verify | undefined },
): Promise<ActResult> {
  const { aim, before, actor } = begun;
  const settling = new Settling(desktop, aim.window?.pid);
  try {
    const deed = await act().catch((error: unknown) => {
      throw failedAct(error, aim, actor.delivered);
    });
    const acted = performance.now();
    const focuses = deed.focuses ? aim.target?.element.ref : undefined;
    const look = (): Promise<Outcome> => lookAfter(desktop, before, focuses, deadline);
    const outcome = await settledOutcome(settling, look, acted + settleMs, deadline);
    const settledMs = performance.now() - acted;
    desktop.menus.note(outcome.opened, aim);
    const hung = verify || deed.confirmed ? undefined : hungAfter(aim, outcome, actor.delivered);
    if (hung) throw hung;
    const readBack = await readBackOf(reader, aim, deed, outcome, deadline);
    const facts: Facts = { ...begun, deed, outcome, readBack, settledMs };
    if (!verify) return resultOf(desktop, facts);
    const verdict = await verify.after(verifyMs, deadline);
    // It may have come true by something that came after the first look.
    const last = outcome.changed === 'yes' ? outcome : await look();
    const result = resultOf(desktop, { ...facts, outcome: last, verdict });
    if (verdict.answer === 'unsatisfied') throw verifyFailed(result, verify.condition, verdict);
    return result;
  } finally {
    settling.end();
  }
}

async function lookAfter(
  desktop: Desktop,
  before: Scenery,
  focuses: string | undefined,
  deadline: Deadline,
): Promise<Outcome> {
  try {
    return await outcomeOf(desktop, before, focuses, deadline);
  } catch (error) {
    const { id } = before.snapshot;
    const diff = { from: id, to: id, changes: [], added: 0, gone: 0, changed: 0, same: 0 };
    return { changed: 'unknown', doubt: doubtFrom(error), diff, after: before, opened: [], closed: [] };
  }
}

interface Facts {
  aim: Aim;
  deed: Deed;
  before: Scenery;
  outcome: Outcome;
  readBack: 'same' | undefined;
  actor: Actor;
  began: number;
  settledMs: number;
  verdict?: VerifyOutcome;
}

function resultOf(desktop: Desktop, facts: Facts): ActResult {
  const { aim, deed, before, outcome, readBack, actor, began, settledMs, verdict } = facts;
  const { method, by, words, untold } = deed;
  const ref = aim.target?.element.ref;
  const changed = outcome.changed === 'no' && untold ? 'unknown' : outcome.changed;
  const proved = verdict ? verdict.answer === 'satisfied' : readBack === 'same' || deed.confirmed === true;
  const good = proved || (changed === 'yes' && verdict?.answer !== 'unknown');
  const doubt =
    (verdict?.answer === 'unknown' ? verdict.reason : undefined) ??
    outcome.doubt ??
    (changed === 'unknown' ? untold : undefined);
  const { lines, told } = renderChanges(outcome.diff, {
    maxLines: MOST_LINES,
    maxTokens: MOST_TOKENS,
    ...(ref && { target: ref }),
  });
  for (const { element } of told) desktop.refs.told(element, outcome.after.snapshot.id);
  const now = ref === undefined ? undefined : sameIn(outcome.after, ref);
  return {
    untrusted: true,
    status: good ? 'ok' : changed === 'no' && !verdict ? 'no change' : 'unconfirmed',
    verb: aim.verb,
    ...(method && { method }),
    ...(by !== undefined && { by }),
    ...targetOf(aim),
    ...(aim.target && { before: seen(sameIn(before, aim.target.element.ref) ?? aim.target.element) }),
    ...(now && { after: seen(now) }),
    changed,
    // A window's change, a start and the clipboard say in their own words what became of it.
    ...(method && takenBy(before.windows, outcome.after.windows)),
    ...(doubt && { doubt }),
    ...(verdict && { postcondition: verdict.answer }),
    ...(readBack && { readBack }),
    delivered: actor.delivered,
    ...(words !== undefined && { words }),
    ...(deed.read !== undefined && { read: deed.read }),
    changes: lines,
    wide: lines.length > FEW_LINES || outcome.opened.length + outcome.closed.length > 0,
    evidence: { snapshotId: outcome.after.snapshot.id },
    ...stamp(desktop, began),
    settledMs: Math.round(settledMs),
  };
}

function nothingToDo(desktop: Desktop, aim: Aim, before: Scenery, began: number): ActResult {
  return {
    untrusted: true,
    status: 'ok',
    verb: aim.verb,
    ...targetOf(aim),
    ...(aim.target && { before: seen(aim.target.element), after: seen(aim.target.element) }),
    changed: 'no',
    delivered: 'no',
    already: aim.already!,
    changes: [],
    wide: false,
    evidence: { snapshotId: before.snapshot.id },
    ...stamp(desktop, began),
    settledMs: 0,
  };
}

function stamp(desktop: Desktop, began: number): Pick<ActResult, 'driver' | 'durationMs'> {
  const { kind, name, version } = desktop.driver.describe();
  return { driver: { kind, name, version }, durationMs: Math.round(performance.now() - began) };
}

function targetOf({ target, window }: Aim): { resolvedTarget?: ResolvedTarget; window?: string } {
  if (!target) return window ? { window: window.ref } : {};
  const { ref, id, role, name, bounds } = target.element;
  const resolvedTarget = {
    ...{ ref, id, role, window: target.window.ref },
    ...(name !== undefined && { name }),
    ...(bounds && { bounds }),
    confidence: target.confidence ?? 1,
    why: target.reasons ?? ['by identity'],
  };
  return { resolvedTarget, window: target.window.ref };
}

function seen({ name, value, states }: Element): Seen {
  return { ...(name !== undefined && { name }), ...(value !== undefined && { value }), states };
}
