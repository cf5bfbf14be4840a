import type { Delivered, ErrorCode } from '../shared/index.js';

/** What is about to be done, written before it is done. No arguments: what is typed may be a secret. */
export interface Intent {
  tool: string;
  caller: string;
  /** The rule that let it pass. */
  rule: string;
  target?: { app?: string; window?: string; role?: string; name?: string };
}

/** How it ended. */
export interface Ending {
  status: string;
  delivered: Delivered;
  changed?: string;
  error?: ErrorCode;
  durationMs: number;
}

/** Keeps account of acts. What cannot be written is not done. */
export interface Ledger {
  /** Resolves when it is safely written; the number names the act. */
  intent(intent: Intent): Promise<number>;
  outcome(of: number, ending: Ending): Promise<void>;
}
