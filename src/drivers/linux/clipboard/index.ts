export { XClipboard } from './clipboard.js';
