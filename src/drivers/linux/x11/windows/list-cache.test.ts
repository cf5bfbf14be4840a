import type { XEvent } from 'x11';
import { describe, expect, test } from 'vitest';
import type { Atoms } from '../atoms.js';
import { WindowListCache } from './list-cache.js';
import type { Monitor } from '../monitors.js';
import type { WindowList } from './list.js';

/** Gives every name a number, the same for the same name. */
const numbers = new Map<string, number>();
const atoms = new Proxy({} as Atoms, {
  get: (_, name: string) => numbers.get(name) ?? numbers.set(name, numbers.size + 1).get(name),
});
const property = (name: keyof Atoms): XEvent => ({ name: 'PropertyNotify', atom: atoms[name] });
const screen = (width: number): Monitor[] => [
  { number: 1, bounds: { x: 0, y: 0, width, height: 600 }, primary: true, scale: 1 },
];
const list = (reported = true): WindowList => ({
  windows: [{ xid: 7 } as WindowList['windows'][number]],
  screens: screen(800),
  isCoveredByEvents: reported,
});

function cached({ reported = true, listened = true } = {}): WindowListCache {
  const current = new WindowListCache(atoms);
  current.store(list(reported), current.revision, listened);
  return current;
}

describe('the cached list', () => {
  test('is valid while no event arrives', () => {
    expect(cached().get(screen(800))).toEqual(list().windows);
  });

  test.each<[string, WindowListCache]>([
    ['there is none', new WindowListCache(atoms)],
    ['events do not cover all its changes', cached({ reported: false })],
    ['one of its windows was not watched yet', cached({ listened: false })],
  ])('is not valid if %s', (_, current) => {
    expect(current.get(screen(800))).toBeUndefined();
  });

  test('is not valid if the monitors changed', () => {
    expect(cached().get(screen(1_024))).toBeUndefined();
  });

  test.each<XEvent>([
    { name: 'MapNotify' },
    { name: 'UnmapNotify' },
    { name: 'DestroyNotify' },
    { name: 'ReparentNotify' },
    { name: 'ConfigureNotify' },
    { name: 'GravityNotify' },
    { name: 'CirculateNotify' },
    property('_NET_CLIENT_LIST'),
    property('_NET_CLIENT_LIST_STACKING'),
    property('_NET_ACTIVE_WINDOW'),
    property('_NET_SUPPORTING_WM_CHECK'),
    property('_NET_WM_NAME'),
    property('WM_NAME'),
    property('WM_CLASS'),
    property('_NET_WM_STATE'),
    property('WM_STATE'),
    property('_NET_WM_WINDOW_TYPE'),
    property('WM_TRANSIENT_FOR'),
    property('_NET_FRAME_EXTENTS'),
    property('_GTK_FRAME_EXTENTS'),
  ])('is invalidated by $name $atom', (event) => {
    const current = cached();
    expect(current.handleEvent(event)).toBe(true);
    expect(current.get(screen(800))).toBeUndefined();
  });

  test.each<XEvent>([
    property('UTF8_STRING'),
    { name: 'DamageNotify' },
    { name: 'CreateNotify' },
    { name: 'PropertyNotify' },
    {},
  ])('is not invalidated by $name $atom, which affects no list', (event) => {
    const current = cached();
    expect(current.handleEvent(event)).toBe(false);
    expect(current.get(screen(800))).toBeDefined();
  });

  test('is not valid if an event arrived while it was being made', () => {
    const current = new WindowListCache(atoms);
    const { revision } = current;
    current.handleEvent({ name: 'MapNotify' });
    current.store(list(), revision, true);
    expect(current.get(screen(800))).toBeUndefined();
  });
});
