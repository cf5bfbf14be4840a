import type { Ending, Intent, Ledger } from './ledger.js';

const KEPT = 1_000;

export type Record =
  | ({ kind: 'intent'; seq: number; at: number } & Intent)
  | ({ kind: 'outcome'; seq: number; at: number; of: number } & Ending);

/** The last acts, for as long as this process lives. */
export class MemoryLedger implements Ledger {
  private readonly kept: Record[] = [];
  private seq = 0;

  get records(): readonly Record[] {
    return this.kept;
  }

  async intent(intent: Intent): Promise<number> {
    return this.append({ kind: 'intent', ...this.stamp(), ...intent });
  }

  async outcome(of: number, ending: Ending): Promise<void> {
    this.append({ kind: 'outcome', ...this.stamp(), of, ...ending });
  }

  private stamp(): { seq: number; at: number } {
    this.seq += 1;
    return { seq: this.seq, at: Date.now() };
  }

  private append(record: Record): number {
    this.kept.push(record);
    if (this.kept.length > KEPT) this.kept.shift();
    return record.seq;
  }
}
