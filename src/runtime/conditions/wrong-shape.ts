import { DesktopError } from '../../shared/index.js';

/** Arguments that are no condition: one sentence, and how it is written. */
export function wrongShape(sentence: string, form: string, guess?: string): DesktopError {
  const hint = `${guess === undefined ? '' : `${guess} `}Write ${form}.`;
  return new DesktopError('bad_arguments', sentence, { hint });
}

/** What was given, as far as it may stand in a sentence. */
export function givenWord(given: unknown): string {
  if (given === null) return 'null';
  if (given === undefined) return 'nothing';
  if (Array.isArray(given)) return `a list of ${given.length}`;
  if (typeof given === 'string') return JSON.stringify(given.slice(0, 40));
  return typeof given === 'number' || typeof given === 'boolean' ? String(given) : 'an object';
}
