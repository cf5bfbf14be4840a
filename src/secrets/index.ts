export { LogRedactor } from './log-redactor.js';
export { Masks } from './masks.js';
export { SecretStore } from './store/secret-store.js';
export { TaintTracker, TYPED } from './taint-tracker.js';
export { isShort, SHORT_UNDER } from './text/value-index.js';
