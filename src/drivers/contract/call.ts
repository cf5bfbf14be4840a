import type { Deadline } from '../../shared/index.js';

/**
 * Everything in this contract is a value that JSON can carry, so that a driver can run in another process. The one
 * exception is this interface: what belongs to a call and not to its request. A transport sends `deadline` as the
 * remaining milliseconds, an abort of its signal as a cancel message, and `onProgress` as progress messages.
 *
 * Requests and call options share the last parameter of a method (`ReadRequest & CallOptions`). `CALL_FIELDS` lists the
 * fields that are not part of the request.
 */
export interface CallOptions {
  /** Every call has one. A driver that cannot answer in time throws `timeout` or `app_hung`. */
  deadline: Deadline;
  /** A long read reports how many elements it has read. */
  onProgress?: (elementsRead: number) => void;
}

/** A stream of events lives until `signal` aborts. A transport sends the abort as a cancel message. */
export interface StreamOptions {
  signal: AbortSignal;
}

/**
 * The fields of the last parameter that belong to the call and not to the request.
 * @public For a transport that sends requests to a driver in another process; there is none yet.
 */
export const CALL_FIELDS = ['deadline', 'onProgress', 'signal'] as const satisfies readonly (
  keyof CallOptions | keyof StreamOptions
)[];
