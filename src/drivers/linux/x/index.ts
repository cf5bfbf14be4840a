export { localDisplays } from './display-errors.js';
export { openDisplay, XDisplay } from './display.js';
export type { Environment } from './display.js';
export type { Monitor } from './monitors.js';
export { identifyProcess } from './process-identity.js';
export type { ProcessIdentity } from './process-identity.js';
export type { WindowEvents } from './watch-windows.js';
export { windowIdOf, xidOf } from './window-id.js';
export type { WindowType, XWindow } from './x-window.js';
