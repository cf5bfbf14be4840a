export { ActLines } from './act-lines.js';
export { actOn } from './act-on.js';
