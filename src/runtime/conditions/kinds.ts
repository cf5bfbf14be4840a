import { changed } from './changed.js';
import { all, any, not } from './combine.js';
import type { Kind } from './condition.js';
import { count } from './count.js';
import { exists } from './exists.js';
import { focused } from './focused.js';
import { gone } from './gone.js';
import { stableMs } from './stable.js';
import { state } from './state.js';
import { text } from './text.js';
import { value } from './value.js';
import { window, windowClosed } from './windows.js';

/** Every kind of condition by its key. A new one is one entry here. */
export const KINDS: Readonly<Record<string, Kind>> = {
  exists,
  gone,
  count,
  state,
  value,
  text,
  window,
  windowClosed,
  focused,
  changed,
  stableMs,
  all,
  any,
  not,
};
