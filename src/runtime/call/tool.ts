import type { z } from 'zod';
import type { Deadline } from '../../shared/index.js';
import type { Actor } from '../act/actor.js';
import type { RenderableActResult, ActionPlan, ActionReport } from '../act/action.js';
import type { BatchResult, Step } from './batch.js';
import type { Reader } from '../act/reader.js';

/** What a tool may do to the desktop; policy speaks in these words. */
export type ToolClass = 'read' | 'capture' | 'act' | 'raw';

export interface ToolContext {
  /** All that a reading tool gets of the desktop. It cannot change anything. */
  reader: Reader;
  deadline: Deadline;
  /** Who asks: events are told per caller. */
  caller: string;
}

/** Everything that surfaces and docs need to know of a tool. */
export interface ToolFace<Input extends z.ZodObject = z.ZodObject, Result extends object = object> {
  readonly name: string;
  readonly class: ToolClass;
  readonly description: string;
  /** Plain types only: surfaces derive flags and listings from it. */
  readonly input: Input;
  /** Done twice it comes to the same; told to clients. */
  readonly repeatable?: true;
  /** Loses nothing that cannot be had back; told to clients. */
  readonly harmless?: true;
  /** Fields that are accepted and documented, but not listed to models. */
  readonly quiet?: readonly string[];
  /** How long it may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  /** Where the arguments say how long it may take. */
  limitMs?(args: z.output<Input>): number;
  /** For models and pipes: app text only in quotes or between marks. */
  text(result: Result): string;
  /** For programs; the result itself when absent. `schema: 1` is added at the doorway. */
  json?(result: Result): object;
}

/** A tool that looks. */
export interface ReadTool<Input extends z.ZodObject = z.ZodObject, Result extends object = object> extends ToolFace<
  Input,
  Result
> {
  readonly class: 'read' | 'capture';
  /** Looks at no window: nothing in its answer can be of a hidden one. */
  readonly blind?: true;
  run(context: ToolContext, args: z.output<Input>): Promise<Result>;
}

/**
 * A tool that changes something, in two halves: `aim` finds what it is about and may be asked again and again, `act`
 * does it, once, after the doorway has let it pass.
 */
export interface ActTool<Input extends z.ZodObject = z.ZodObject> extends ToolFace<Input, RenderableActResult> {
  readonly class: 'act' | 'raw';
  /** How much longer than usual what was begun in time may take. */
  longerMs?(args: z.output<Input>): number;
  aim(reader: Reader, args: z.output<Input>): Promise<ActionPlan>;
  act(actor: Actor, plan: ActionPlan, args: z.output<Input>): Promise<ActionReport>;
}

/** Several calls in one: each of them passes the doorway by itself. */
export interface BatchTool<Input extends z.ZodObject = z.ZodObject> extends ToolFace<Input, BatchResult> {
  readonly class: 'act';
  steps(args: z.output<Input>): Step[];
}

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
