export type { PlacesToPaint } from './places-to-paint.js';
export type { Box, Shown } from './shown.js';
export { Taint, TYPED } from './taint.js';
export type { TypedSecret, Where } from './taint.js';
export { markOf } from './text/redact-values.js';
export { isShort, SHORT_UNDER } from './text/value-forms.js';
