export { bootPrivateDesktop } from './boot.js';
export { sweepDeadDesktops } from './tear-down.js';
export { userSessionLauncher } from './launch/launch.js';
export { installCommand, missingPackages } from './requirements.js';
