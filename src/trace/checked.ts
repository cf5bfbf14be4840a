/** What is known of the log itself, by whoever looked. */
export interface Checked {
  ok: boolean;
  verdict: string;
  notes?: readonly string[];
}
