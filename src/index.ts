// The public API of the library. Everything that is not exported here may change at any time.
export { VERSION } from './config.js';
export { DesktopError, expect, openDesktop, Secret, secret } from './surfaces/library/index.js';
export type * from './surfaces/library/index.js';
