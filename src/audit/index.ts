export type { Ending, Intent, Ledger } from './ledger.js';
export { MemoryLedger } from './memory-ledger.js';
