import { BoundedMap } from './bounded-map.js';

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
