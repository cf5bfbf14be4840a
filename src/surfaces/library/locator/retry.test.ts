import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import type { Link } from '../link.js';
import { patiently } from './retry.js';
import { Place } from './place.js';

const missing = (): DesktopError => new DesktopError('element_not_found', 'Nothing fits.');

/** A host that answers waits as it is told, and counts them. */
function linkOf(waits: (until: unknown) => void): { link: Link; waited: unknown[] } {
  const waited: unknown[] = [];
  const link = {
    timeoutMs: 1_000,
    call: async (_tool: string, { until, window }: { until: unknown; window?: string }) => {
      waited.push({ until, window });
      waits(until);
      return { json: {}, text: '' };
    },
    tell: async (error: unknown) => error,
  };
  return { link: link as unknown as Link, waited };
}

const late = (): void => {
  throw new DesktopError('timeout', 'It does not hold.');
};
const EVERYWHERE = new Place({ kind: 'any' });

describe('what is not there is waited for', () => {
  test('and done when it comes', async () => {
    const { link, waited } = linkOf(() => undefined);
    let tries = 0;
    const work = async (): Promise<string> => {
      if (++tries < 3) throw missing();
      return 'done';
    };
    expect(await patiently(link, { place: EVERYWHERE, target: '"x"', said: 'x' }, work)).toBe('done');
    expect(waited).toEqual([
      { until: { exists: '"x"' }, window: undefined },
      { until: { exists: '"x"' }, window: undefined },
    ]);
  });

  test('in its window, which has to come first', async () => {
    const { link, waited } = linkOf(late);
    const place = new Place({ kind: 'title', title: 'Form' });
    const work = async (): Promise<never> => Promise.reject(missing());
    await expect(patiently(link, { place, target: '"x"', said: 'x' }, work)).rejects.toMatchObject({
      code: 'element_not_found',
    });
    expect(waited).toEqual([{ until: { window: 'Form' }, window: undefined }]);
  });

  test('and when it does not come, what was missing is told', async () => {
    const { link } = linkOf(late);
    let tries = 0;
    const work = async (): Promise<never> => {
      tries++;
      throw missing();
    };
    const wanted = { place: EVERYWHERE, target: '"x"', said: 'x' };
    await expect(patiently(link, wanted, work)).rejects.toMatchObject({ code: 'element_not_found' });
    expect(tries).toBe(1);
  });
});

describe('nothing else is tried again', () => {
  test.each([
    ['what was delivered', new DesktopError('element_not_found', 'gone', { delivered: 'yes' })],
    ['what will not come', new DesktopError('element_not_found', 'closed', { retry: 'no' })],
    ['two that fit', new DesktopError('ambiguous_target', 'two')],
    ['a stale ref', new DesktopError('stale_ref', 'stale', { retry: 'no' })],
    ['a refusal', new DesktopError('policy_denied', 'no', { retry: 'no' })],
  ])('%s', async (_, error) => {
    const { link, waited } = linkOf(() => undefined);
    let tries = 0;
    const work = async (): Promise<never> => {
      tries++;
      throw error;
    };
    await expect(patiently(link, { place: EVERYWHERE, target: '"x"', said: 'x' }, work)).rejects.toBe(error);
    expect({ tries, waited }).toEqual({ tries: 1, waited: [] });
  });

  test('and without time nothing is waited for', async () => {
    const { link, waited } = linkOf(() => undefined);
    const work = async (): Promise<never> => Promise.reject(missing());
    const wanted = { place: EVERYWHERE, target: '"x"', timeoutMs: 0, said: 'x' };
    await expect(patiently(link, wanted, work)).rejects.toMatchObject({ code: 'element_not_found' });
    expect(waited).toEqual([]);
  });
});
