import { describe, expect, it } from 'vitest';
import type { DriverEvent } from '../../drivers/contract/index.js';
import { govern } from '../../policy/index.js';
import { WHOLE, type WindowNode } from '../../tree/index.js';
import { moreHidden, Veil } from './veil.js';

const window = (id: string, title: string, other: Partial<WindowNode> = {}): WindowNode => ({
  ...{ id, title, app: 'browser', role: 'window', bounds: { x: 0, y: 0, width: 9, height: 9 } },
  ...{ visible: true, minimised: false, maximised: false, active: false },
  ...other,
});
const BANK = window('bank', 'My Banking', { pid: 7 });
const NOTES = window('notes', 'Notes', { pid: 8 });
const veil = (): Veil => new Veil(() => govern({}, 'virtual').windows);
const ids = (windows: WindowNode[]): string[] => windows.map(({ id }) => id);

describe('what is hidden', () => {
  it('is not among what is seen, and counted', () => {
    const one = veil();
    expect(ids(one.sift([NOTES, BANK]))).toEqual(['notes']);
    expect([one.count, one.hides('bank'), one.hides('notes')]).toEqual([1, true, false]);
    one.sift([NOTES]);
    expect([one.count, one.hides('bank')]).toEqual([0, false]);
  });

  it('is told by the end of a title that nobody is shown', () => {
    const [one, cut] = [veil(), `${'q'.repeat(194)}…(+66)`];
    const hidden = window('long', cut, { [WHOLE]: `${'q'.repeat(240)} - My Banking` });
    const other = window('other', cut, { [WHOLE]: 'q'.repeat(260) });
    expect(ids(one.sift([hidden, other, NOTES]))).toEqual(['other', 'notes']);
    const told = { type: 'window', at: 0, window: 'new', change: 'title', title: cut } as const;
    expect(one.silences({ ...told, [WHOLE]: hidden[WHOLE]! })).toBe(true);
    expect(one.silences({ ...told, [WHOLE]: other[WHOLE]! })).toBe(false);
    // Nobody has kept its end: it may be any.
    expect(one.silences(told)).toBe(true);
    expect(JSON.stringify([hidden])).not.toContain('Banking');
  });

  it('is nothing where there are no rules', () => {
    const none = new Veil(() => undefined);
    const all = [NOTES, BANK];
    expect(none.sift(all)).toEqual(all);
    expect(none.sift(all)).not.toBe(all);
    expect(none.silences({ type: 'window', at: 0, window: 'bank', change: 'title', title: 'My Banking' })).toBe(false);
  });

  it('has the keys', () => {
    const one = veil();
    one.sift([NOTES, BANK]);
    expect(one.hidesActive).toBe(false);
    one.sift([{ ...NOTES, active: true }, BANK]);
    expect(one.hidesActive).toBe(false);
    one.sift([NOTES, { ...BANK, active: true }]);
    expect(one.hidesActive).toBe(true);
  });

  it.each<[Partial<WindowNode>, number]>([
    [{}, 1],
    [{ visible: false }, 0],
    [{ minimised: true }, 0],
    [{ bounds: undefined }, 0],
  ])('has a place on the screen: %j', (other, places) => {
    const one = veil();
    one.sift([NOTES, { ...BANK, ...other }]);
    expect(one.boxes).toHaveLength(places);
  });
});

describe('what turns into something hidden', () => {
  it('is told by another state, once', () => {
    const one = veil();
    one.sift([NOTES, window('bank', 'Start page')]);
    const before = one.state;
    one.sift([NOTES, window('bank', 'Start page')]);
    expect(one.state).toBe(before);
    one.sift([NOTES, BANK]);
    const after = one.state;
    expect(after).not.toBe(before);
    one.sift([NOTES, BANK]);
    expect(one.state).toBe(after);
  });

  it('is not what was gone meanwhile, nor what was never shown', () => {
    const one = veil();
    one.sift([NOTES, window('bank', 'Start page')]);
    one.sift([NOTES]);
    const before = one.state;
    one.sift([NOTES, BANK]);
    expect(one.state).toBe(before);
  });

  it('may have been under a title that nobody knows any more, but only of what was hidden before', () => {
    const one = veil();
    one.sift([NOTES, window('bank', 'Start page')]);
    const before = one.state;
    one.sift([NOTES, window('bank', 'Start page')], [{ window: 'notes' }, { window: 'bank' }]);
    expect(one.state).toBe(before);
    one.sift([NOTES, BANK]);
    one.sift([NOTES, window('bank', 'Start page')]);
    const after = one.state;
    one.sift([NOTES, window('bank', 'Start page')], [{ window: 'bank' }]);
    expect(one.state).toBeGreaterThan(after);
  });

  it('is told by an event as well, once', () => {
    const one = veil();
    one.sift([window('bank', 'Start page')]);
    const before = one.state;
    const turned: DriverEvent = { type: 'window', at: 0, window: 'bank', change: 'title', title: 'My Banking' };
    expect(one.silences(turned)).toBe(true);
    expect(one.state).toBe(before + 1);
    expect(one.silences(turned)).toBe(true);
    one.sift([BANK]);
    expect(one.state).toBe(before + 1);
  });
});

it.each<[string, DriverEvent, boolean]>([
  ['its title', { type: 'window', at: 0, window: 'bank', change: 'title', title: 'Start' }, true],
  ['its focus', { type: 'focus', at: 0, window: 'bank', element: 'x' }, true],
  ['its process', { type: 'name', at: 0, pid: 7, element: 'x' }, true],
  ['a new one', { type: 'window', at: 0, window: 'new', change: 'opened', title: 'Vault - KeePass' }, true],
  ['a new one of another kind', { type: 'window', at: 0, window: 'new', change: 'opened', title: 'Letters' }, false],
  ['a new one without a title', { type: 'window', at: 0, window: 'new', change: 'opened' }, false],
  ['another', { type: 'focus', at: 0, window: 'notes', element: 'x' }, false],
  ['another in the same process', { type: 'focus', at: 0, window: 'notes', pid: 7, element: 'x' }, false],
  ['another process', { type: 'name', at: 0, pid: 8, element: 'x' }, false],
  ['nobody', { type: 'notification', at: 0, text: 'Hello' }, false],
])('silences news of %s: %s', (_, event, silent) => {
  const one = veil();
  one.sift([NOTES, BANK, window('vault', 'Passwords - KeePass')]);
  expect(one.silences(event)).toBe(silent);
});

it.each([
  [0, ''],
  [1, ' policy hides 1 window.'],
  [3, ' policy hides 3 windows.'],
])('%s more', (count, words) => {
  expect(moreHidden(count)).toBe(words);
});
