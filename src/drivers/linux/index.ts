export { examineSession } from './doctor.js';
export { openLinuxDriver } from './connect.js';
export {
  bootPrivateDesktop,
  installCommand,
  missingPrograms,
  userSessionLauncher,
  packageOf,
  sweepDeadDesktops,
} from './private-desktop/index.js';
export type { MissingProgram } from './private-desktop/index.js';
export type { Environment } from './session-bus.js';
