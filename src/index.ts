// The library's front door. What stands here is meant to be used; everything else is free to change.
export { VERSION } from './config.js';
export { DesktopError, expect, openDesktop, Secret, secret } from './surfaces/library/index.js';
export type * from './surfaces/library/index.js';
