import type { z } from 'zod';
import type { ActResult, ElementInSnapshot, ReadTool } from '../runtime/index.js';
import type { Snapshot } from '../tree/index.js';
import type { uiAct } from './act/ui-act.js';
import type { uiBatch } from './act/ui-batch.js';
import type { uiClick } from './act/ui-click.js';
import type { uiClickXy } from './act/ui-click-xy.js';
import type { uiClipboard } from './act/ui-clipboard.js';
import type { uiDrag } from './act/ui-drag.js';
import type { uiKey } from './act/ui-key.js';
import type { uiLaunch } from './act/ui-launch.js';
import type { uiScroll } from './act/ui-scroll.js';
import type { uiSetValue } from './act/ui-set-value.js';
import type { uiType } from './act/ui-type.js';
import type { uiWindow } from './act/ui-window.js';
import type { uiAssert } from './read/ui-assert.js';
import type { uiCapabilities } from './read/ui-capabilities.js';
import type { CaptureAnswer, uiCapture } from './read/ui-capture.js';
import type { uiDescribe } from './read/ui-describe.js';
import type { uiEvents } from './read/ui-events.js';
import type { uiListWindows } from './read/ui-list-windows.js';
import type { uiQuery } from './read/ui-query.js';
import type { ReadAnswer, uiRead } from './read/ui-read.js';
import type { uiSnapshot } from './read/ui-snapshot.js';
import type { uiWait } from './read/ui-wait.js';

interface ToolsByName {
  ui_list_windows: typeof uiListWindows;
  ui_snapshot: typeof uiSnapshot;
  ui_query: typeof uiQuery;
  ui_describe: typeof uiDescribe;
  ui_read: typeof uiRead;
  ui_capture: typeof uiCapture;
  ui_events: typeof uiEvents;
  ui_wait: typeof uiWait;
  ui_assert: typeof uiAssert;
  ui_click: typeof uiClick;
  ui_type: typeof uiType;
  ui_key: typeof uiKey;
  ui_set_value: typeof uiSetValue;
  ui_act: typeof uiAct;
  ui_scroll: typeof uiScroll;
  ui_drag: typeof uiDrag;
  ui_click_xy: typeof uiClickXy;
  ui_clipboard: typeof uiClipboard;
  ui_window: typeof uiWindow;
  ui_launch: typeof uiLaunch;
  ui_batch: typeof uiBatch;
  ui_capabilities: typeof uiCapabilities;
}

/** Tools whose answer for programs is not what they work with themselves. */
interface Answers {
  ui_snapshot: Snapshot;
  ui_read: ReadAnswer;
  ui_capture: CaptureAnswer;
  ui_batch: {
    untrusted: true;
    steps: ({ tool: string } & Record<string, unknown>)[];
    changes: string[];
    durationMs: number;
  };
}

type AnswerOf<Name extends ToolName> = Name extends keyof Answers
  ? Answers[Name]
  : ToolsByName[Name] extends ReadTool<infer _Input, infer Result>
    ? Result
    : ActResult;

/** A target is a string, or an element of a look that was had. */
type WithLooks<Args> = {
  [Field in keyof Args]: Field extends 'target' | 'from' | 'to' ? Args[Field] | ElementInSnapshot : Args[Field];
};

/** Every tool, by name. */
export type ToolName = keyof ToolsByName;
/** What each tool takes. */
export type ToolArgs = { [Name in ToolName]: WithLooks<z.input<ToolsByName[Name]['input']>> };
/** What each tool answers. */
export type ToolResult = { [Name in ToolName]: { schema: 1 } & AnswerOf<Name> };
