export { holderOf, lockFault } from './file-lock.js';
export { gone, isRunning, type ProcessIdentity } from './process-identity.js';
export {
  checkPrivateDirectory,
  desktopPaths,
  isThere,
  makePrivateDirectory,
  runtimeBase,
} from './private-directory.js';
export { childrenOf } from './process-identity.js';
export { readLock, releaseLock, takeLock } from './file-lock.js';
export type { DesktopPaths } from './private-directory.js';
export type { LockRecord } from './file-lock.js';
