import type { SentencePart } from '../../runtime/index.js';

// Parts of the sentence that a log or a replay shows for a recorded call. The arguments come from a file and may be
// anything.

export function quoted(value: unknown): SentencePart | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? { quoted: value } : undefined;
}

/** A text, or the secret that was used instead. */
export function textOrSecret(text: unknown, secret: unknown): (SentencePart | undefined)[] {
  if (typeof secret === 'string') return ['the secret', { quoted: secret }];
  return [quoted(text) ?? 'text'];
}

/** Keys that may have been part of a password are not in the log. */
export function pressedKeys(keys: unknown): (SentencePart | undefined)[] {
  if (typeof keys !== 'object' || keys === null) return [quoted(keys)];
  return ['keys', quoted((keys as { others?: unknown }).others)];
}

export function conditionText(value: unknown): SentencePart {
  return quoted(value) ?? (value === undefined ? 'a condition' : { quoted: JSON.stringify(value) });
}

/** An action as the verb of a sentence. */
export function capitalised(word: unknown): string | undefined {
  return typeof word === 'string' && /^[a-z_ -]{1,40}$/i.test(word)
    ? word.charAt(0).toUpperCase() + word.slice(1)
    : undefined;
}

export const pointText = ({ x, y }: { x?: unknown; y?: unknown }): string =>
  typeof x === 'number' && typeof y === 'number' ? `${x}, ${y}` : 'a point';

const MAX_SHOWN_ARGS = 3;

/** The first arguments of a launched program; the step's arguments list all of them. */
export function firstArgs(args: unknown): (SentencePart | undefined)[] {
  if (!Array.isArray(args)) return [];
  return [...args.slice(0, MAX_SHOWN_ARGS).map(quoted), args.length > MAX_SHOWN_ARGS ? '…' : undefined];
}
