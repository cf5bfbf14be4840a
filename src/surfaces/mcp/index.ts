export { serveHttp } from './serve-http.js';
export type { HttpFlags } from './serve-http.js';
export { serveStdio } from './serve-stdio.js';
export type { McpFlags } from './serve-stdio.js';
