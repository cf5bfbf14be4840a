import { safeText } from '../safe-text.js';

// A line end of JavaScript's, or a character that makes code look like other code.
const RISKY = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;

const escaped = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** Any value of JSON as source: it can end neither its string nor its line, and what is not to be seen is escaped. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${literal(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value).replace(RISKY, escaped);
}

/** `__proto__` without brackets would be no member. */
function keyOf(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : literal(key);
}

/** Text for the rest of a `//` line. */
export function comment(text: string): string {
  return `// ${safeText(text)}`;
}
