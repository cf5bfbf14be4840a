// What the benchmarks use of the inside. None of it is promised to anybody.
export { openDesktop } from '../dist/compose.js';
export { perform } from '../dist/runtime/index.js';
export { Deadline } from '../dist/shared/index.js';
export { TOOLS } from '../dist/tools/index.js';
