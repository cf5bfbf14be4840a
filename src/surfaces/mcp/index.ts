export { serveHttp, serveStdio } from './serve.js';
