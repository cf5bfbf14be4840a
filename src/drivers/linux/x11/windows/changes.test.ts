import { describe, expect, it } from 'vitest';
import { damagedBox, union } from '../damage.js';
import { EventQueue } from '../event-queue.js';
import { windowChanges } from './changes.js';
import { roleOf, windowIdOf, type XWindow } from './window.js';

function window(xid: number, over: Partial<XWindow> = {}): XWindow {
  return {
    xid,
    id: windowIdOf(xid),
    title: `title ${xid}`,
    role: 'window',
    app: 'app',
    stopped: false,
    bounds: { x: 0, y: 0, width: 10, height: 10 },
    client: { x: 0, y: 0, width: 10, height: 10 },
    visible: true,
    minimised: false,
    maximised: false,
    fullscreen: false,
    active: false,
    modal: false,
    above: false,
    skipTaskbar: false,
    overrideRedirect: false,
    ...over,
  };
}

function changes(before: XWindow[], after: XWindow[]): string[] {
  const map = (windows: XWindow[]): Map<number, XWindow> => new Map(windows.map((entry) => [entry.xid, entry]));
  return windowChanges(map(before), map(after), 5).map((event) => `${event.change} ${event.window}`);
}

describe('windowChanges', () => {
  const one = window(1);
  it.each<[string, XWindow[], XWindow[], string[]]>([
    ['nothing', [one], [window(1)], []],
    ['opened', [], [one], ['opened x:0x1']],
    ['opened as the active window', [], [window(1, { active: true })], ['opened x:0x1', 'active x:0x1']],
    ['closed', [one], [], ['closed x:0x1']],
    ['closed before opened', [one], [window(2)], ['closed x:0x1', 'opened x:0x2']],
    ['title', [one], [window(1, { title: 'new' })], ['title x:0x1']],
    ['a process that becomes known later', [one], [window(1, { pid: 7 })], []],
    [
      'a window number reused by another process',
      [window(1, { pid: 7, active: true })],
      [window(1, { pid: 8, active: true, title: 'new' })],
      ['closed x:0x1', 'opened x:0x1', 'active x:0x1'],
    ],
    ['moved', [one], [window(1, { bounds: { x: 1, y: 0, width: 10, height: 10 } })], ['moved x:0x1']],
    ['minimised', [one], [window(1, { minimised: true, visible: false })], ['moved x:0x1']],
    ['activated', [window(1, { active: true }), window(2)], [window(1), window(2, { active: true })], ['active x:0x2']],
    ['only deactivated', [window(1, { active: true })], [one], []],
  ])('%s', (_, before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('an event contains everything its reader needs', () => {
    const [event] = windowChanges(new Map(), new Map([[7, window(7, { pid: 42, role: 'popup' })]]), 5);
    expect(event).toEqual({
      type: 'window',
      at: 5,
      window: 'x:0x7',
      change: 'opened',
      title: 'title 7',
      app: 'app',
      role: 'popup',
      pid: 42,
    });
  });
});

describe('damage', () => {
  it('is reported in screen coordinates', () => {
    const event = { area: { x: 5, y: 6, w: 7, h: 8 }, geometry: { x: 100, y: 200, w: 640, h: 480 } };
    expect(damagedBox(event)).toEqual({ x: 105, y: 206, width: 7, height: 8 });
    expect(damagedBox({ ...event, area: { x: 0, y: 0, w: 0, h: 8 } })).toBeUndefined();
  });
  it('grows to hold both boxes', () => {
    const a = { x: 0, y: 0, width: 10, height: 10 };
    expect(union(a, { x: 20, y: -5, width: 5, height: 5 })).toEqual({ x: 0, y: -5, width: 25, height: 15 });
  });
});

describe('roleOf', () => {
  it.each([
    [{ transient: false, overrideRedirect: false }, 'window'],
    [{ transient: true, overrideRedirect: false }, 'dialog'],
    [{ type: 'dialog' as const, transient: false, overrideRedirect: false }, 'dialog'],
    [{ type: 'normal' as const, transient: true, overrideRedirect: false }, 'window'],
    [{ type: 'utility' as const, transient: true, overrideRedirect: false }, 'window'],
    [{ type: 'popupmenu' as const, transient: false, overrideRedirect: false }, 'popup'],
    [{ type: 'normal' as const, transient: false, overrideRedirect: true }, 'popup'],
  ])('%j is a %s', (facts, expected) => {
    expect(roleOf(facts)).toBe(expected);
  });
});

describe('EventQueue', () => {
  it('replaces its content with one item when it overflows, and continues', async () => {
    const queue = new EventQueue<string>(3, () => 'lost');
    for (const item of ['a', 'b', 'c', 'd', 'e']) queue.push(item);
    queue.end();
    queue.push('too late');
    const read: string[] = [];
    for await (const item of queue) read.push(item);
    expect(read).toEqual(['lost', 'd', 'e']);
  });

  it('passes on items that arrive during reading', async () => {
    const queue = new EventQueue<number>(10, () => -1);
    const reading = (async () => {
      const read: number[] = [];
      for await (const item of queue) read.push(item);
      return read;
    })();
    await Promise.resolve();
    queue.push(1);
    await new Promise(setImmediate);
    queue.push(2);
    queue.end();
    expect(await reading).toEqual([1, 2]);
  });
});
