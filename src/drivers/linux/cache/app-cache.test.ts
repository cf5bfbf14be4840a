import { describe, expect, test } from 'vitest';
import type { Box } from '../../../tree/index.js';
import { DBusError } from '../dbus/connection.js';
import { ROOT_PATH } from '../atspi/accessible.js';
import { AppCache } from './app-cache.js';
import type { Invalidation } from './invalidations.js';

const LAG_MS = 250;

const BUS = ':1.5';

interface Thing {
  box?: Box;
  states?: [number, number];
  role?: number;
  name?: string;
  children?: string[];
}

const box = (x: number, y: number, width = 10, height = 10): Box => ({ x, y, width, height });

/** Two windows. The first contains two boxes side by side, with two leaves each. */
const SCENE: Record<string, Thing> = {
  [ROOT_PATH]: { children: ['/w', '/v'] },
  '/w': { box: box(0, 0, 200, 100), children: ['/a', '/b'] },
  '/a': { box: box(0, 0, 100, 100), children: ['/a1', '/a2'] },
  '/a1': { box: box(10, 10) },
  '/a2': { box: box(10, 50) },
  '/b': { box: box(100, 0, 100, 100), role: 95, children: ['/b1', '/b2'] },
  '/b1': { box: box(110, 10) },
  '/b2': { box: box(110, 50) },
  '/v': { box: box(500, 500, 50, 50), children: [] },
};

const FACTS = ['role', 'states', 'extents', 'name', 'count', 'children'] as const;
type FactName = (typeof FACTS)[number];

/** An app that can be changed, and a cache through which all of it is read. */
class Stage {
  readonly things: Record<string, Thing> = structuredClone(SCENE);
  asked: string[] = [];
  now = 1000;
  readonly cache = new AppCache({
    busName: BUS,
    lagMs: LAG_MS,
    isObjectError: (error) => (error as DBusError).kind === 'Unknown',
  });

  ask(path: string, reply: FactName, refresh = false): Promise<unknown[]> {
    const member = { role: 'GetRole', states: 'GetState', extents: 'GetExtents', children: 'GetChildren' }[
      reply as 'role'
    ];
    const property = { name: 'Name', count: 'ChildCount' }[reply as 'name'];
    const send = async (): Promise<unknown[]> => {
      this.asked.push(`${path} ${reply}`);
      return [this.answer(path, reply)];
    };
    return this.cache.ask({ path, key: reply, member: member ?? property }, send, refresh);
  }

  /** Reads like a walk: children are read when the reply lists them. */
  async read(refresh = false): Promise<string[]> {
    this.asked = [];
    const mark = this.cache.begin(this.now);
    const readBelow = async (path: string): Promise<void> => {
      await Promise.all(FACTS.map((reply) => this.ask(path, reply, refresh)));
      const [list] = await this.ask(path, 'children');
      for (const [, child] of list as [string, string][]) await readBelow(child);
    };
    await readBelow(ROOT_PATH);
    this.inconsistent = this.cache.isInconsistent(mark);
    return this.asked;
  }

  inconsistent = false;

  /** The calls that are sent again after an invalidation. */
  async after(invalidation: Invalidation): Promise<string[]> {
    await this.read();
    this.cache.invalidate(invalidation, this.now);
    return (await this.read()).sort();
  }

  private answer(path: string, reply: FactName): unknown {
    const thing = this.things[path];
    if (!thing) throw new DBusError('Unknown', 'no such object');
    switch (reply) {
      case 'role':
        return thing.role ?? 1;
      case 'states':
        return thing.states ?? [1, 0];
      case 'extents':
        return thing.box && Object.values(thing.box);
      case 'name':
        return { signature: 's', value: thing.name ?? path };
      case 'count':
        return { signature: 'i', value: thing.children?.length ?? 0 };
      case 'children':
        return (thing.children ?? []).map((child) => [BUS, child]);
    }
  }
}

const every = (...paths: string[]): string[] =>
  paths.flatMap((path) => FACTS.map((reply) => `${path} ${reply}`)).sort();
const redrawn = (...paths: string[]): string[] => every(...paths).filter((call) => !call.endsWith(' role'));
const placement = (...paths: string[]): string[] => every(...paths).filter((call) => / (states|extents)$/.test(call));

test('sends each call once; a refresh sends all of them again', async () => {
  const stage = new Stage();
  expect((await stage.read()).length).toBe(Object.keys(SCENE).length * FACTS.length);
  expect(await stage.read()).toEqual([]);
  stage.things['/a1']!.name = 'new';
  expect((await stage.read(true)).length).toBe(Object.keys(SCENE).length * FACTS.length);
  expect(await stage.ask('/a1', 'name')).toEqual([{ signature: 's', value: 'new' }]);
});

describe('calls that are sent again after', () => {
  const cases: [what: string, invalidation: Invalidation, asked: string[]][] = [
    [
      'an event: all of the object; the non-static part of its siblings and ancestors',
      { type: 'event', path: '/a1', children: false },
      [...every('/a1'), ...redrawn('/a', '/a2', '/w')].sort(),
    ],
    [
      'an event of a box: its descendants too',
      { type: 'event', path: '/a', children: false },
      [...every('/a', '/a1', '/a2'), ...redrawn('/w', '/b')].sort(),
    ],
    ['an event of a window: only the window itself', { type: 'event', path: '/w', children: false }, every('/w')],
    [
      'changed children of a window: the whole window',
      { type: 'event', path: '/w', children: true },
      every('/w', '/a', '/a1', '/a2', '/b', '/b1', '/b2'),
    ],
    ['changed windows: the list of windows', { type: 'event', path: ROOT_PATH, children: true }, every(ROOT_PATH)],
    ['an event of an unknown object: nothing', { type: 'event', path: '/none', children: true }, []],
    [
      'a redraw: the objects there; visibility and position of their neighbours',
      { type: 'redraw', box: box(12, 12, 2, 2) },
      [...redrawn('/w', '/a', '/a1'), ...placement('/a2', '/b')].sort(),
    ],
    ['a redraw outside of all objects: nothing', { type: 'redraw', box: box(300, 300) }, []],
    [
      'a new layout: bounds and states of that window',
      { type: 'layout', path: '/w' },
      placement('/w', '/a', '/a1', '/a2', '/b', '/b1', '/b2'),
    ],
    ['a new title: the window and its web page', { type: 'title', path: '/w' }, redrawn('/w', '/b')],
    ['an invalidated window: the whole window', { type: 'window', path: '/v' }, every('/v')],
    ['anything', { type: 'all' }, every(...Object.keys(SCENE))],
  ];
  test.each(cases)('%s', async (_, invalidation, asked) => {
    expect(await new Stage().after(invalidation)).toEqual([...asked].sort());
  });

  test('an event among very many siblings: only the object and its ancestors', async () => {
    const stage = new Stage();
    const many = Array.from({ length: 150 }, (_, i) => `/a/${i}`);
    stage.things['/a']!.children = many;
    for (const path of many) stage.things[path] = { box: box(10, 10) };
    const asked = await stage.after({ type: 'event', path: '/a/7', children: false });
    expect(asked).toEqual([...every('/a/7'), ...redrawn('/a', '/w')].sort());
  });

  test('a redraw next to an object without a size: everything that it may have gained', async () => {
    const stage = new Stage();
    stage.things['/a2'] = { box: box(0, 0, 0, 0) };
    const asked = await stage.after({ type: 'redraw', box: box(12, 12, 2, 2) });
    expect(asked).toEqual([...redrawn('/w', '/a', '/a1', '/a2'), ...placement('/b')].sort());
  });

  test('any event: the states of the object that had the focus', async () => {
    const stage = new Stage();
    stage.things['/b2']!.states = [1 << 12, 0];
    const asked = await stage.after({ type: 'event', path: '/v', children: false });
    expect(asked).toEqual([...every('/v'), ...placement('/b2')].sort());
  });

  test('any event: objects that were read outside of the tree', async () => {
    const stage = new Stage();
    stage.things['/label'] = {};
    await stage.read();
    await stage.ask('/label', 'name');
    stage.cache.invalidate({ type: 'event', path: '/v', children: false }, stage.now);
    await stage.read();
    stage.asked = [];
    await stage.ask('/label', 'name');
    expect(stage.asked).toEqual(['/label name']);
  });
});

describe('a reply that differs from the last one', () => {
  test('with new bounds: drops the other replies and the placement of the children, and marks the read as inconsistent', async () => {
    const stage = new Stage();
    await stage.read();
    stage.things['/b']!.box = box(100, 20, 100, 100);
    stage.things['/b']!.name = 'moved';
    // Far from /b itself, so only its placement is checked.
    stage.cache.invalidate({ type: 'redraw', box: box(12, 12, 2, 2) }, stage.now);
    const asked = await stage.read();
    expect(asked).toEqual(expect.arrayContaining(placement('/b1', '/b2')));
    expect(stage.inconsistent, 'its old name was served in this read').toBe(true);
    stage.now += LAG_MS;
    await stage.read();
    expect(await stage.ask('/b', 'name')).toEqual([{ signature: 's', value: 'moved' }]);
    stage.now += 1;
    expect(await stage.read()).toEqual([]);
    expect(stage.inconsistent).toBe(false);
  });

  test('because the object died: reads the children of its parent again', async () => {
    const stage = new Stage();
    await stage.read();
    delete stage.things['/a2'];
    stage.things['/a']!.children = ['/a1'];
    // A layout change: only bounds and states of the neighbour are read.
    stage.cache.invalidate({ type: 'layout', path: '/a' }, stage.now);
    await expect(stage.read()).rejects.toThrow('no such object');
    stage.now += LAG_MS;
    await stage.read();
    expect((await stage.ask('/a', 'children'))[0]).toEqual([[BUS, '/a1']]);
  });

  test('with fewer children: drops the objects that are gone', async () => {
    const stage = new Stage();
    await stage.read();
    const before = stage.cache.size;
    stage.things['/w']!.children = ['/b'];
    stage.cache.invalidate({ type: 'event', path: '/w', children: true }, stage.now);
    await stage.read();
    expect(stage.cache.size).toBe(before - 3);
  });
});

describe('an invalidation', () => {
  test('applies until the lag has passed, and once more after that', async () => {
    const stage = new Stage();
    const invalidation: Invalidation = { type: 'event', path: '/v', children: false };
    expect(await stage.after(invalidation)).toEqual(every('/v'));
    stage.now += LAG_MS - 1;
    expect((await stage.read()).sort(), 'within the lag').toEqual(every('/v'));
    stage.now += 1;
    expect((await stage.read()).sort(), 'once more').toEqual(every('/v'));
    stage.now += 1;
    expect(await stage.read()).toEqual([]);
  });

  test('during a pending call: its reply is not cached', async () => {
    const stage = new Stage();
    await stage.read();
    stage.cache.invalidateWindow('/v');
    let arrive: (answer: unknown[]) => void = () => undefined;
    const late = new Promise<unknown[]>((resolve) => (arrive = resolve));
    const first = stage.cache.ask({ path: '/v', key: 'name', member: 'Name' }, () => late);
    stage.cache.invalidate({ type: 'event', path: '/v', children: false }, stage.now);
    stage.cache.begin(stage.now);
    arrive([{ value: 'from before' }]);
    expect(await first).toEqual([{ value: 'from before' }]);
    expect(await stage.ask('/v', 'name')).toEqual([{ signature: 's', value: '/v' }]);
  });

  test('during a read: the read was disturbed, and the next read applies the invalidation', async () => {
    const stage = new Stage();
    await stage.read();
    const mark = stage.cache.begin(stage.now);
    expect(stage.cache.isUndisturbed(mark)).toBe(true);
    stage.cache.invalidate({ type: 'event', path: '/v', children: false }, stage.now);
    expect(stage.cache.isUndisturbed(mark)).toBe(false);
    const { version } = stage.cache;
    stage.cache.begin(stage.now);
    expect(stage.cache.version).toBeGreaterThan(version);
  });

  test('with very many others: drops everything', async () => {
    const stage = new Stage();
    await stage.read();
    for (let i = 0; i < 300; i++)
      stage.cache.invalidate({ type: 'event', path: `/none/${i}`, children: false }, stage.now);
    expect((await stage.read()).length).toBe(Object.keys(SCENE).length * FACTS.length);
  });
});

describe('a moved window', () => {
  const extents = async (stage: Stage, path: string): Promise<unknown> => (await stage.ask(path, 'extents'))[0];

  test('shifts its cached bounds; the other window stays', async () => {
    const stage = new Stage();
    await stage.read();
    stage.asked = [];
    stage.cache.shiftBounds('/w', { x: 30, y: -5 }, Infinity);
    expect(await extents(stage, '/b2')).toEqual([140, 45, 10, 10]);
    expect(await extents(stage, '/v')).toEqual([500, 500, 50, 50]);
    expect(stage.asked).toEqual([]);
  });

  test('does not shift bounds that were read around the time of the move; they are read again twice', async () => {
    const stage = new Stage();
    await stage.read();
    stage.cache.shiftBounds('/w', { x: 30, y: 0 }, -Infinity);
    // Bounds are dated by the real clock.
    stage.now = performance.now();
    for (const [path, { box: place }] of Object.entries(stage.things)) if (path !== '/v' && place) place.x += 30;
    expect((await stage.read()).sort()).toEqual(placement('/w', '/a', '/a1', '/a2', '/b', '/b1', '/b2'));
    stage.now += LAG_MS + 1;
    expect((await stage.read()).sort()).toEqual(placement('/w', '/a', '/a1', '/a2', '/b', '/b1', '/b2'));
    expect(await stage.read()).toEqual([]);
  });

  test('applies earlier redraws to the old position and later ones to the new position', async () => {
    const stage = new Stage();
    await stage.read();
    stage.cache.invalidate({ type: 'redraw', box: box(12, 12, 2, 2) }, stage.now);
    stage.cache.shiftBounds('/w', { x: 1000, y: 0 }, Infinity);
    const asked = await stage.read();
    expect(asked).toEqual(expect.arrayContaining(redrawn('/a1').filter((call) => !call.endsWith('extents'))));
  });
});

describe('errors', () => {
  const failing = (kind: string) => async (): Promise<never> => Promise.reject(new DBusError(kind, 'no'));

  test.each([
    ['Unknown', 1],
    ['timeout', 2],
  ])('%s: sent %i times', async (kind, times) => {
    const stage = new Stage();
    let asked = 0;
    const ask = (): Promise<unknown[]> =>
      stage.cache.ask({ path: '/a', key: 'x', member: 'X' }, () => {
        asked++;
        return failing(kind)();
      });
    await expect(ask()).rejects.toThrow('no');
    await expect(ask()).rejects.toThrow('no');
    expect(asked).toBe(times);
  });
});

test('tolerates nonsensical replies', async () => {
  const { cache } = new Stage();
  for (const member of [
    'GetChildren',
    'GetExtents',
    'GetState',
    'GetRole',
    'ChildCount',
    'Parent',
    'GetChildAtIndex',
  ]) {
    for (const value of [undefined, null, 7, 'x', [], [7], [[BUS, 7]], [[BUS, '/a']], { value: [BUS, '/a'] }]) {
      await cache.ask({ path: '/a', key: member, member }, async () => [value], true);
    }
  }
  cache.invalidate({ type: 'redraw', box: box(0, 0) });
  expect(() => cache.begin()).not.toThrow();
});

test('clears the cache of an app with too many objects', async () => {
  const stage = new Stage();
  await stage.read();
  const paths = Array.from({ length: 31_000 }, (_, i) => [BUS, `/many/${i}`]);
  await stage.cache.ask({ path: '/w', key: 'children', member: 'GetChildren' }, async () => [paths], true);
  expect(stage.cache.size).toBeLessThanOrEqual(30_000);
  expect((await stage.read()).length).toBeGreaterThan(0);
});

test('recheckExpired applies expired invalidations once more, and only once', async () => {
  const stage = new Stage();
  await stage.after({ type: 'event', path: '/a1', children: false });
  stage.now += LAG_MS;
  expect(await stage.read(), 'for the last time').toContain('/a1 name');
  stage.now += 1_000;
  expect(await stage.read()).toEqual([]);
  stage.things['/a1']!.name = 'later still';
  stage.cache.recheckExpired();
  expect(await stage.read()).toContain('/a1 name');
  stage.cache.recheckExpired();
  expect(await stage.read()).toEqual([]);
});

test('returns the ancestors from the parent up', async () => {
  const stage = new Stage();
  await stage.read();
  expect(stage.cache.ancestorPaths('/a1', 10)).toEqual(['/a', '/w', ROOT_PATH]);
  expect(stage.cache.ancestorPaths('/a1', 2)).toEqual(['/a', '/w']);
  expect(stage.cache.ancestorPaths('/unknown', 10)).toEqual([]);
});
