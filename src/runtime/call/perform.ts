import type { z } from 'zod';
import { Deadline, DesktopError, didYouMean } from '../../shared/index.js';
import { runAction } from '../act/run-action.js';
import { BatchChanges, type VerifiedStep } from '../verify/batch-changes.js';
import type { RenderedChanges } from '../verify/action-result.js';
import { checkSteps, performSteps, type BatchResult, type Step, type StepDone } from './batch.js';
import { validateArguments, refInSnapshot } from '../request/arguments.js';
import type { Desktop } from '../desktop/desktop.js';
import { authorizeSession } from '../authorization/authorize-session.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import type { CallRequest } from '../request/policy-request.js';
import { isRefusal, recordCall, checkStop } from '../request/audit-record.js';
import { checkSecretInput } from '../request/secret-input.js';
import { authorizeRead } from '../authorization/authorize-read.js';
import { CallView } from '../visibility/call-view.js';
import { redactError } from '../visibility/redact-error.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';
import { Reader } from '../act/reader.js';
import type { BatchTool, ReadTool, Tool, ToolFace } from './tool.js';

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
  /** The caller's own person can be asked: they see the question there and answer it at the desktop's governor. */
  onQuestion?: ApprovalChannel['onQuestion'];
  asksBy?: ApprovalChannel['asksBy'];
  /** One look of many that are one call for whoever made it: it is not written down again. */
  unwritten?: boolean;
  /** Of an act: hears what it saw, for whoever tells of several together. */
  onProved?: (proved: VerifiedStep) => void;
}

export interface Performed {
  /** `schema: 1` at the root; everything from apps in it is data. */
  json: Record<string, unknown>;
  text: string;
}

const LONGEST_MS = 10 * 60_000;

/** The one doorway: whoever calls, whatever the tool, it passes here. Failures are `DesktopError`s. */
export async function perform(desktop: Desktop, tools: readonly Tool[], call: Call): Promise<Performed> {
  desktop.user.noteAgentActivity();
  try {
    await checkStop(desktop, tools, call);
    const done = await desktop.emergencyStop.guard(call.tool, call.signal, (signal) =>
      passed(desktop, tools, { ...call, signal }),
    );
    return clean(desktop, done);
  } catch (error) {
    throw error instanceof DesktopError ? desktop.secrecy.taint.redactError(error) : error;
  } finally {
    desktop.events.callEnded(call.caller);
  }
}

/** The last lock: whatever path it took, no secret that was typed leaves here. */
function clean({ secrecy: { taint } }: Desktop, { json, text }: Performed): Performed {
  return { json: taint.redactValue(json), text: taint.redactText(text) };
}

async function passed(desktop: Desktop, tools: readonly Tool[], call: Call): Promise<Performed> {
  const tool = toolNamed(call.tool, tools);
  const args = validateArguments(tool.name, tool.input, call.args, (element) =>
    refInSnapshot(desktop.snapshots, element),
  );
  const usual = tool.limitMs?.(args) ?? tool.timeoutMs;
  const limitMs = Math.min(call.timeoutMs ?? usual, LONGEST_MS);
  // A batch is nothing by itself: each step is asked about.
  if ('steps' in tool) return answer(tool, await batch(desktop, tool, tools, args, { ...call, timeoutMs: limitMs }));
  const request: CallRequest = { tool: tool.name, class: tool.class, caller: call.caller, args };
  const view = new CallView(desktop, call.directory);
  const { authorizer, driver } = view;
  const began = performance.now();
  const write = (error?: unknown): Promise<void> => {
    const cost = { ms: Math.round(performance.now() - began), ...view.cost };
    return recordCall(authorizer, request, driver.describe().name, { error, cost });
  };
  let { revision } = view.hiddenWindows;
  let begun = false;
  try {
    checkSecretInput(view, request);
    const line = lineOf(call);
    await authorizeSession(view, request, line);
    await authorizeRead(view, request, line, Deadline.in(limitMs, call.signal));
    revision = view.hiddenWindows.revision;
    if ('act' in tool) {
      const onBegun = (): void => void (begun = true);
      const done = await runAction(view, tool, { asked: request, line, limitMs, onBegun, onProved: call.onProved });
      // What was so already was looked at, and no more.
      if (!begun) await write();
      return answer(tool, done);
    }
    const result = await read(view, tool, args, call, limitMs);
    if (!call.unwritten) await write();
    return answer(tool, result);
  } catch (error) {
    // An act that ended before it was begun has looked, too: for what is not there, or not ready.
    const looked = !begun && !call.unwritten && !(error instanceof DesktopError && error.code === 'audit_unavailable');
    if (looked || isRefusal(error)) await write(error);
    throw 'act' in tool ? await redactError(view, tool.name, revision, error) : error;
  }
}

const lineOf = ({ signal, onQuestion, asksBy, onProgress }: Call): ApprovalChannel => ({
  ...(signal && { signal }),
  ...(onQuestion && { onQuestion }),
  ...(asksBy && { asksBy }),
  ...(onProgress && { onProgress }),
});

function answer<Result extends object>(tool: ToolFace<z.ZodObject, Result>, result: Result): Performed {
  return { json: { schema: 1, ...(tool.json?.(result) ?? result) }, text: tool.text(result) };
}

const LOOKS = 4;
const CHECK_MS = 2_000;

/** Reads overlap, with each other and with acts. */
async function read(view: CallView, tool: ReadTool, args: unknown, call: Call, limitMs: number): Promise<object> {
  const deadline = Deadline.in(limitMs, call.signal);
  for (let left = LOOKS; ; left -= 1) {
    const { revision: state } = view.hiddenWindows;
    const reader = new Reader(view, deadline, call.caller, call.onProgress);
    // A driver keeps its own time; the race makes sure that a fault in one cannot hold a caller.
    const run = deadline.race(tool.run({ reader, deadline, caller: call.caller }, args as never), tool.name);
    // An error quotes what was seen, too.
    const looked = await run.then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    // Titles are checked again: what turned into something hidden while it was read is read again without it.
    if (!tool.blind) await view.listWindows('result' in looked ? deadline : Deadline.in(CHECK_MS, call.signal));
    const told = view.hiddenWindows.revision === state;
    if (told && 'result' in looked) return looked.result;
    if (told) throw (looked as { error: unknown }).error;
    if (left <= 1) throw hiddenByPolicyError('What was looked at');
  }
}

/** One limit for all of it; each step has its own within that. */
async function batch(
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
    const onProved = (proved: VerifiedStep): void => void seen.push(proved);
    const did = await perform(desktop, tools, { ...call, tool: name, args: given, timeoutMs: undefined, onProved });
    // One that fails tells by itself what it changed.
    for (const proved of seen) overall.add(proved);
    return did;
  };
  const steps = tool.steps(args as never);
  checkSteps(steps, ({ tool: name, args: given }) => {
    const { input } = toolNamed(name, tools);
    validateArguments(name, input, given, (element) => refInSnapshot(desktop.snapshots, element));
  });
  const changed = (): Promise<RenderedChanges | undefined> => changedBy(overall, call.signal);
  const done = await performSteps(steps, one, changed);
  const told = (await changed()) ?? lastOf(done);
  return { done, ...told, durationMs: Math.round(performance.now() - began) };
}

async function changedBy(overall: BatchChanges, signal: AbortSignal | undefined): Promise<RenderedChanges | undefined> {
  try {
    return await overall.told(Deadline.in(CHECK_MS, signal));
  } catch (error) {
    // What is done is done: what is lost is what it comes to together, and each step's part of that is told.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

/** Each act has told its own. */
function lastOf(done: readonly StepDone[]): RenderedChanges {
  const { changes = [], wide = false } = done.findLast(({ json }) => Array.isArray(json.changes))?.json ?? {};
  return { changes: changes as string[], wide: wide === true };
}

function toolNamed(name: string, tools: readonly Tool[]): Tool {
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw unknownTool(name, tools);
  return tool;
}

function unknownTool(name: string, tools: readonly Tool[]): DesktopError {
  const names = tools.map((tool) => tool.name);
  const guess = didYouMean(name, names);
  return new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(name.slice(0, 40))}.`, {
    hint: guess ? `Did you mean ${guess}?` : `There are ${names.join(', ')}.`,
  });
}
