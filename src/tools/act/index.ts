import type { Tool } from '../../runtime/index.js';
import { uiAct } from './ui-act.js';
import { uiBatch } from './ui-batch.js';
import { uiClick } from './ui-click.js';
import { uiClickXy } from './ui-click-xy.js';
import { uiClipboard } from './ui-clipboard.js';
import { uiDrag } from './ui-drag.js';
import { uiKey } from './ui-key.js';
import { uiLaunch } from './ui-launch.js';
import { uiScroll } from './ui-scroll.js';
import { uiSetValue } from './ui-set-value.js';
import { uiType } from './ui-type.js';
import { uiWindow } from './ui-window.js';

/** The tools that change something. */
export const ACTS: readonly Tool[] = [
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
];
