/** `1 character`, `8 characters`, as a person counts them. */
export function characters(text: string | number): string {
  const count = typeof text === 'number' ? text : [...text].length;
  return `${count} ${count === 1 ? 'character' : 'characters'}`;
}
