import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import { neverSo, retried } from './retry.js';

const link = { timeoutMs: 1_000, tell: async (error: unknown) => error } as unknown as Link;
const missing = (): DesktopError => new DesktopError('element_not_found', 'Nothing fits.');
const several = (): DesktopError => new DesktopError('ambiguous_target', 'x matches 2.');
const otherwise = (): DesktopError =>
  new DesktopError('verify_failed', '{"exists":"x"} does not hold: nothing matches.');

describe('what is expected is tried again', () => {
  test('until it is so, whatever was in the way', async () => {
    const answers = [missing, several, otherwise, () => false, () => true];
    let tries = 0;
    await retried(link, { said: 'it' }, async () => {
      const answer = answers[tries++]!();
      if (answer instanceof DesktopError) throw answer;
      return answer;
    });
    expect(tries).toBe(5);
  });

  test.each<[string, () => DesktopError, string, string]>([
    ['nothing', missing, 'verify_failed', 'it does not hold after 10 ms. Nothing fits.'],
    ['several', several, 'ambiguous_target', 'it does not hold after 10 ms: x matches 2.'],
    ['another one', otherwise, 'verify_failed', 'it does not hold after 10 ms: nothing matches.'],
  ])('and to the end there is %s', async (_, error, code, message) => {
    const check = (): Promise<boolean> => Promise.reject(error());
    await expect(retried(link, { said: 'it', timeoutMs: 10 }, check)).rejects.toMatchObject({ code, message });
  });

  test('but not after a refusal', async () => {
    const refused = new DesktopError('policy_denied', 'no');
    let tries = 0;
    const check = (): Promise<boolean> => Promise.reject((tries++, refused));
    await expect(retried(link, { said: 'it' }, check)).rejects.toBe(refused);
    expect(tries).toBe(1);
  });
});

test('what may be meant is named once', () => {
  const near = [{ ref: 'e1' }, { ref: 'e2' }, { ref: 'e1' }];
  const error = new DesktopError('timeout', 'late', { details: { nearest: near, answer: 'unsatisfied' } });
  expect(neverSo('it', 5, error).details).toEqual({ nearest: [{ ref: 'e1' }, { ref: 'e2' }], answer: 'unsatisfied' });
});
