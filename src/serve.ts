/** The faces that the command line starts. Loaded when one is wanted: each brings a library of its own. */
export { serveHttp, serveStdio } from './surfaces/mcp/index.js';
