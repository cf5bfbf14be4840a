/** One line of `doctor`. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail' | 'off';
  /** What was found, one sentence of ours; names of apps are cleaned. */
  what: string;
  /** The exact thing to type or do. */
  fix?: string;
}
