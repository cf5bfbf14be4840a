/** Everything that it does not say for itself is the other's, as it is at that moment. */
export function derived<T extends object>(of: T, own: Partial<T>): T {
  return Object.create(of, Object.getOwnPropertyDescriptors(own)) as T;
}
