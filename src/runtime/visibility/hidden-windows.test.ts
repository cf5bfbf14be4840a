import { describe, expect, it } from 'vitest';
import type { DriverEvent } from '../../drivers/contract/index.js';
import { compilePolicy } from '../../policy/index.js';
import { type WindowNode } from '../../tree/index.js';
import { hiddenCountNote, refuseHidden, HiddenWindows } from './hidden-windows.js';

const window = (id: string, title: string, other: Partial<WindowNode> = {}): WindowNode => ({
  ...{ id, title, app: 'browser', role: 'window', bounds: { x: 0, y: 0, width: 9, height: 9 } },
  ...{ visible: true, minimised: false, maximised: false, active: false },
  ...other,
});
const BANK = window('bank', 'My Banking', { pid: 7 });
const NOTES = window('notes', 'Notes', { pid: 8 });
const hiddenWindows = (now = (): number => 0): HiddenWindows =>
  new HiddenWindows(
    () => compilePolicy({}, 'virtual').windows,
    () => undefined,
    now,
  );
const ids = (windows: WindowNode[]): string[] => windows.map(({ id }) => id);

describe('a hidden window', () => {
  it('is filtered out and counted', () => {
    const one = hiddenWindows();
    expect(ids(one.filter([NOTES, BANK]))).toEqual(['notes']);
    expect([one.count, one.hides('bank'), one.hides('notes')]).toEqual([1, true, false]);
    one.filter([NOTES]);
    expect([one.count, one.hides('bank')]).toEqual([0, false]);
  });

  it('is detected by the end of a title that is shown truncated', () => {
    const [one, cut] = [hiddenWindows(), `${'q'.repeat(194)}…(+66)`];
    const hidden = window('long', cut, { fullTitle: `${'q'.repeat(240)} - My Banking` });
    const other = window('other', cut, { fullTitle: 'q'.repeat(260) });
    expect(ids(one.filter([hidden, other, NOTES]))).toEqual(['other', 'notes']);
    const event = { type: 'window', at: 0, window: 'new', change: 'title', title: cut } as const;
    expect(one.suppresses({ ...event, fullTitle: hidden.fullTitle! })).toBe(true);
    expect(one.suppresses({ ...event, fullTitle: other.fullTitle! })).toBe(false);
    // The end of this title is unknown, so it could match.
    expect(one.suppresses(event)).toBe(true);
  });

  it('does not exist without window rules', () => {
    const none = new HiddenWindows(() => undefined);
    const all = [NOTES, BANK];
    expect(none.filter(all)).toEqual(all);
    expect(none.filter(all)).not.toBe(all);
    expect(none.suppresses({ type: 'window', at: 0, window: 'bank', change: 'title', title: 'My Banking' })).toBe(
      false,
    );
  });

  it('is detected when it is the active window', () => {
    const one = hiddenWindows();
    one.filter([NOTES, BANK]);
    expect(one.hidesActive).toBe(false);
    one.filter([{ ...NOTES, active: true }, BANK]);
    expect(one.hidesActive).toBe(false);
    one.filter([NOTES, { ...BANK, active: true }]);
    expect(one.hidesActive).toBe(true);
  });

  it.each<[Partial<WindowNode>, boolean]>([
    [{}, false],
    [{ menu: true }, true],
    [{ menu: true, visible: false }, false],
  ])('counts as an open menu: %j is %s', (other, open) => {
    const one = hiddenWindows();
    one.filter([
      { ...NOTES, menu: true },
      { ...BANK, ...other },
    ]);
    expect(one.hidesMenu).toBe(open);
  });

  it.each<[Partial<WindowNode>, number]>([
    [{}, 1],
    [{ visible: false }, 0],
    [{ minimised: true }, 0],
    [{ bounds: undefined }, 0],
  ])('occupies screen space: %j', (other, places) => {
    const one = hiddenWindows();
    one.filter([NOTES, { ...BANK, ...other }]);
    expect(one.boxes).toHaveLength(places);
  });
});

describe('a window that becomes hidden', () => {
  it('changes the revision once', () => {
    const one = hiddenWindows();
    one.filter([NOTES, window('bank', 'Start page')]);
    const before = one.revision;
    one.filter([NOTES, window('bank', 'Start page')]);
    expect(one.revision).toBe(before);
    one.filter([NOTES, BANK]);
    const after = one.revision;
    expect(after).not.toBe(before);
    one.filter([NOTES, BANK]);
    expect(one.revision).toBe(after);
  });

  it('does not change the revision when it was closed in between or never shown', () => {
    const one = hiddenWindows();
    one.filter([NOTES, window('bank', 'Start page')]);
    one.filter([NOTES]);
    const before = one.revision;
    one.filter([NOTES, BANK]);
    expect(one.revision).toBe(before);
  });

  it('may have had a title that is no longer known, which counts only if it was hidden before', () => {
    const one = hiddenWindows();
    one.filter([NOTES, window('bank', 'Start page')]);
    const before = one.revision;
    one.filter([NOTES, window('bank', 'Start page')], [{ window: 'notes' }, { window: 'bank' }]);
    expect(one.revision).toBe(before);
    one.filter([NOTES, BANK]);
    one.filter([NOTES, window('bank', 'Start page')]);
    const after = one.revision;
    one.filter([NOTES, window('bank', 'Start page')], [{ window: 'bank' }]);
    expect(one.revision).toBeGreaterThan(after);
  });

  it('changes the revision once when an event reports it', () => {
    const one = hiddenWindows();
    one.filter([window('bank', 'Start page')]);
    const before = one.revision;
    const turned: DriverEvent = { type: 'window', at: 0, window: 'bank', change: 'title', title: 'My Banking' };
    expect(one.suppresses(turned)).toBe(true);
    expect(one.revision).toBe(before + 1);
    expect(one.suppresses(turned)).toBe(true);
    one.filter([BANK]);
    expect(one.revision).toBe(before + 1);
  });
});

describe('titles that a window had between two lists', () => {
  const PAGE = window('bank', 'Start page', { pid: 7 });
  const had = (title?: string, id = 'bank') => [{ window: id, ...(title !== undefined && { title }) }];

  it.each<[string, WindowNode[], WindowNode[], { window: string; title?: string }[], number]>([
    ['a hidden title', [PAGE], [PAGE], had('My Banking'), 1],
    ['another title', [PAGE], [PAGE], had('Weather'), 0],
    ['a hidden title of a window that was not listed before', [PAGE], [PAGE, NOTES], had('My Banking', 'notes'), 1],
    ['a hidden title of a window that was hidden from the start', [NOTES], [NOTES, BANK], had('My Banking'), 0],
    ['a hidden title of a window that is hidden now', [PAGE], [BANK], had('My Banking'), 2],
    ['an unknown title of a window that was never hidden', [PAGE], [PAGE], had(), 0],
  ])('%s', (_, before, now, passed, more) => {
    const one = hiddenWindows();
    one.filter(before);
    const { revision: state } = one;
    one.filter(now, passed);
    expect(one.revision - state).toBe(more);
  });

  it('count as hidden when unknown, after the window was hidden once and while it exists', () => {
    const one = hiddenWindows();
    const revisionsAdded = (windows: WindowNode[]): number => {
      const { revision: state } = one;
      one.filter(windows, had());
      return one.revision - state;
    };
    one.filter([PAGE]);
    one.filter([PAGE], had('My Banking'));
    expect(revisionsAdded([PAGE])).toBe(1);
    one.filter([NOTES]);
    one.filter([PAGE]);
    expect(revisionsAdded([PAGE])).toBe(0);
    one.suppresses({ type: 'window', at: 0, window: 'bank', change: 'title', title: 'My Banking' });
    one.filter([PAGE]);
    expect(revisionsAdded([PAGE])).toBe(1);
  });

  const bankIs = (title: string): DriverEvent => ({ type: 'window', at: 0, window: 'bank', change: 'title', title });
  it.each<[string, (one: HiddenWindows) => void, number]>([
    ['hidden when first listed', (one) => one.filter([BANK]), 1],
    ['hidden by its first reported title', (one) => one.suppresses(bankIs('My Banking')), 1],
    ['never hidden', (one) => one.suppresses(bankIs('Weather')), 0],
  ])('count as hidden when unknown, of a window that was %s', (_, before, more) => {
    const one = hiddenWindows();
    before(one);
    one.filter([PAGE]);
    const { revision: state } = one;
    one.filter([PAGE], had());
    expect(one.revision - state).toBe(more);
  });

  it('do not change the revision when they are allowed', () => {
    const one = hiddenWindows();
    one.filter([PAGE]);
    const { revision: state } = one;
    expect(one.suppresses(bankIs('Weather'))).toBe(false);
    expect(one.revision).toBe(state);
  });

  it('are reported to the onHidden callback', () => {
    const turned: string[] = [];
    const one = new HiddenWindows(
      () => compilePolicy({}, 'virtual').windows,
      (id) => turned.push(id),
    );
    one.filter([PAGE, NOTES]);
    one.filter([PAGE, NOTES], had('My Banking'));
    one.filter([BANK, NOTES]);
    expect(turned).toEqual(['bank', 'bank']);
  });
});

describe('a window of a hidden program', () => {
  const vault = { windows: { block: ['*/vault'] } };
  const hiding = (): HiddenWindows =>
    new HiddenWindows(() => compilePolicy({ user: { version: 1, ...vault } }, 'virtual').windows);
  const opened = (other: object): DriverEvent => ({
    type: 'window',
    at: 0,
    window: 'new',
    change: 'opened',
    title: 'Plain',
    ...other,
  });

  it('is recognised by its listed program, and before that by the app name in the event', () => {
    const one = hiding();
    const listed = window('new', 'Plain', { program: '/usr/bin/vault', app: 'plain' });
    expect(one.suppresses(opened({}))).toBe(false);
    expect(ids(one.filter([listed, NOTES]))).toEqual(['notes']);
    expect(one.suppresses(opened({}))).toBe(true);
    expect(one.suppresses(opened({ window: 'notes' }))).toBe(false);
    const named = new HiddenWindows(
      () => compilePolicy({ user: { version: 1, windows: { block: ['Vault'] } } }, 'virtual').windows,
    );
    expect(named.suppresses(opened({ app: 'Vault' }))).toBe(true);
    expect(named.suppresses(opened({ app: 'Other' }))).toBe(false);
    named.filter([window('new', 'Plain', { app: 'Other' })]);
    expect(named.suppresses(opened({ app: 'Vault' }))).toBe(false);
  });

  it('hides its dialogs and menus with it', () => {
    const one = hiddenWindows();
    const own = { role: 'dialog', app: 'browser' } as const;
    const ofBank = window('ask', 'Sure?', { ...own, of: 'bank', pid: 7 });
    const ofNotes = window('find', 'Find', { ...own, of: 'notes', pid: 8 });
    const menu = window('menu', '', { ...own, pid: 7 });
    expect(ids(one.filter([menu, ofBank, ofNotes, NOTES, BANK]))).toEqual(['find', 'notes']);
  });
});

describe('events of a window that a title made hidden', () => {
  const titled = (title: string | undefined, change: 'title' | 'closed' | 'opened' = 'title'): DriverEvent => ({
    type: 'window',
    at: 0,
    window: 'new',
    change,
    pid: 9,
    ...(title !== undefined && { title }),
  });
  const focus: DriverEvent = { type: 'focus', at: 0, window: 'new', element: 'x' };
  const name: DriverEvent = { type: 'name', at: 0, pid: 9, element: 'x' };
  const suppressed = (...events: DriverEvent[]): boolean[] => {
    let now = 0;
    const one = hiddenWindows(() => now);
    one.filter([NOTES]);
    for (const event of events) one.suppresses(event);
    // Longer than the time that late events are suppressed.
    now = 5_001;
    return [one.suppresses(focus), one.suppresses(name)];
  };

  it('suppresses also that it closed', () => {
    const one = hiddenWindows();
    one.filter([NOTES]);
    expect(one.suppresses(titled('My Banking', 'closed'))).toBe(true);
  });

  it.each<[string, DriverEvent[], boolean]>([
    ['no event', [], false],
    ['a hidden title', [titled('My Banking')], true],
    ['another title afterwards', [titled('My Banking'), titled('Start')], false],
    ['an event without a title afterwards', [titled('My Banking'), titled(undefined)], true],
    ['closed afterwards', [titled('My Banking'), titled(undefined, 'closed')], false],
    ['closed under that title', [titled('My Banking'), titled('My Banking', 'closed')], false],
  ])('%s', (_, events, silent) => {
    expect(suppressed(...events)).toEqual([silent, silent]);
  });
});

describe('late events of a window that was hidden', () => {
  it('suppresses them also for unlisted windows, and not for other windows', () => {
    const events = (window: string, pid: number): DriverEvent[] => [
      { type: 'focus', at: 0, window, element: 'x' },
      { type: 'name', at: 0, pid, element: 'x' },
    ];
    const titled = (id: string, name: string, pid: number): DriverEvent => ({
      ...{ type: 'window', at: 0, window: id, change: 'title', title: name, pid },
    });
    const one = hiddenWindows();
    one.filter([NOTES, BANK]);
    for (const name of ['My Banking', 'Start page']) one.suppresses(titled('new', name, 9));
    one.suppresses(titled('plain', 'Letters', 10));
    one.filter([NOTES, window('bank', 'Start page', { pid: 7 })]);
    const silent = (id: string, pid: number): boolean[] => events(id, pid).map((event) => one.suppresses(event));
    expect([silent('bank', 7), silent('new', 9)]).toEqual([
      [true, true],
      [true, true],
    ]);
    expect([silent('notes', 8), silent('plain', 10)]).toEqual([
      [false, false],
      [false, false],
    ]);
  });

  const focus: DriverEvent = { type: 'focus', at: 0, window: 'bank', element: 'x' };
  const name: DriverEvent = { type: 'name', at: 0, pid: 7, element: 'x' };
  const title: DriverEvent = { type: 'window', at: 0, window: 'bank', change: 'title', title: 'Start page', pid: 7 };
  const PAGE = window('bank', 'Start page', { pid: 7 });

  it.each<[string, (one: HiddenWindows) => void]>([
    ['hidden in a list', (one) => void one.filter([NOTES, BANK])],
    ['hidden by an event', (one) => void one.suppresses({ ...title, title: 'My Banking' })],
    ['hidden between two lists', (one) => void one.filter([NOTES, PAGE], [{ window: 'bank', title: 'My Banking' }])],
  ])('%s', (_, hide) => {
    let now = 1_000;
    const one = hiddenWindows(() => now);
    one.filter([NOTES, PAGE]);
    expect([one.suppresses(focus), one.suppresses(name)]).toEqual([false, false]);
    hide(one);
    one.filter([NOTES, PAGE]);
    expect([one.suppresses(title), one.suppresses(focus), one.suppresses(name)]).toEqual([false, true, true]);
    expect(one.suppresses({ ...name, pid: 8 })).toBe(false);
    now += 5_000;
    expect([one.suppresses(focus), one.suppresses(name)]).toEqual([true, true]);
    now += 1;
    expect([one.suppresses(focus), one.suppresses(name)]).toEqual([false, false]);
  });
});

describe('the pointer', () => {
  const behind = window('bank', 'My Banking', { bounds: { x: 0, y: 0, width: 50, height: 50 } });
  const front = (other: Partial<WindowNode>): WindowNode =>
    window('notes', 'Notes', { bounds: { x: 20, y: 20, width: 9, height: 9 }, ...other });
  it.each<[string, WindowNode[], { x: number; y: number }, boolean]>([
    ['the hidden window is in front', [front({}), behind], { x: 5, y: 5 }, true],
    ['another window covers it', [front({}), behind], { x: 25, y: 25 }, false],
    ['an invisible window covers it', [front({ visible: false }), behind], { x: 25, y: 25 }, true],
    ['a minimised window covers it', [front({ minimised: true }), behind], { x: 25, y: 25 }, true],
    ['a window without bounds covers it', [front({ bounds: undefined }), behind], { x: 25, y: 25 }, true],
    ['no window is there', [behind], { x: 90, y: 90 }, false],
  ])('may not go to a hidden window: %s', (_, windows, point, refused) => {
    const one = hiddenWindows();
    one.filter(windows);
    const go = (): void => refuseHidden({ hiddenWindows: one }, point);
    if (!refused) expect(go).not.toThrow();
    else expect(go).toThrow(expect.objectContaining({ code: 'policy_denied', details: { rule: 'windows/blocked' } }));
  });
});

it.each<[string, DriverEvent, boolean]>([
  ['the title of a hidden window', { type: 'window', at: 0, window: 'bank', change: 'title', title: 'Start' }, true],
  ['the focus in a hidden window', { type: 'focus', at: 0, window: 'bank', element: 'x' }, true],
  ['the process of a hidden window', { type: 'name', at: 0, pid: 7, element: 'x' }, true],
  [
    'a new window with a hidden title',
    { type: 'window', at: 0, window: 'new', change: 'opened', title: 'Vault - KeePass' },
    true,
  ],
  [
    'a new window with another title',
    { type: 'window', at: 0, window: 'new', change: 'opened', title: 'Letters' },
    false,
  ],
  ['a new window without a title', { type: 'window', at: 0, window: 'new', change: 'opened' }, false],
  ['another', { type: 'focus', at: 0, window: 'notes', element: 'x' }, false],
  ['another window of the same process', { type: 'focus', at: 0, window: 'notes', pid: 7, element: 'x' }, false],
  ['another process', { type: 'name', at: 0, pid: 8, element: 'x' }, false],
  ['an unknown app', { type: 'notification', at: 0, text: 'Hello' }, false],
  ['a focus without a window and process', { type: 'focus', at: 0, element: 'x' }, true],
  ['a focus in another process', { type: 'focus', at: 0, pid: 8, element: 'x' }, false],
])('suppresses events about %s: %s', (_, event, silent) => {
  const one = hiddenWindows();
  one.filter([NOTES, BANK, window('vault', 'Passwords - KeePass')]);
  expect(one.suppresses(event)).toBe(silent);
});

it.each([
  [0, ''],
  [1, ' The policy hides 1 window. In a terminal, deskproof policy check lists the patterns.'],
  [3, ' The policy hides 3 windows. In a terminal, deskproof policy check lists the patterns.'],
])('%s more', (count, words) => {
  expect(hiddenCountNote(count)).toBe(words);
});
