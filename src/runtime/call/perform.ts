import type { z } from 'zod';
import { Deadline, DesktopError, unknownTool } from '../../shared/index.js';
import { runAction } from '../act/run-action.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import { authorizeRead, authorizeSession } from '../authorization/authorize-call.js';
import type { Desktop } from '../desktop/desktop.js';
import { validateArguments, refInSnapshot } from '../request/arguments.js';
import { callRequest, surfaceOf, withoutInternalFields } from '../request/policy-request.js';
import { isRefusal, recordCall, checkStop } from '../request/audit-record.js';
import type { CallContext } from '../request/call-context.js';
import { checkSecretInput } from '../request/secret-input.js';
import type { RenderedChanges } from '../verify/action-result.js';
import { BatchChanges, type VerifiedStep } from '../verify/batch-changes.js';
import { CallView } from '../visibility/call-view.js';
import { redactError } from '../visibility/redact-error.js';
import { checkSteps, performSteps, refuseNestedBatch, type BatchResult, type Step, type StepDone } from './batch.js';
import type { ToolFace } from './tool-face.js';
import type { ActTool, BatchTool, ReadTool, Tool } from './tool.js';
import { Reader } from '../act/reader.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

export interface Call {
  tool: string;
  args?: unknown;
  caller: string;
  /** Where the caller was started: its project may have a policy of its own. */
  directory?: string;
  /** Replaces the tool's own limit. */
  timeoutMs?: number;
  /** Aborts when the caller cancels or goes away. */
  signal?: AbortSignal;
  onProgress?: (elementsRead: number) => void;
  /** The user can be asked through the caller: it shows the question, and the answer goes to the authorizer. */
  onQuestion?: ApprovalChannel['onQuestion'];
  asksBy?: ApprovalChannel['asksBy'];
  door?: ApprovalChannel['door'];
  /** Receives what a verified act observed; a batch adds these up. */
  onVerified?: (step: VerifiedStep) => void;
}

export interface Performed {
  /** `schema: 1` at the root; everything from apps in it is data. */
  json: Record<string, unknown>;
  text: string;
}

const MAX_CALL_MS = 10 * 60_000;
const CHECK_MS = 2_000;

/**
 * The only way to a driver: every caller and every tool passes here. Failures are `DesktopError`s. The stages in order,
 * with the files under `src/runtime`:
 *
 *   checkStop              request/audit-record.ts     refuse and log the call after an emergency stop
 *   EmergencyStop.guard    user/emergency-stop.ts      abort the call when the user stops everything
 *   validateArguments      request/arguments.ts        (a batch then performs each step as its own call: call/batch.ts)
 *   checkSecretInput       request/secret-input.ts     text or the name of a secret, not both
 *   authorizeSession       authorization/…-call.ts     first policy decision, limits; enable the session
 *   authorizeRead          authorization/…-call.ts     which windows the call may read
 *
 *   a read: runRead        this file                   tool.run, then check again which windows are hidden
 *
 *   an act: runAction      act/run-action.ts           wait in the action queue (desktop/action-queue.ts), then attempt:
 *     Attempt.resolve      act/attempt.ts              tool.plan, waitUntilActionable (actionability/wait-actionable.ts),
 *                                                      readUiState (verify/ui-changes.ts)
 *     Attempt.authorize    act/attempt.ts              decideAffected (authorization/authorize-act.ts)
 *     askAndGrant          approval/ask-user.ts        only if needed; then resolve and authorize again, and compare
 *     withSecret           request/secret-input.ts     put the value of a secret into the arguments
 *     withAuditRecord      request/audit-record.ts     write the intent; after the act, write the outcome
 *     OpenMenus.close      actionability/open-menus.ts only if menus cover the target; then resolve and authorize again
 *     actAndVerify         verify/verify-action.ts     tool.act with an Actor (act/actor.ts), which rechecks the target
 *                                                      (actionability/recheck-target.ts) right before it acts; then
 *                                                      settle, compare, read back, post-condition
 *
 *   recordCall             request/audit-record.ts     for reads, refusals, and acts that wrote no intent
 *   redactError            visibility/redact-error.ts  for a failed act: remove what the call may not see
 *   render                 call/perform.ts             tool.json and tool.text
 *   withoutInternalFields  request/policy-request.ts   and TaintTracker.redact… (secrets): the last barrier, also for
 *                                                      errors
 */
export async function perform(desktop: Desktop, tools: readonly Tool[], call: Call): Promise<Performed> {
  desktop.user.noteAgentActivity();
  const { taint } = desktop.secrecy;
  try {
    await checkStop(desktop, tools, call);
    const { json, text } = await guarded(desktop, tools, call, (signal) =>
      runTool(desktop, tools, { ...call, signal }),
    );
    // The last barrier: on every path, no internal field and no secret that was typed leaves here.
    return { json: taint.redactValue(withoutInternalFields(json)), text: taint.redactText(text) };
  } catch (error) {
    throw error instanceof DesktopError ? taint.redactError(publicError(error)) : error;
  } finally {
    desktop.events.callEnded(call.caller);
  }
}

/** Runs the call unless everything is stopped. A diagnostic tool also runs then: it reports why nothing else works. */
function guarded<T>(
  { emergencyStop }: Desktop,
  tools: readonly Tool[],
  { tool: name, signal }: Call,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  if (tools.find((tool) => tool.name === name)?.traits.diagnostic) return work(signal ?? new AbortController().signal);
  return emergencyStop.guard(name, signal, work);
}

function publicError(error: DesktopError): DesktopError {
  const details = withoutInternalFields(error.details);
  return details === error.details ? error : error.with({ details });
}

async function runTool(desktop: Desktop, tools: readonly Tool[], call: Call): Promise<Performed> {
  const tool = toolNamed(call.tool, tools);
  const args = validateArguments(tool.name, tool.input, call.args, (element) =>
    refInSnapshot(desktop.snapshots, element),
  );
  const limitMs = Math.min(call.timeoutMs ?? tool.limitMs?.(args) ?? tool.timeoutMs, MAX_CALL_MS);
  // A batch has no decision of its own: each step is authorized.
  if ('steps' in tool) return render(tool, await runBatch(desktop, tool, tools, args, { ...call, timeoutMs: limitMs }));
  const result = await runStages(createContext(desktop, tool, args, limitMs, call), tool);
  return render(tool, desktop.secrecy.taint.withoutBounds(result));
}

/** A script expects to wait for what it names, and a replay makes no pauses between its acts. */
const PATIENT_SURFACES: ReadonlySet<string> = new Set(['library', 'replay']);

function createContext(desktop: Desktop, tool: Tool, args: object, limitMs: number, call: Call): CallContext {
  const { caller, signal, door, onQuestion, asksBy, onProgress } = call;
  return {
    view: new CallView(desktop, call.directory),
    request: callRequest(tool, caller, args as CallContext['request']['args']),
    channel: {
      ...(signal && { signal }),
      ...(door !== undefined && { door }),
      ...(onQuestion && { onQuestion }),
      ...(asksBy && { asksBy }),
      ...(onProgress && { onProgress }),
    },
    limitMs,
    failsFast:
      call.timeoutMs === undefined &&
      (args as { timeoutMs?: number }).timeoutMs === undefined &&
      !PATIENT_SURFACES.has(surfaceOf(caller)),
    deadline: () => Deadline.in(limitMs, signal),
    recordsItself: false,
    onVerified: call.onVerified,
  };
}

async function runStages(context: CallContext, tool: ReadTool | ActTool): Promise<object> {
  const { view, request, channel } = context;
  const began = performance.now();
  const record = (error?: unknown): Promise<void> => {
    const cost = { ms: Math.round(performance.now() - began), ...view.cost };
    return recordCall(view.authorizer, request, view.driver.describe().name, { error, cost });
  };
  let { revision } = view.hiddenWindows;
  try {
    checkSecretInput(view, request);
    await authorizeSession(view, request, channel);
    await authorizeRead(view, request, channel, context.deadline());
    revision = view.hiddenWindows.revision;
    const result = 'act' in tool ? await runAction(context, tool) : await runRead(context, tool);
    // An act that had nothing to do is recorded as a read.
    if (!context.recordsItself) await record();
    return result;
  } catch (error) {
    // An act that failed before its intent was written has read the screen.
    const hasRead = !context.recordsItself && !(error instanceof DesktopError && error.code === 'audit_unavailable');
    if (hasRead || isRefusal(error)) await record(error);
    throw 'act' in tool ? await redactError(view, tool.name, revision, error) : error;
  }
}

function render<Result extends object>(tool: ToolFace<z.ZodObject, Result>, result: Result): Performed {
  const json: Record<string, unknown> = { schema: 1, ...(tool.json?.(result) ?? result) };
  // Only the text needs it.
  delete json.wide;
  return { json, text: tool.text(result) };
}

/** One limit for the whole batch; within that, each step has its own. */
async function runBatch(
  desktop: Desktop,
  tool: BatchTool,
  tools: readonly Tool[],
  args: unknown,
  call: Call & { timeoutMs: number },
): Promise<BatchResult> {
  const began = performance.now();
  const deadline = Deadline.in(call.timeoutMs, call.signal);
  const overall = new BatchChanges(desktop);
  const one = async ({ tool: name, args: given }: Step): Promise<Performed> => {
    deadline.throwIfOver('The batch');
    const seen: VerifiedStep[] = [];
    const onVerified = (step: VerifiedStep): void => void seen.push(step);
    const did = await perform(desktop, tools, { ...call, tool: name, args: given, timeoutMs: undefined, onVerified });
    // A step that fails reports its own changes.
    for (const step of seen) overall.add(step);
    return did;
  };
  const steps = tool.steps(args as never);
  refuseNestedBatch(steps, (name) => tools.some((one) => one.name === name && 'steps' in one));
  checkSteps(steps, ({ tool: name, args: given }) => {
    const { input } = toolNamed(name, tools);
    validateArguments(name, input, given, (element) => refInSnapshot(desktop.snapshots, element));
  });
  const changed = (): Promise<RenderedChanges | undefined> => changedBy(overall, call.signal);
  const done = await performSteps(steps, one, changed);
  const changes = (await changed()) ?? lastOf(done);
  return { done, ...changes, durationMs: Math.round(performance.now() - began) };
}

async function changedBy(overall: BatchChanges, signal: AbortSignal | undefined): Promise<RenderedChanges | undefined> {
  try {
    return await overall.combined(Deadline.in(CHECK_MS, signal));
  } catch (error) {
    // Only the combined changes are lost; each step has reported its own.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** The changes of the last act, as it reported them. They go between markers even if they are few. */
function lastOf(done: readonly StepDone[]): RenderedChanges {
  const { changes = [] } = done.findLast(({ json }) => Array.isArray(json.changes))?.json ?? {};
  return { changes: changes as string[], wide: true };
}

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, tools);
  return tool;
}

/** A window can turn into a hidden one while it is read. After this many reads the call is refused. */
const MAX_READS = 4;

/** Runs a tool that reads. Reads overlap, with each other and with acts. */
async function runRead({ view, request, channel, deadline }: CallContext, tool: ReadTool): Promise<object> {
  const end = deadline();
  const { caller, args } = request;
  for (let left = MAX_READS; ; left -= 1) {
    const { revision } = view.hiddenWindows;
    const reader = new Reader(view, end, caller, channel.onProgress);
    // A driver keeps its own time. The race makes sure that a fault in a driver cannot hold the caller.
    const read = await end.race(tool.run({ reader, deadline: end, caller }, args as never), tool.name).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    // Titles are checked again, also after an error, which quotes what was read: a window that turned into a hidden one
    // is read again without it.
    if (!tool.blind) await view.listWindows('result' in read ? end : Deadline.in(CHECK_MS, channel.signal));
    const unchanged = view.hiddenWindows.revision === revision;
    if (unchanged && 'result' in read) return read.result;
    if (unchanged) throw (read as { error: unknown }).error;
    if (left <= 1) throw hiddenByPolicyError('The content that was read');
  }
}
