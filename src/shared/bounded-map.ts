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
