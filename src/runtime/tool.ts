import type { z } from 'zod';
import type { Deadline } from '../shared/index.js';
import type { Reader } from './reader.js';

/** What a tool may do to the desktop; policy speaks in these words. */
export type ToolClass = 'read' | 'capture' | 'act' | 'raw';

export interface ToolContext {
  /** All that a reading tool gets of the desktop. It cannot change anything. */
  reader: Reader;
  deadline: Deadline;
  /** Who asks: events are told per caller. */
  caller: string;
}

/** One tool: everything that surfaces, docs and the doorway need to know of it stands here. */
export interface Tool<Input extends z.ZodObject = z.ZodObject, Result extends object = object> {
  readonly name: string;
  readonly class: ToolClass;
  readonly description: string;
  /** Plain types only: surfaces derive flags and listings from it. */
  readonly input: Input;
  /** Fields that are accepted and documented, but not listed to models. */
  readonly quiet?: readonly string[];
  /** How long it may take unless the caller says otherwise. */
  readonly timeoutMs: number;
  /** Where the arguments say how long it may take. */
  limitMs?(args: z.output<Input>): number;
  run(context: ToolContext, args: z.output<Input>): Promise<Result>;
  /** For models and pipes: app text only in quotes or between marks. */
  text(result: Result): string;
  /** For programs; the result itself when absent. `schema: 1` is added at the doorway. */
  json?(result: Result): object;
}

/** Keeps the types of input and result together. */
export function defineTool<Input extends z.ZodObject, Result extends object>(
  tool: Tool<Input, Result>,
): Tool<Input, Result> {
  return tool;
}
