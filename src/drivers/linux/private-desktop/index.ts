export { bootPrivateDesktop } from './boot.js';
export { sweepDeadDesktops } from './tear-down.js';
export { userSessionLauncher } from './launch/launch.js';
export { installCommand, packageOf } from './requirements.js';
export { missingPrograms, type MissingProgram } from './requirements.js';
