import type { z } from 'zod';
import type { Deadline } from '../../shared/index.js';
import type { Actor } from '../act/actor.js';
import type { RenderableActResult, ActionPlan, ActionReport } from '../act/action.js';
import type { Reader } from '../act/reader.js';
import type { ActTraits } from '../request/tool-traits.js';
import type { BatchResult, Step } from './batch.js';
import type { ArgumentOf, LogSentence, ToolFace } from './tool-face.js';

interface ToolContext {
  /** The only access of a read tool to the desktop. It cannot change anything. */
  reader: Reader;
  deadline: Deadline;
  /** Events are reported per caller. */
  caller: string;
}

/** A tool that reads. */
export interface ReadTool<
  Input extends z.ZodObject = z.ZodObject,
  Result extends object = object,
  Answer extends object = object,
> extends ToolFace<Input, Result> {
  readonly class: 'read' | 'capture';
  /** It reads no window, so its answer contains nothing of a hidden one. */
  readonly blind?: true;
  readonly sentence: LogSentence;
  /** The answer for programs. Nested objects are described by their types in the library. */
  readonly output: z.ZodObject;
  run(context: ToolContext, args: z.output<Input>): Promise<Result>;
  json?(result: Result): Answer;
}

/**
 * A tool that changes something, in two parts: `aim` resolves the target and may be called repeatedly; `act` performs it
 * once, after `perform` has authorized it. All acts have one form of answer.
 */
export interface ActTool<Input extends z.ZodObject = z.ZodObject> extends ToolFace<Input, RenderableActResult> {
  readonly class: 'act' | 'raw';
  readonly traits: ActTraits<ArgumentOf<Input>>;
  readonly sentence: LogSentence;
  /** Extra time for an act that started within its limit. */
  longerMs?(args: z.output<Input>): number;
  aim(reader: Reader, args: z.output<Input>): Promise<ActionPlan>;
  act(actor: Actor, plan: ActionPlan, args: z.output<Input>): Promise<ActionReport>;
}

/** Several calls in one. Each of them is authorized and recorded by itself, so it cannot be a step of another batch. */
export interface BatchTool<Input extends z.ZodObject = z.ZodObject, Answer extends object = object> extends ToolFace<
  Input,
  BatchResult
> {
  readonly class: 'act';
  readonly output: z.ZodObject;
  steps(args: z.output<Input>): Step[];
  json?(result: BatchResult): Answer;
}

export type Tool = ReadTool | ActTool | BatchTool;

/** The name as a literal type: the types of arguments and answers are looked up by it. */
type Named<Name extends string> = { readonly name: Name };

/** Keeps the types of name, input and answer together. */
export function defineTool<
  const Name extends string,
  Input extends z.ZodObject,
  Result extends object,
  Answer extends object = Result,
>(tool: ReadTool<Input, Result, Answer> & Named<Name>): ReadTool<Input, Result, Answer> & Named<Name> {
  return tool;
}

export function defineBatch<const Name extends string, Input extends z.ZodObject, Answer extends object>(
  tool: BatchTool<Input, Answer> & Named<Name>,
): BatchTool<Input, Answer> & Named<Name> {
  return tool;
}

export function defineAct<const Name extends string, Input extends z.ZodObject>(
  tool: ActTool<Input> & Named<Name>,
): ActTool<Input> & Named<Name> {
  return tool;
}
