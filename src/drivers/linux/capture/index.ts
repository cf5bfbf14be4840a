export { capture } from './capture.js';
