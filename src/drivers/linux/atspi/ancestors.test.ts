import { describe, expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { readLineage } from './ancestors.js';

const BUS = ':1.5';
const APPLICATION = 75;

/** An app whose objects report their parents. `cached`: the ancestors from the last read. */
function app(parents: Record<string, string>, cached: readonly string[]) {
  const rounds: string[][] = [];
  let sent: string[] | undefined;
  /** Calls made in the same tick are sent together. */
  const asked = <T>(path: string, answer: T): Promise<T> => {
    if (!sent) {
      rounds.push((sent = []));
      setImmediate(() => (sent = undefined));
    }
    sent.push(path);
    return new Promise((resolve) => void setImmediate(() => setImmediate(resolve, answer)));
  };
  const calls = {
    app: { busName: BUS, toolkit: { name: 'gtk3' }, memory: { ancestorPaths: () => cached } },
    call: (path: string) => asked(path, [path === '/root' ? APPLICATION : 1]),
    get: (path: string) => asked(path, parents[path] === undefined ? undefined : [BUS, parents[path]]),
    maybe: <T>(answer: Promise<T>) => answer,
    understood: (value: unknown) => value,
  } as unknown as AppCalls;
  return { calls, rounds };
}

const PARENTS = { '/leaf': '/box', '/box': '/window', '/window': '/root' };
const paths = async (calls: AppCalls): Promise<string[]> =>
  (await readLineage(calls, [BUS, '/leaf'])).map(({ address }) => address[1]);

describe('reading the ancestors of an element', () => {
  test('takes one round trip when the ancestors are cached', async () => {
    const { calls, rounds } = app(PARENTS, ['/box', '/window', '/root']);
    expect(await paths(calls)).toEqual(['/window', '/box', '/leaf']);
    expect(rounds).toHaveLength(1);
  });

  test('takes one round trip per level when they are not cached', async () => {
    const { calls, rounds } = app(PARENTS, []);
    expect(await paths(calls)).toEqual(['/window', '/box', '/leaf']);
    expect(rounds).toHaveLength(4);
  });

  test('returns the current parents, not the cached ones', async () => {
    const { calls } = app({ ...PARENTS, '/leaf': '/other', '/other': '/window' }, ['/box', '/window', '/root']);
    expect(await paths(calls)).toEqual(['/window', '/other', '/leaf']);
  });

  test('stops at a loop', async () => {
    const { calls } = app({ '/leaf': '/box', '/box': '/leaf' }, ['/box', '/leaf']);
    expect(await paths(calls)).toEqual(['/box', '/leaf']);
  });
});
