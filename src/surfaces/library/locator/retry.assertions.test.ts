import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import { assertionError, retryUntilTrue } from './retry.js';

const link = { timeoutMs: 1_000, explain: async (error: unknown) => error } as unknown as Link;
const missing = (): DesktopError => new DesktopError('element_not_found', 'Nothing fits.');
const several = (): DesktopError => new DesktopError('ambiguous_target', 'x matches 2.');
const mismatch = (): DesktopError =>
  new DesktopError('verify_failed', '{"exists":"x"} does not hold: nothing matches.');

describe('retries an assertion', () => {
  test('until it holds, whatever the earlier result was', async () => {
    const answers = [missing, several, mismatch, () => false, () => true];
    let tries = 0;
    await retryUntilTrue(link, { expression: 'it' }, async () => {
      const answer = answers[tries++]!();
      if (answer instanceof DesktopError) throw answer;
      return answer;
    });
    expect(tries).toBe(5);
  });

  test.each<[string, () => DesktopError, string, string]>([
    ['nothing', missing, 'verify_failed', 'it does not hold after 10 ms. Nothing fits.'],
    ['several', several, 'ambiguous_target', 'it does not hold after 10 ms: x matches 2.'],
    ['a mismatch', mismatch, 'verify_failed', 'it does not hold after 10 ms: nothing matches.'],
  ])('and reports the last result: %s', async (_, error, code, message) => {
    const check = (): Promise<boolean> => Promise.reject(error());
    await expect(retryUntilTrue(link, { expression: 'it', timeoutMs: 10 }, check)).rejects.toMatchObject({
      code,
      message,
    });
  });

  test('but not after a refusal', async () => {
    const refused = new DesktopError('policy_denied', 'no');
    let tries = 0;
    const check = (): Promise<boolean> => Promise.reject((tries++, refused));
    await expect(retryUntilTrue(link, { expression: 'it' }, check)).rejects.toBe(refused);
    expect(tries).toBe(1);
  });
});

test('lists each candidate once', () => {
  const near = [{ ref: 'e1' }, { ref: 'e2' }, { ref: 'e1' }];
  const error = new DesktopError('timeout', 'late', { details: { nearest: near, answer: 'unsatisfied' } });
  expect(assertionError('it', 5, error).details).toEqual({
    nearest: [{ ref: 'e1' }, { ref: 'e2' }],
    answer: 'unsatisfied',
  });
});
