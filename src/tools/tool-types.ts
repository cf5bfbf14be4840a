import type { z } from 'zod';
import type { ActResult, ElementInSnapshot } from '../runtime/index.js';
import type { TOOLS } from './index.js';

type ListedTool = (typeof TOOLS)[number];

type ToolsByName = { [One in ListedTool as One['name']]: One };

/** The answer of a tool: what `json` returns, else its result. All acts have one form. */
type AnswerOf<One> = One extends { act: unknown }
  ? ActResult
  : One extends { json?(result: never): infer Answer }
    ? Answer
    : never;

/** A target is a string, or an element of an earlier snapshot. */
type WithSnapshotElements<Args> = {
  [Field in keyof Args]: Field extends 'target' | 'from' | 'to' ? Args[Field] | ElementInSnapshot : Args[Field];
};

/** Every tool, by name. */
export type ToolName = keyof ToolsByName;
/** The arguments of each tool. */
export type ToolArgs = { [Name in ToolName]: WithSnapshotElements<z.input<ToolsByName[Name]['input']>> };
/** The answer of each tool. */
export type ToolResult = { [Name in ToolName]: { schema: 1 } & AnswerOf<ToolsByName[Name]> };
