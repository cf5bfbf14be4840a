export { capture } from './capture.js';
export type { CaptureSources } from './capture.js';
