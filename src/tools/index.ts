import type { Tool } from '../runtime/index.js';
import { uiAct } from './act/ui-act.js';
import { uiBatch } from './act/ui-batch.js';
import { uiClickXy } from './act/ui-click-xy.js';
import { uiClick } from './act/ui-click.js';
import { uiClipboard } from './act/ui-clipboard.js';
import { uiDrag } from './act/ui-drag.js';
import { uiKey } from './act/ui-key.js';
import { uiLaunch } from './act/ui-launch.js';
import { uiScroll } from './act/ui-scroll.js';
import { uiSetValue } from './act/ui-set-value.js';
import { uiType } from './act/ui-type.js';
import { uiWindow } from './act/ui-window.js';
import { uiAssert } from './read/ui-assert.js';
import { uiCapabilities } from './read/ui-capabilities.js';
import { uiCapture } from './read/ui-capture.js';
import { uiDescribe } from './read/ui-describe.js';
import { uiEvents } from './read/ui-events.js';
import { uiListWindows } from './read/ui-list-windows.js';
import { uiQuery } from './read/ui-query.js';
import { uiRead } from './read/ui-read.js';
import { uiSnapshot } from './read/ui-snapshot.js';
import { uiWait } from './read/ui-wait.js';

export { ActSchema } from './output-schemas.js';

export { callRequest, effectsOf, policyRequest } from '../runtime/index.js';
export type { CommandShape, LogSentence, SentencePart } from '../runtime/index.js';
export type { ActResult, Capabilities, DesktopEvent, Tool } from '../runtime/index.js';
export { failureText } from './text/failure.js';
export { outputSchema } from './output-schemas.js';
export { readingLines, readSelector } from './text/selector.js';
export type { SelectorReading } from './text/selector.js';
export type { ElementInSnapshot } from '../runtime/index.js';
export type { ToolArgs, ToolName, ToolResult } from './tool-types.js';
export { keptSnapshot } from './read/ui-snapshot.js';
export { uiLaunch } from './act/ui-launch.js';
export { lastingLine } from './read/ui-describe.js';

/** Every tool, in the order in which they are listed. */
export const TOOLS = [
  uiListWindows,
  uiSnapshot,
  uiQuery,
  uiDescribe,
  uiRead,
  uiCapture,
  uiEvents,
  uiWait,
  uiAssert,
  uiClick,
  uiType,
  uiKey,
  uiSetValue,
  uiAct,
  uiScroll,
  uiDrag,
  uiClickXy,
  uiClipboard,
  uiWindow,
  uiLaunch,
  uiBatch,
  uiCapabilities,
] as const satisfies readonly Tool[];

/** @internal The tools that change something, for tests of acts. */
export const ACTS: readonly Tool[] = TOOLS.filter((tool) => tool.class === 'act' || tool.class === 'raw');
