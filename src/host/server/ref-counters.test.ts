import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { RefCounters } from '../../runtime/index.js';
import { SavedRefCounters } from './ref-counters.js';
import type { RequestContext } from './server.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-refs-'));
  file = join(folder, 'user.0.refs');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NONE: RefCounters = { elements: 0, windows: 0, looks: 0, pictures: 0 };
const SOME: RefCounters = { elements: 40, windows: 3, looks: 7, pictures: 1 };

it('the first host starts at one, and the next one where it ended', () => {
  const first = new SavedRefCounters(file);
  expect(first.load()).toEqual(NONE);
  first.saveFinal(SOME);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(new SavedRefCounters(file).load()).toEqual(SOME);
});

it('a host that was killed has given out no more refs than the next one assumes', async () => {
  let given = SOME;
  const killed = new SavedRefCounters(file);
  const { snapshot } = killed.wrap({ snapshot: async () => 'seen' }, () => given);
  for (const elements of [900, 1_500, 90_000]) {
    given = { ...given, elements };
    expect(await snapshot!({}, {} as RequestContext)).toBe('seen');
    const next = JSON.parse(readFileSync(file, 'utf8')) as RefCounters;
    for (const kind of Object.keys(NONE) as (keyof RefCounters)[])
      expect(next[kind]).toBeGreaterThanOrEqual(given[kind]);
  }
});

it.each(['', '{', '{"v":2}', '{"v":1,"elements":-1,"windows":0,"looks":0,"pictures":0}'])(
  'a file that is not ours (%j) counts as no file',
  (text) => {
    writeFileSync(file, text);
    expect(new SavedRefCounters(file).load()).toEqual(NONE);
  },
);

it('works even if nothing can be written', () => {
  const refs = new SavedRefCounters(join(folder, 'nowhere', 'refs'));
  expect(refs.load()).toEqual(NONE);
  refs.saveFinal(SOME);
});
