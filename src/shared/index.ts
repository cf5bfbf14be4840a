export { debug } from './debug.js';
export { Deadline } from './deadline.js';
export { didYouMean } from './did-you-mean.js';
export { DesktopError, ERROR_CODES, exitCodeOf } from './errors.js';
export type { Delivered, ErrorCode, ErrorJson, ErrorOptions, Retry } from './errors.js';
export { encodePng } from './png.js';
export { systemFault } from './system-fault.js';
