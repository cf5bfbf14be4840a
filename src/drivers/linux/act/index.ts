export { ActLines } from './act-lines.js';
export { actOn } from './act-on.js';
export { caretOf } from './caret-of.js';
