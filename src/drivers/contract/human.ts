/** What a person at the devices did. `stop`: Escape twice within half a second, the wish that everything ends. */
export type HumanKind = 'motion' | 'key' | 'button' | 'stop';

/** Input of a person; what programs inject is never told. `lost`: nobody watches any more. */
export type HumanEvent = { type: 'human'; kind: HumanKind; at: number } | { type: 'lost'; reason: string; at: number };

/** What happens after `ready` is told. It never rejects: a failure is a `lost` event, and then the end. */
export interface HumanEvents extends AsyncIterable<HumanEvent> {
  readonly ready: Promise<void>;
}

export interface HumanOptions {
  signal: AbortSignal;
  /**
   * Input that was so short a time before the beginning is told too, as far as the platform knows of it. Whether it was
   * a person's cannot be said then, so it is taken for theirs.
   */
  recentMs?: number;
}
