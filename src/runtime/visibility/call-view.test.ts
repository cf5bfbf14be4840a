import { describe, expect, it } from 'vitest';
import { windowInfo } from '../../../tests/scenes/aims.js';
import { Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop/desktop.js';
import type { DesktopEvent } from '../desktop/event-log.js';
import { CallView, SEES_ALL } from './call-view.js';

const NOTES = windowInfo({ ref: 'w1', id: 'notes', title: 'Notes', app: 'notes' });
const MAIL = windowInfo({
  ref: 'w2',
  id: 'mail',
  title: 'Letters',
  app: 'mail',
  bounds: { x: 5, y: 0, width: 9, height: 9 },
});
const BOX = { x: 1, y: 1, width: 1, height: 1 };

interface Given {
  windows: WindowInfo[];
  /** Closed windows. */
  gone?: WindowInfo[];
  hidden?: {
    count?: number;
    hides?: string;
    hidesActive?: boolean;
    hidesMenu?: boolean;
    boxes?: object[];
    revision?: number;
  };
  /** Id of a window that the caller's project hides. */
  unseen?: string;
}

/** Every window is visible except those titled "letters" and those that belong to such a window. */
function stage(given: Given) {
  const { count = 0, hides, hidesActive = false, hidesMenu = false, boxes = [], revision = 0 } = given.hidden ?? {};
  const everybodys = { hidesApp: ({ pid }: { pid: number }) => pid === 66, hidesProcess: (pid: number) => pid === 66 };
  const hiddenWindows = {
    ...everybodys,
    count,
    hidesActive,
    hidesMenu,
    boxes,
    revision,
    hides: (id: string) => id === hides,
  };
  const listWindows = async () => ({ windows: given.windows, ...(count > 0 && { hiddenByPolicy: count }) });
  const lastKnown = (ref: string) => [...given.windows, ...(given.gone ?? [])].find((one) => one.ref === ref);
  const authorizer = { within: () => ({ rules: {} }) };
  const whole = { name: 'desk', driver: {}, authorizer, hiddenWindows, listWindows, lastKnown } as unknown as Desktop;
  const sees = (window: WindowInfo, owner: WindowInfo): boolean => !/letters/i.test(`${window.title} ${owner.title}`);
  const agreed = (rule: string): boolean => rule === 'asked';
  const hiddenIn = (): Set<string> => new Set(given.unseen === undefined ? [] : [given.unseen]);
  const seen = new CallView(whole);
  seen.open({ sees, agreed, hiddenIn });
  const list = async () => seen.listWindows(Deadline.in(1_000));
  return { seen, list, whole };
}

const refs = ({ windows }: { windows: WindowInfo[] }): string[] => windows.map(({ ref }) => ref);

describe('before read rules are decided', () => {
  it('lists and shows no window and reports no event', async () => {
    const { whole } = stage({ windows: [NOTES] });
    const closed = new CallView(whole);
    expect(await closed.listWindows(Deadline.in(1_000))).toMatchObject({ windows: [], hiddenByPolicy: 1 });
    expect(closed.shows(NOTES)).toBe(false);
    expect(
      closed.hears({ at: 0, what: 'title', window: { ref: 'w1', role: 'window', title: 'Notes', app: 'notes' } }),
    ).toBe(false);
  });
});

describe('the windows that one call may see', () => {
  it('lists them and counts the hidden ones', async () => {
    const { list, seen, whole } = stage({ windows: [NOTES, MAIL], hidden: { count: 2 } });
    const listed = await list();
    expect(refs(listed)).toEqual(['w1']);
    expect([listed.hiddenByPolicy, seen.hiddenWindows.count]).toEqual([3, 3]);
    expect(refs(await whole.listWindows(Deadline.in(1_000)))).toEqual(['w1', 'w2']);
    expect(await stage({ windows: [NOTES] }).list()).not.toHaveProperty('hiddenByPolicy');
    expect([seen.name, seen.agreed('asked'), seen.agreed('other')]).toEqual(['desk', true, false]);
  });

  it('withholds a window that the project hides, whatever its title is', async () => {
    const { list, seen } = stage({ windows: [NOTES, { ...MAIL, title: 'Inbox' }], unseen: 'mail' });
    expect(await list()).toMatchObject({ windows: [{ ref: 'w1' }], hiddenByPolicy: 1 });
    expect([NOTES, { ...MAIL, title: 'Inbox' }].map((one) => seen.shows(one))).toEqual([true, false]);
    expect(seen.hiddenWindows.hides('mail')).toBe(true);
  });

  it('hides apps of withheld windows and apps that policy hides from everyone', async () => {
    const { list, seen } = stage({
      windows: [
        { ...NOTES, pid: 1 },
        { ...MAIL, pid: 2 },
      ],
    });
    await list();
    const { hiddenWindows } = seen;
    const pids = [1, 2, 66];
    expect(pids.map((pid) => hiddenWindows.hidesApp({ pid, name: 'x' }))).toEqual([false, true, true]);
    expect(pids.map((pid) => hiddenWindows.hidesProcess(pid))).toEqual([false, true, true]);
  });

  it('decides about a dialog by its own title when its owner is unknown', async () => {
    const dialog = windowInfo({ ref: 'w3', id: 'dialog', title: 'Attach', role: 'dialog', of: 'w99' });
    expect(
      refs(await stage({ windows: [dialog, { ...dialog, ref: 'w4', id: 'other', title: 'Letters' }] }).list()),
    ).toEqual(['w3']);
  });

  it.each<[string, Given, boolean]>([
    ['of a visible window is not hidden', { windows: [{ ...NOTES, menu: true }] }, false],
    ['of a withheld window is hidden', { windows: [NOTES, { ...MAIL, menu: true }] }, true],
    ['that is closed is not hidden', { windows: [{ ...MAIL, menu: true, visible: false }] }, false],
    ['is required: a plain window does not count', { windows: [MAIL] }, false],
    ['that policy hides from everyone is hidden', { windows: [NOTES], hidden: { hidesMenu: true } }, true],
  ])('an open menu %s', async (_, given, hidden) => {
    const { list, seen } = stage(given);
    await list();
    expect(seen.hiddenWindows.hidesMenu).toBe(hidden);
  });

  it('withholds dialogs and menus of a withheld window at any depth', async () => {
    const dialog = windowInfo({ ref: 'w3', id: 'dialog', title: 'Attach', role: 'dialog', of: 'w2' });
    const menu = windowInfo({ ref: 'w4', id: 'menu', title: '', role: 'popup', of: 'w3' });
    const own = windowInfo({ ref: 'w5', id: 'own', title: 'Find', role: 'dialog', of: 'w1' });
    expect(refs(await stage({ windows: [menu, dialog, own, NOTES, MAIL] }).list())).toEqual(['w5', 'w1']);
    const ring = [windowInfo({ ref: 'w1', of: 'w2' }), windowInfo({ ref: 'w2', id: 'x', of: 'w1' })];
    expect(refs(await stage({ windows: ring }).list())).toEqual(['w1', 'w2']);
  });

  it.each<[string, Given, { mail: boolean; active: boolean; boxes: number }]>([
    ['nothing', { windows: [NOTES] }, { mail: false, active: false, boxes: 0 }],
    [
      'a withheld active window',
      { windows: [NOTES, { ...MAIL, active: true }] },
      { mail: true, active: true, boxes: 1 },
    ],
    [
      'a withheld window without focus',
      { windows: [{ ...NOTES, active: true }, MAIL] },
      { mail: true, active: false, boxes: 1 },
    ],
    [
      'a withheld window that is not visible',
      { windows: [{ ...MAIL, visible: false }] },
      { mail: true, active: false, boxes: 0 },
    ],
    [
      'a withheld window that is minimised',
      { windows: [{ ...MAIL, minimised: true }] },
      { mail: true, active: false, boxes: 0 },
    ],
    [
      'a withheld window without bounds',
      { windows: [{ ...MAIL, bounds: undefined }] },
      { mail: true, active: false, boxes: 0 },
    ],
    [
      'a window that is hidden from everyone',
      { windows: [], hidden: { hides: 'mail', hidesActive: true, boxes: [BOX] } },
      { mail: true, active: true, boxes: 1 },
    ],
  ])('reports what the call may not see: %s', async (_, given, kept) => {
    const { seen, list } = stage(given);
    await list();
    const { hiddenWindows } = seen;
    expect({
      mail: hiddenWindows.hides('mail'),
      active: hiddenWindows.hidesActive,
      boxes: hiddenWindows.boxes.length,
    }).toEqual(kept);
  });

  it('increments the revision only when a window that was shown becomes withheld', async () => {
    const given: Given = { windows: [NOTES, { ...MAIL, title: 'Inbox' }], hidden: { revision: 5 } };
    const { seen, list } = stage(given);
    await list();
    await list();
    expect(seen.hiddenWindows.revision).toBe(5);
    given.windows = [NOTES, MAIL];
    await list();
    expect(seen.hiddenWindows.revision).toBe(6);
    await list();
    expect(seen.hiddenWindows.revision).toBe(6);
  });
});

describe('the events that one call may receive', () => {
  const of = ({ ref, role, title, app }: WindowInfo, words: object = {}): DesktopEvent['window'] => ({
    ref,
    role,
    title,
    app,
    ...words,
  });
  it.each<[string, Partial<DesktopEvent>, boolean]>([
    ['from a visible window', { window: of(NOTES) }, true],
    ['from a withheld window', { window: of(MAIL) }, false],
    ['from a withheld window under an earlier title', { window: of(MAIL, { title: 'Inbox' }) }, false],
    ['from a visible window under a title that was hidden then', { window: of(NOTES, { title: 'Letters' }) }, false],
    ['from a closed window', { window: of(NOTES, { ref: 'w9' }) }, true],
    ['from a closed window that was hidden', { window: of(MAIL, { ref: 'w9' }) }, false],
    ['about the user', {}, true],
    ['from an app', { app: 'notes' }, true],
  ])('%s: %s', async (_, words, heard) => {
    const { seen, list } = stage({ windows: [NOTES, MAIL] });
    await list();
    expect(seen.hears({ at: 0, what: 'title', ...words })).toBe(heard);
  });

  it('suppresses element events without a window, and events of dialogs of withheld windows', async () => {
    const dialog = windowInfo({ ref: 'w8', id: 'dialog', title: 'Attach', role: 'dialog', of: 'w7' });
    const gone = [dialog, { ...MAIL, ref: 'w7', id: 'before' }];
    const { seen, list } = stage({ windows: [NOTES], gone });
    await list();
    const view = seen;
    expect(view.hears({ at: 0, what: 'changed', element: { role: 'textbox' } })).toBe(false);
    expect(view.hears({ at: 0, what: 'changed', element: { role: 'textbox' }, window: of(NOTES) })).toBe(true);
    expect(view.hears({ at: 0, what: 'closed', window: of(dialog) })).toBe(false);
    expect([NOTES, MAIL, ...gone, undefined].map((one) => view.shows(one))).toEqual([true, false, false, false, false]);
  });

  it('decides by the app alone when the event names no window, and by the last known window data', async () => {
    const checked: WindowInfo[] = [];
    const lastKnown = (ref: string) => (ref === NOTES.ref ? NOTES : undefined);
    const whole = {
      ...{ driver: {}, authorizer: { within: () => ({ rules: {} }) }, hiddenWindows: {} },
      lastKnown,
      listWindows: async () => ({ windows: [NOTES] }),
    } as unknown as Desktop;
    const seen = new CallView(whole);
    seen.open({ ...SEES_ALL, sees: (window) => (checked.push(window), true) });
    await seen.listWindows(Deadline.in(1_000));
    checked.length = 0;
    seen.hears({ at: 0, what: 'notification', app: 'mail' });
    seen.hears({ at: 0, what: 'title', window: of(NOTES, { title: 'Then', app: 'then' }) });
    expect(checked).toMatchObject([
      { ref: '', title: '', app: 'mail' },
      { ref: 'w1', id: 'notes', title: 'Then', app: 'then', program: NOTES.program },
    ]);
    expect(checked[0]).not.toHaveProperty('program');
    checked.length = 0;
    seen.hears({ at: 0, what: 'pause' });
    expect(checked).toEqual([]);
  });
});
