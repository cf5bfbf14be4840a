export { ActLines } from './connections.js';
export { actOn } from './perform-action.js';
export { caretOf } from './by-text.js';
