import type { z } from 'zod';
import type { Deadline } from '../../shared/index.js';
import type { Actor } from '../act/actor.js';
import type { RenderableActResult, ActionPlan, ActionReport } from '../act/action.js';
import type { BatchResult, Step } from './batch.js';
import type { Reader } from '../act/reader.js';
import type { ActTraits, ToolTraits } from '../request/tool-traits.js';

/** What a tool may do to the desktop, in the terms of the policy. */
type ToolClass = 'read' | 'capture' | 'act' | 'raw';

interface ToolContext {
  /** The only access of a read tool to the desktop. It cannot change anything. */
  reader: Reader;
  deadline: Deadline;
  /** Events are reported per caller. */
  caller: string;
}

/** What every tool declares: for policy and log, for surfaces, and for the docs. */
export interface ToolFace<Input extends z.ZodObject = z.ZodObject, Result extends object = object> {
  readonly name: string;
  readonly class: ToolClass;
  readonly description: string;
  /** What it means to policy, approvals and the audit log. */
  readonly traits: ToolTraits<ArgumentOf<Input>>;
  /** Plain types only: surfaces derive flags and listings from it. */
  readonly input: Input;
  /** A second call has no further effect. Clients see this. */
  readonly repeatable?: true;
  /** It destroys nothing. Clients see this. */
  readonly harmless?: true;
  /** Fields that are accepted and documented, but not listed to models. */
  readonly quiet?: readonly string[];
  /** Time limit, unless the caller sets another one. */
  readonly timeoutMs: number;
  /** Time limit for a call with these arguments. */
  limitMs?(args: z.output<Input>): number;
  /** For models and pipes: app text only in quotes or between marks. */
  text(result: Result): string;
  /** For programs; absent: the result itself. `perform` adds `schema: 1`. */
  json?(result: Result): object;
}

/** A tool that reads. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Result extends object = object> extends ToolFace<
  Input,
  Result
> {
  readonly class: 'read' | 'capture';
  /** It reads no window, so its answer contains nothing of a hidden one. */
  readonly blind?: true;
  run(context: ToolContext, args: z.output<Input>): Promise<Result>;
}

/**
 * A tool that changes something, in two parts: `aim` resolves the target and may be called repeatedly; `act` performs it
 * once, after `perform` has authorized it.
 */
export interface ActTool<Input extends z.ZodObject = z.ZodObject> extends ToolFace<Input, RenderableActResult> {
  readonly class: 'act' | 'raw';
  readonly traits: ActTraits<ArgumentOf<Input>>;
  /** Extra time for an act that started within its limit. */
  longerMs?(args: z.output<Input>): number;
  aim(reader: Reader, args: z.output<Input>): Promise<ActionPlan>;
  act(actor: Actor, plan: ActionPlan, args: z.output<Input>): Promise<ActionReport>;
}

/** Several calls in one. Each of them is authorized and recorded by itself. */
export interface BatchTool<Input extends z.ZodObject = z.ZodObject> extends ToolFace<Input, BatchResult> {
  readonly class: 'act';
  steps(args: z.output<Input>): Step[];
}

type ArgumentOf<Input extends z.ZodObject> = Extract<keyof z.input<Input>, string>;

export type Tool = ReadTool | ActTool | BatchTool;

/** Keeps the types of input and result together. */
export function defineTool<Input extends z.ZodObject, Result extends object>(
  tool: ReadTool<Input, Result>,
): ReadTool<Input, Result> {
  return tool;
}

export function defineBatch<Input extends z.ZodObject>(tool: BatchTool<Input>): BatchTool<Input> {
  return tool;
}

export function defineAct<Input extends z.ZodObject>(tool: ActTool<Input>): ActTool<Input> {
  return tool;
}
