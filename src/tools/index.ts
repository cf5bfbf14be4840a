import type { Tool } from '../runtime/index.js';
import { ACTS } from './act/index.js';
import { uiAssert } from './ui-assert.js';
import { uiCapabilities } from './ui-capabilities.js';
import { uiCapture } from './ui-capture.js';
import { uiDescribe } from './ui-describe.js';
import { uiEvents } from './ui-events.js';
import { uiListWindows } from './ui-list-windows.js';
import { uiQuery } from './ui-query.js';
import { uiRead } from './ui-read.js';
import { uiSnapshot } from './ui-snapshot.js';
import { uiWait } from './ui-wait.js';

export { ActSchema } from './act/act-schema.js';
export { ACTS } from './act/index.js';
export { questionOf } from '../runtime/index.js';
export type { ActResult, Capabilities, Happening, Tool } from '../runtime/index.js';
export { failureText } from './failure-text.js';
export { outputSchema } from './output-schemas.js';
export { readingLines, readSelector } from './selector-reading.js';
export type { SelectorReading } from './selector-reading.js';
export type { ElementInSnapshot } from '../runtime/index.js';
export type { ToolArgs, ToolName, ToolResult } from './tool-types.js';
export { keptSnapshot } from './kept-snapshot.js';
export { lastingLine } from './ui-describe.js';
export { happeningText } from './ui-events.js';

/** Every tool, in the order in which they are listed. */
export const TOOLS: readonly Tool[] = [
  uiListWindows,
  uiSnapshot,
  uiQuery,
  uiDescribe,
  uiRead,
  uiCapture,
  uiEvents,
  uiWait,
  uiAssert,
  ...ACTS,
  uiCapabilities,
];
