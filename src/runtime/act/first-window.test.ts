import { describe, expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { firstWindow } from './first-window.js';

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
    const answer = await firstWindow(program(), new Set(), showing([], [other], [other, mine]), Deadline.in(5_000));
    expect(answer).toMatchObject({ pid: own, window: { ref: 'w3' } });
  });

  it('takes the window of a child', async () => {
    // Our parent started us: seen from it, we are the child that shows the window.
    const launcher = { ...program(), pid: process.ppid };
    const answer = await firstWindow(launcher, new Set(), showing([window({ pid: own })]), Deadline.in(5_000));
    expect(answer.window.pid).toBe(own);
  });

  it('takes a stranger’s new window when the program handed over and ended well', async () => {
    const done = program(Promise.resolve({ code: 0, signal: null }));
    const lists = showing([window({ id: 'old' })], [window({ id: 'old' }), window({ id: 'new', ref: 'w9', pid: 1 })]);
    expect((await firstWindow(done, new Set(['old']), lists, Deadline.in(5_000))).window.ref).toBe('w9');
  });

  it.each([
    ['a menu', { role: 'popup' as const }],
    ['a splash screen without a title', { title: '' }],
    ['a window that is not shown', { visible: false }],
  ])('does not take %s', async (_, over) => {
    const lists = showing([window({ id: 'x1', pid: own, ...over })], [window({ id: 'x2', ref: 'w2', pid: own })]);
    expect((await firstWindow(program(), new Set(), lists, Deadline.in(5_000))).window.ref).toBe('w2');
  });

  it.each([
    [{ code: 3, signal: null }, /app ended with exit code 3 before it showed a window/],
    [{ code: null, signal: 'SIGSEGV' as const }, /app was ended by SIGSEGV/],
  ])('says how a program ended: %j', async (exit, message) => {
    await expect(
      firstWindow(program(Promise.resolve(exit)), new Set(), showing([]), Deadline.in(5_000)),
    ).rejects.toThrow(message);
  });

  it('says that it runs when no window comes', async () => {
    await expect(firstWindow(program(), new Set(), showing([]), Deadline.in(60))).rejects.toMatchObject({
      code: 'timeout',
      delivered: 'yes',
      details: { pid: own },
    });
  });
});
