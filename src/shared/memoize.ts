import { BoundedMap } from './bounded-map.js';

/** So many answers are kept; then all are forgotten, which costs a little time and nothing else. */
const MOST = 500;

/** A pure function that is asked the same again and again. `keyOf` must tell all that the answer depends on. */
export function memoize<Given, Answer>(
  keyOf: (given: Given) => string,
  answer: (given: Given) => Answer,
): (given: Given) => Answer {
  const known = new BoundedMap<string, { answer: Answer }>(MOST);
  return (given) => {
    const key = keyOf(given);
    const before = known.get(key);
    if (before) return before.answer;
    const found = { answer: answer(given) };
    known.set(key, found);
    return found.answer;
  };
}

/** Everything that it does not say for itself is the other's, as it is at that moment. */
export function inherit<T extends object>(of: T, own: Partial<T>): T {
  return Object.create(of, Object.getOwnPropertyDescriptors(own)) as T;
}
