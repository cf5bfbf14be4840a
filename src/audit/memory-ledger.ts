import { callDraft, intentDraft, outcomeDraft } from './drafts.js';
import type { CallNote, Ending, Intent, Ledger, Note } from './ledger.js';
import type { Draft } from './record.js';
import { NOTHING_SECRET, redact, type Redactor } from './redact.js';

const KEPT = 1_000;

export type MemoryRecord = { seq: number; at: string } & Draft;

/** The last acts, for as long as this process lives. */
export class MemoryLedger implements Ledger {
  private readonly kept: MemoryRecord[] = [];
  private seq = 0;

  constructor(private readonly redactor: Redactor = NOTHING_SECRET) {}

  get records(): readonly MemoryRecord[] {
    return this.kept;
  }

  async intent(intent: Intent): Promise<number> {
    return this.append(intentDraft(intent));
  }

  async outcome(of: number, ending: Ending): Promise<void> {
    this.append(outcomeDraft(of, ending));
  }

  async call(call: CallNote): Promise<void> {
    this.append(callDraft(call));
  }

  async note(note: Note): Promise<number> {
    return this.append(note);
  }

  private append(draft: Draft): number {
    this.seq += 1;
    this.kept.push({ seq: this.seq, at: new Date().toISOString(), ...redact(draft, this.redactor) });
    if (this.kept.length > KEPT) this.kept.shift();
    return this.seq;
  }
}
