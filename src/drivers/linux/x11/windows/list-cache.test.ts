import type { XEvent } from 'x11';
import { describe, expect, test } from 'vitest';
import type { Atoms } from '../atoms.js';
import { CurrentList } from './list-cache.js';
import type { Monitor } from '../monitors.js';
import type { WindowList } from './list.js';

/** Every name has a number, the same for the same name. */
const numbers = new Map<string, number>();
const atoms = new Proxy({} as Atoms, {
  get: (_, name: string) => numbers.get(name) ?? numbers.set(name, numbers.size + 1).get(name),
});
const property = (name: keyof Atoms): XEvent => ({ name: 'PropertyNotify', atom: atoms[name] });
const screen = (width: number): Monitor[] => [
  { number: 1, bounds: { x: 0, y: 0, width, height: 600 }, primary: true, scale: 1 },
];
const list = (told = true): WindowList => ({
  windows: [{ xid: 7 } as WindowList['windows'][number]],
  screens: screen(800),
  told,
});

function kept({ told = true, listened = true } = {}): CurrentList {
  const current = new CurrentList(atoms);
  current.keep(list(told), current.mark, listened);
  return current;
}

describe('the last list', () => {
  test('holds while nothing is heard', () => {
    expect(kept().unchanged(screen(800))).toEqual(list().windows);
  });

  test.each<[string, CurrentList]>([
    ['there is none', new CurrentList(atoms)],
    ['not all that changes it is told', kept({ told: false })],
    ['one of its windows was not listened to yet', kept({ listened: false })],
  ])('does not hold when %s', (_, current) => {
    expect(current.unchanged(screen(800))).toBeUndefined();
  });

  test('does not hold on other monitors', () => {
    expect(kept().unchanged(screen(1_024))).toBeUndefined();
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
  ])('does not hold after $name $atom', (event) => {
    const current = kept();
    expect(current.heard(event)).toBe(true);
    expect(current.unchanged(screen(800))).toBeUndefined();
  });

  test.each<XEvent>([
    property('UTF8_STRING'),
    { name: 'DamageNotify' },
    { name: 'CreateNotify' },
    { name: 'PropertyNotify' },
    {},
  ])('holds after what is in no list: $name $atom', (event) => {
    const current = kept();
    expect(current.heard(event)).toBe(false);
    expect(current.unchanged(screen(800))).toBeDefined();
  });

  test('does not hold when something was heard while it was made', () => {
    const current = new CurrentList(atoms);
    const { mark } = current;
    current.heard({ name: 'MapNotify' });
    current.keep(list(), mark, true);
    expect(current.unchanged(screen(800))).toBeUndefined();
  });
});
