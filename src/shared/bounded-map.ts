/**
 * A Map that forgets its oldest entries beyond `limit`. Writing a key again makes it the newest; reading does not.
 *
 * For small limits: V8 skips the deleted entries at the front of a Map one by one. Measured on Node 20, a `set` beyond
 * the limit takes 0.3 µs with 500 entries and 31 µs with 20,000.
 */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  constructor(readonly limit: number) {
    super();
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    const oldest = this.keys().next();
    if (this.size > this.limit && !oldest.done) this.delete(oldest.value);
    return this;
  }
}

/** Number of results kept per function. */
const MAX_RESULTS = 500;

/**
 * Caches the results of a pure function that is often called with the same input. `keyOf` must cover everything that
 * the result depends on.
 */
export function memoize<Input, Output>(
  keyOf: (input: Input) => string,
  compute: (input: Input) => Output,
): (input: Input) => Output {
  const results = new BoundedMap<string, { output: Output }>(MAX_RESULTS);
  return (input) => {
    const key = keyOf(input);
    const cached = results.get(key);
    if (cached) return cached.output;
    const result = { output: compute(input) };
    results.set(key, result);
    return result.output;
  };
}
