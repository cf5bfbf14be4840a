import { describe, expect, test } from 'vitest';
import type { XWindow } from '../x11/index.js';
import { CHANGES, type State } from './change-table.js';
import { clientMessage, Wishes } from './ewmh-requests.js';

function windowOf(xid: number, more: Partial<XWindow> = {}): XWindow {
  const box = { x: 100, y: 50, width: 400, height: 300 };
  return {
    ...{ xid, id: `x:0x${xid.toString(16)}`, title: '', app: 'app', role: 'window', bounds: box, client: box },
    ...{ stopped: false, visible: true, minimised: false, maximised: false, fullscreen: false, active: false },
    ...{ modal: false, above: false, skipTaskbar: false, overrideRedirect: false },
    ...more,
  };
}

/** What is asked of the window manager, in words. */
function wishes(): { asked: string[]; wishes: Wishes } {
  const asked: string[] = [];
  const note = new Proxy({} as Wishes, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        void asked.push(`${String(name)} ${args.join(' ')}`),
  });
  return { asked, wishes: note };
}

const state = (windows: XWindow[], window = windows.find(({ xid }) => xid === 1)): State => ({
  windows,
  before: window ?? windowOf(1),
  ...(window && { window }),
});

describe('what is wished', () => {
  const framed = {
    bounds: { x: 99, y: 30, width: 402, height: 325 },
    client: { x: 100, y: 54, width: 400, height: 300 },
  };
  const shadowed = { bounds: { x: 126, y: 73, width: 348, height: 248 }, shadow: [26, 26, 23, 29] as const };
  test.each([
    ['the frame is moved by its corner', framed, { action: 'move', x: 10, y: 20 }, 'move 1 10 20'],
    ['a shadow is left out', shadowed, { action: 'move', x: 10, y: 20 }, 'move 1 -16 -3'],
    [
      'the frame is sized, not what is in it',
      framed,
      { action: 'resize', width: 500, height: 400 },
      'resize 1 498 375',
    ],
    ['the shadow is added', shadowed, { action: 'resize', width: 500, height: 400 }, 'resize 1 552 452'],
    ['never to nothing', framed, { action: 'resize', width: 1, height: 1 }, 'resize 1 1 1'],
  ] as const)('%s', (_, parts, change, expected) => {
    const { asked, wishes: to } = wishes();
    const entry = CHANGES[change.action];
    entry.wish(to, windowOf(1, parts), change as never, 0);
    expect(asked).toEqual([expected]);
  });

  test('what is maximised or minimised is undone before it is moved', () => {
    const { asked, wishes: to } = wishes();
    for (const step of CHANGES.move.first!(windowOf(1, { maximised: true, minimised: true })))
      step.wish(to, windowOf(1));
    expect(asked).toEqual(['show 1', 'maximise 1 false']);
    expect(CHANGES.move.first!(windowOf(1))).toEqual([]);
  });
});

describe('how one sees that it is done', () => {
  const [me, other] = [windowOf(1), windowOf(2)];
  test.each<[string, keyof typeof CHANGES, State, boolean]>([
    ['in front', 'front', state([me, other]), true],
    ['another is before it', 'front', state([other, me]), false],
    ['its own dialog may be', 'front', state([windowOf(2, { of: 1 }), me]), true],
    ['what is kept above may be', 'front', state([windowOf(2, { above: true }), me]), true],
    ['a menu may be', 'front', state([windowOf(2, { overrideRedirect: true }), me]), true],
    ['at the back', 'back', state([other, me]), true],
    ['another is behind it', 'back', state([me, other]), false],
    ['a minimised one counts for nothing', 'back', state([me, windowOf(2, { minimised: true })]), true],
    ['closed', 'close', state([other]), true],
    ['not yet', 'close', state([me, other]), false],
    [
      'back from being minimised, maximised as before',
      'restore',
      { windows: [], before: windowOf(1, { minimised: true }), window: windowOf(1, { maximised: true }) },
      true,
    ],
    [
      'still maximised',
      'restore',
      { windows: [], before: windowOf(1, { maximised: true }), window: windowOf(1, { maximised: true }) },
      false,
    ],
  ])('%s', (_, action, now, expected) => {
    expect(CHANGES[action].done(now, { action } as never)).toBe(expected);
  });
});

test('a message to the window manager', () => {
  const bytes = clientMessage(7, 8, 9, [1, -2]);
  expect(bytes).toHaveLength(44);
  expect([bytes[0], bytes[12], bytes[13]]).toEqual([25, 33, 32]);
  expect([4, 16, 20, 24].map((at) => bytes.readUInt32LE(at))).toEqual([7, 8, 9, 1]);
  expect(bytes.readInt32LE(28)).toBe(-2);
});
