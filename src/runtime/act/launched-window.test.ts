import { describe, expect, it } from 'vitest';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { waitForFirstWindow } from './launched-window.js';

function window(over: Partial<WindowInfo>): WindowInfo {
  return {
    ref: 'w1',
    id: 'x1',
    title: 'A',
    app: 'app',
    role: 'window',
    visible: true,
    minimised: false,
    maximised: false,
    active: false,
    ...over,
  };
}
const forever = new Promise<never>(() => undefined);
const own = process.pid;
const program = (exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }> = forever) => ({
  pid: own,
  program: '/usr/bin/app',
  exited,
});
/** A desktop whose windows come one list after the other; the last one stays. */
const showing = (...lists: WindowInfo[][]) => {
  let at = 0;
  return () => Promise.resolve(lists[Math.min(at++, lists.length - 1)]!);
};

describe('firstWindow', () => {
  it('waits for the program’s own window and takes no other', async () => {
    const other = window({ id: 'x2', ref: 'w2', pid: 1 });
    const mine = window({ id: 'x3', ref: 'w3', pid: own });
    const answer = await waitForFirstWindow(program(), [], showing([], [other], [other, mine]), Deadline.in(5_000));
    expect(answer).toMatchObject({ pid: own, window: { ref: 'w3' } });
  });

  it('takes the window of a child', async () => {
    const launcher = { ...program(), pid: 4 };
    const isDescendant = (pid: number, ancestor: number) => pid === own && ancestor === 4;
    const windows = showing([window({ id: 'x9', pid: 1 }), window({ pid: own })]);
    const answer = await waitForFirstWindow(launcher, [], windows, Deadline.in(5_000), isDescendant);
    expect(answer.window.pid).toBe(own);
  });

  it('takes a stranger’s new window when the program handed over and ended well', async () => {
    const done = program(Promise.resolve({ code: 0, signal: null }));
    const lists = showing([window({ id: 'old' })], [window({ id: 'old' }), window({ id: 'new', ref: 'w9', pid: 1 })]);
    expect((await waitForFirstWindow(done, [window({ id: 'old' })], lists, Deadline.in(5_000))).window.ref).toBe('w9');
  });

  it.each<[string, Partial<WindowInfo>, Partial<WindowInfo>]>([
    ['is called otherwise', {}, { title: 'notes.txt - A' }],
    ['came to the front', {}, { active: true }],
    ['was minimised', { minimised: true }, {}],
    ['goes by its program', { app: 'other', program: '/usr/bin/app' }, { title: 'B' }],
  ])('takes the window of the same program, which was already running, when it %s', async (_, was, now) => {
    const done = program(Promise.resolve({ code: 0, signal: null }));
    const old = window({ id: 'old', ref: 'w7', pid: 7, ...was });
    const lists = showing([old], [old], [{ ...old, minimised: false, ...now }]);
    const answer = await waitForFirstWindow(done, [old], lists, Deadline.in(5_000));
    expect(answer).toMatchObject({ pid: 7, window: { ref: 'w7' }, handedOver: true });
  });

  it.each<[string, WindowInfo[], RegExp]>([
    [
      'it was already running',
      [window({ ref: 'w7', title: 'Old' })],
      /it was already running \(w7 "Old"\) and may have handed over/,
    ],
    ['no program shows a window', [window({ app: 'other' })], /it has no window, or handed over to another program/],
  ])(
    'says before the time is over that a program ended well and %s',
    async (_, there, why) => {
      const done = program(Promise.resolve({ code: 0, signal: null }));
      const deadline = Deadline.in(60_000);
      await expect(waitForFirstWindow(done, there, showing(there), deadline)).rejects.toThrow(why);
      expect(deadline.over).toBe(false);
    },
    30_000,
  );

  it.each([
    ['a menu', { role: 'popup' as const }],
    ['a splash screen without a title', { title: '' }],
    ['a window that is not shown', { visible: false }],
  ])('does not take %s', async (_, over) => {
    const lists = showing([window({ id: 'x1', pid: own, ...over })], [window({ id: 'x2', ref: 'w2', pid: own })]);
    expect((await waitForFirstWindow(program(), [], lists, Deadline.in(5_000))).window.ref).toBe('w2');
  });

  it.each([
    [{ code: 3, signal: null }, /app ended with exit code 3 before it showed a window/],
    [{ code: null, signal: 'SIGSEGV' as const }, /app was ended by SIGSEGV/],
  ])('says how a program ended: %j', async (exit, message) => {
    await expect(
      waitForFirstWindow(program(Promise.resolve(exit)), [], showing([]), Deadline.in(5_000)),
    ).rejects.toThrow(message);
  });

  it('names a display that refuses every program as the cause', async () => {
    const refusal = new DesktopError('driver_unavailable', 'Display :7 has reached its maximum number of clients.', {
      hint: 'Close some programs on it.',
    });
    const ended = program(Promise.resolve({ code: 1, signal: null }));
    await expect(
      waitForFirstWindow({ ...ended, refusal: async () => refusal }, [], showing([]), Deadline.in(5_000)),
    ).rejects.toMatchObject({
      code: 'command_failed',
      message: 'app ended with exit code 1. Display :7 has reached its maximum number of clients.',
      hint: 'Close some programs on it.',
    });
  });

  it('says that it runs when no window comes', async () => {
    await expect(waitForFirstWindow(program(), [], showing([]), Deadline.in(60))).rejects.toMatchObject({
      code: 'timeout',
      delivered: 'yes',
      details: { pid: own },
    });
  });
});
