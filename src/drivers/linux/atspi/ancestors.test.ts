import { describe, expect, test } from 'vitest';
import type { AppCalls } from './app-connection.js';
import { readLineage } from './ancestors.js';

const BUS = ':1.5';
const APPLICATION = 75;

/** An app whose objects say who is above them; `known`: who was, when that was last told. */
function app(parents: Record<string, string>, cached: readonly string[]) {
  const rounds: string[][] = [];
  let sent: string[] | undefined;
  /** What is asked in one tick leaves together. */
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

describe('who is above an element', () => {
  test('is asked at once where it was known', async () => {
    const { calls, rounds } = app(PARENTS, ['/box', '/window', '/root']);
    expect(await paths(calls)).toEqual(['/window', '/box', '/leaf']);
    expect(rounds).toHaveLength(1);
  });

  test('is asked one by one where it was not', async () => {
    const { calls, rounds } = app(PARENTS, []);
    expect(await paths(calls)).toEqual(['/window', '/box', '/leaf']);
    expect(rounds).toHaveLength(4);
  });

  test('is as the app says it now, whoever was there before', async () => {
    const { calls } = app({ ...PARENTS, '/leaf': '/other', '/other': '/window' }, ['/box', '/window', '/root']);
    expect(await paths(calls)).toEqual(['/window', '/other', '/leaf']);
  });

  test('ends where it comes round', async () => {
    const { calls } = app({ '/leaf': '/box', '/box': '/leaf' }, ['/box', '/leaf']);
    expect(await paths(calls)).toEqual(['/box', '/leaf']);
  });
});
