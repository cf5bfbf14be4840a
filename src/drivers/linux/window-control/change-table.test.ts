import { describe, expect, test } from 'vitest';
import type { XWindow } from '../x11/windows/window.js';
import { CHANGES, type WindowState } from './change-table.js';
import type { EwmhRequests } from './ewmh-requests.js';

function windowOf(xid: number, more: Partial<XWindow> = {}): XWindow {
  const box = { x: 100, y: 50, width: 400, height: 300 };
  return {
    ...{ xid, id: `x:0x${xid.toString(16)}`, title: '', app: 'app', role: 'window', bounds: box, client: box },
    ...{ stopped: false, visible: true, minimised: false, maximised: false, fullscreen: false, active: false },
    ...{ modal: false, above: false, skipTaskbar: false, overrideRedirect: false },
    ...more,
  };
}

/** Records the requests to the window manager as text. */
function recordRequests(): { sent: string[]; requests: EwmhRequests } {
  const sent: string[] = [];
  const recorder = new Proxy({} as EwmhRequests, {
    get:
      (_, name) =>
      (...args: unknown[]) =>
        void sent.push(`${String(name)} ${args.join(' ')}`),
  });
  return { sent, requests: recorder };
}

const state = (windows: XWindow[], window = windows.find(({ xid }) => xid === 1)): WindowState => ({
  windows,
  before: window ?? windowOf(1),
  ...(window && { window }),
});

describe('requests', () => {
  const framed = {
    bounds: { x: 99, y: 30, width: 402, height: 325 },
    client: { x: 100, y: 54, width: 400, height: 300 },
  };
  const shadowed = { bounds: { x: 126, y: 73, width: 348, height: 248 }, shadow: [26, 26, 23, 29] as const };
  test.each([
    ['moves the frame by its corner', framed, { action: 'move', x: 10, y: 20 }, 'move 1 10 20'],
    ['excludes the shadow from the position', shadowed, { action: 'move', x: 10, y: 20 }, 'move 1 -16 -3'],
    [
      'resizes the frame, not the client window',
      framed,
      { action: 'resize', width: 500, height: 400 },
      'resize 1 498 375',
    ],
    ['adds the shadow to the size', shadowed, { action: 'resize', width: 500, height: 400 }, 'resize 1 552 452'],
    ['keeps a minimum size', framed, { action: 'resize', width: 1, height: 1 }, 'resize 1 1 1'],
  ] as const)('%s', (_, parts, change, expected) => {
    const { sent, requests } = recordRequests();
    const entry = CHANGES[change.action];
    entry.request(requests, windowOf(1, parts), change as never, 0);
    expect(sent).toEqual([expected]);
  });

  test('restores a maximised or minimised window before it is moved', () => {
    const { sent, requests } = recordRequests();
    for (const step of CHANGES.move.prepare!(windowOf(1, { maximised: true, minimised: true })))
      step.request(requests, windowOf(1));
    expect(sent).toEqual(['show 1', 'maximise 1 false']);
    expect(CHANGES.move.prepare!(windowOf(1))).toEqual([]);
  });
});

describe('done', () => {
  const [me, other] = [windowOf(1), windowOf(2)];
  test.each<[string, keyof typeof CHANGES, WindowState, boolean]>([
    ['in front', 'front', state([me, other]), true],
    ['another window is in front of it', 'front', state([other, me]), false],
    ['its own dialog may be in front', 'front', state([windowOf(2, { of: 1 }), me]), true],
    ['a window that is kept above may be in front', 'front', state([windowOf(2, { above: true }), me]), true],
    ['a menu may be in front', 'front', state([windowOf(2, { overrideRedirect: true }), me]), true],
    ['at the back', 'back', state([other, me]), true],
    ['another is behind it', 'back', state([me, other]), false],
    ['a minimised window does not count', 'back', state([me, windowOf(2, { minimised: true })]), true],
    ['closed', 'close', state([other]), true],
    ['not yet', 'close', state([me, other]), false],
    [
      'restored from minimised, maximised as before',
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
    expect(CHANGES[action].isDone(now, { action } as never)).toBe(expected);
  });
});
