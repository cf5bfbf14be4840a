export { platform } from './current-platform.js';
export { FileLock, holderOf, readLock } from './file-lock.js';
export type { LockRecord } from './file-lock.js';
export type { Env, ProcessIdentity } from './platform.js';
export { createPrivateDirectory, fileFault } from './private-directory.js';
export type { PrivacyFault } from './private-directory.js';
export { hasEnded, readProcStat } from './linux.js';
export { activityOf, childrenOf, identityOf, isDescendantProcess, isRunning, waitForExit } from './processes.js';
export {
  checkPrivateDirectory,
  desktopPaths,
  isThere,
  makePrivateDirectory,
  runtimeBase,
} from './runtime-directory.js';
export type { DesktopPaths } from './runtime-directory.js';
