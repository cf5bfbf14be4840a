/** The server for many clients. Loaded when it is wanted: it brings a library of its own. */
export { serveHttp } from './surfaces/mcp/index.js';
