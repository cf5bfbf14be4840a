export { serveStdio } from './serve-stdio.js';
export type { McpFlags } from './serve-stdio.js';
