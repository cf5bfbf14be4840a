import { Deadline, DesktopError } from '../shared/index.js';
import { checkArguments } from './check-arguments.js';
import type { Desktop } from './desktop.js';
import { didYouMean } from './did-you-mean.js';
import { Reader } from './reader.js';
import type { Tool } from './tool.js';

export interface Call {
  tool: string;
  args?: unknown;
  caller: string;
  /** Replaces the tool's own limit. */
  timeoutMs?: number;
  /** Aborts when the caller cancels or goes away. */
  signal?: AbortSignal;
  onProgress?: (elementsRead: number) => void;
}

export interface Performed {
  /** `schema: 1` at the root; everything from apps in it is data. */
  json: Record<string, unknown>;
  text: string;
}

const LONGEST_MS = 10 * 60_000;

/** The one doorway: whoever calls, whatever the tool, it passes here. Failures are `DesktopError`s. */
export async function perform(desktop: Desktop, tools: readonly Tool[], call: Call): Promise<Performed> {
  const tool = tools.find((one) => one.name === call.tool);
  if (!tool) throw unknownTool(call.tool, tools);
  const args = checkArguments(tool.name, tool.input, call.args);
  if (tool.class !== 'read') throw new DesktopError('not_supported', `${tool.name} cannot be used yet.`);
  const usual = tool.limitMs?.(args) ?? tool.timeoutMs;
  const deadline = Deadline.in(Math.min(call.timeoutMs ?? usual, LONGEST_MS), call.signal);
  const reader = new Reader(desktop, deadline, call.caller, call.onProgress);
  // A driver keeps its own time; the race makes sure that a fault in one cannot hold a caller.
  const result = await deadline.race(tool.run({ reader, deadline, caller: call.caller }, args), tool.name);
  return { json: { schema: 1, ...(tool.json?.(result) ?? result) }, text: tool.text(result) };
}

function unknownTool(name: string, tools: readonly Tool[]): DesktopError {
  const names = tools.map((tool) => tool.name);
  const guess = didYouMean(name, names);
  return new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(name.slice(0, 40))}.`, {
    hint: guess ? `Did you mean ${guess}?` : `There are ${names.join(', ')}.`,
  });
}
