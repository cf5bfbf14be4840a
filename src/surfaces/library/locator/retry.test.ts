import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import { retryUntilFound } from './retry.js';
import { SearchScope } from './search-scope.js';

const missing = (): DesktopError => new DesktopError('element_not_found', 'Nothing fits.');

/** A host that answers waits with the given function and records them. */
function linkOf(waits: (until: unknown) => void): { link: Link; waited: unknown[] } {
  const waited: unknown[] = [];
  const link = {
    timeoutMs: 1_000,
    call: async (_tool: string, { until, window }: { until: unknown; window?: string }) => {
      waited.push({ until, window });
      waits(until);
      return { json: {}, text: '' };
    },
    explain: async (error: unknown) => error,
  };
  return { link: link as unknown as Link, waited };
}

const late = (): void => {
  throw new DesktopError('timeout', 'It does not hold.');
};
const EVERYWHERE = new SearchScope({ kind: 'any' });

describe('waits for a missing element', () => {
  test('and runs the call when it exists', async () => {
    const { link, waited } = linkOf(() => undefined);
    let tries = 0;
    const work = async (): Promise<string> => {
      if (++tries < 3) throw missing();
      return 'done';
    };
    expect(await retryUntilFound(link, { scope: EVERYWHERE, target: '"x"', expression: 'x' }, work)).toBe('done');
    expect(waited).toEqual([
      { until: { exists: '"x"' }, window: undefined },
      { until: { exists: '"x"' }, window: undefined },
    ]);
  });

  test('and first for its window', async () => {
    const { link, waited } = linkOf(late);
    const scope = new SearchScope({ kind: 'title', title: 'Form' });
    const work = async (): Promise<never> => Promise.reject(missing());
    await expect(retryUntilFound(link, { scope, target: '"x"', expression: 'x' }, work)).rejects.toMatchObject({
      code: 'element_not_found',
    });
    expect(waited).toEqual([{ until: { window: 'Form' }, window: undefined }]);
  });

  test('and reports the original error when it does not come', async () => {
    const { link } = linkOf(late);
    let tries = 0;
    const work = async (): Promise<never> => {
      tries++;
      throw missing();
    };
    const expected = { scope: EVERYWHERE, target: '"x"', expression: 'x' };
    await expect(retryUntilFound(link, expected, work)).rejects.toMatchObject({ code: 'element_not_found' });
    expect(tries).toBe(1);
  });
});

describe('retries nothing else', () => {
  test.each([
    ['an error after delivery', new DesktopError('element_not_found', 'gone', { delivered: 'yes' })],
    ['an element that cannot come back', new DesktopError('element_not_found', 'closed', { retry: 'no' })],
    ['two matches', new DesktopError('ambiguous_target', 'two')],
    ['a stale ref', new DesktopError('stale_ref', 'stale', { retry: 'no' })],
    ['a refusal', new DesktopError('policy_denied', 'no', { retry: 'no' })],
  ])('%s', async (_, error) => {
    const { link, waited } = linkOf(() => undefined);
    let tries = 0;
    const work = async (): Promise<never> => {
      tries++;
      throw error;
    };
    await expect(retryUntilFound(link, { scope: EVERYWHERE, target: '"x"', expression: 'x' }, work)).rejects.toBe(
      error,
    );
    expect({ tries, waited }).toEqual({ tries: 1, waited: [] });
  });

  test('does not wait with a timeout of 0', async () => {
    const { link, waited } = linkOf(() => undefined);
    const work = async (): Promise<never> => Promise.reject(missing());
    const expected = { scope: EVERYWHERE, target: '"x"', timeoutMs: 0, expression: 'x' };
    await expect(retryUntilFound(link, expected, work)).rejects.toMatchObject({ code: 'element_not_found' });
    expect(waited).toEqual([]);
  });
});
