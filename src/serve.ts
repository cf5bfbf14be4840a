/** The server that a client starts for itself. Loaded when it is wanted: it brings a library of its own. */
export { serveStdio } from './surfaces/mcp/index.js';
