import type { Answer } from './answer.js';
import { foldText } from './fold-text.js';

/** Longer ones are not gone through glob by glob: a caller could make every decision slow. */
const LONGEST = 20_000;

/** In place of an argument that may not be written down. */
export const REDACTED = Object.freeze({ redacted: true });

/**
 * An argument by its path; of a list any item. What is hidden or too long to be looked through could be anything: it
 * fits a rule that refuses or asks, and none that allows.
 */
export function argumentFits(
  args: Readonly<Record<string, unknown>>,
  path: readonly string[],
  fits: (folded: string) => boolean,
  decision: Answer,
): boolean {
  return valuesAt(args, path).some((value) => {
    if (typeof value === 'object') return decision !== 'allow';
    const text = String(value);
    return text.length > LONGEST ? decision !== 'allow' : fits(foldText(text));
  });
}

/** An object among them is a hidden one. */
type Leaf = string | number | boolean | object;

function valuesAt(value: unknown, path: readonly string[]): Leaf[] {
  const [step, ...rest] = path;
  if (isRedacted(value)) return [value];
  // A step that is a number names one item.
  if (Array.isArray(value) && !/^\d+$/.test(step ?? '')) return value.flatMap((item) => valuesAt(item, path));
  if (step === undefined) return isLeaf(value) ? [value] : [];
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
  return valuesAt((value as Record<string, unknown>)[step], rest);
}

function isLeaf(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isRedacted(value: unknown): value is object {
  return (value as { redacted?: unknown } | null | undefined)?.redacted === true;
}
