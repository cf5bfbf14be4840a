/** `e12`, `@e12` and `@12` are one ref, `w2` is a window's. Anything else is none. */
export function parseRef(text: string): string | undefined {
  const written = text.trim();
  const element = /^(?:@?e|@)([1-9]\d{0,14})$/.exec(written);
  if (element) return `e${element[1]}`;
  return /^w[1-9]\d{0,14}$/.test(written) ? written : undefined;
}
