import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { WindowAnswer, WindowChange } from '../../src/drivers/contract/index.js';
import { openLinuxDriver } from '../../src/drivers/linux/index.js';
import { changeWindow } from '../../src/drivers/linux/window-control/change-window.js';
import type { WindowNode } from '../../src/tree/index.js';
import { codeOf } from '../conformance/case.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { ActRoom, by, soon } from './support/act-room.js';
import { until } from './support/seat-room.js';
import { eventually, startBareX, XFixture, xframe } from './support/x-seat.js';
import { openDisplay } from '../../src/drivers/linux/x11/display.js';

const xid = ({ id }: WindowNode): number => Number(id.slice(2));

describe.each(['gtk3', 'gtk4', 'qt'])('the window of %s', (toolkit) => {
  let room: ActRoom;
  let app: FixtureApp;
  beforeAll(async () => {
    room = await ActRoom.open();
    app = await FixtureApp.start(`act-${toolkit}.py`, room.seat.env);
    await room.window(({ pid, active }) => pid === app.pid && active);
  });
  afterAll(async () => {
    await app?.end();
    await room?.close();
  });

  const main = (): Promise<WindowNode> =>
    until('the window', async () =>
      (await room.windows()).find(({ pid, role }) => pid === app.pid && role === 'window'),
    );
  const change = async (what: WindowChange): Promise<WindowAnswer> =>
    room.driver.changeWindow!((await main()).id, what, { deadline: soon() });

  test('stands where xwininfo says, frame and all', async () => {
    const { window } = await change({ action: 'move', x: 120, y: 80 });
    expect(window!.bounds).toMatchObject({ x: 120, y: 80 });
    await eventually(async () => {
      const { x, y } = await xframe(room.seat.env, xid(window!));
      expect({ x, y }).toEqual({ x: 120, y: 80 });
    });
    const huge = change({ action: 'resize', width: 32_767, height: 32_767 });
    await expect(huge).rejects.toMatchObject({ code: 'bad_arguments', delivered: 'no' });
    const sized = await change({ action: 'resize', width: 800, height: 850 });
    expect(sized.window!.bounds).toEqual({ x: 120, y: 80, width: 800, height: 850 });
  });

  test('clamps a position off the screen and reports the actual one', async () => {
    const { window } = await change({ action: 'move', x: -5000, y: 50 });
    expect(window!.bounds!.x).toBeGreaterThan(-5000);
    const { x } = await eventually(() => xframe(room.seat.env, xid(window!)));
    expect(x).toBe(window!.bounds!.x);
    const { window: again, confirmedBy } = await change({ action: 'move', x: -5000, y: 50 });
    expect(again!.bounds!.x).toBe(window!.bounds!.x);
    expect(confirmedBy).toBeUndefined();
  });

  test('minimised when maximised, it comes back maximised, then plain', async () => {
    await change({ action: 'move', x: 100, y: 60 });
    await change({ action: 'maximize' });
    await change({ action: 'minimize' });
    expect((await change({ action: 'restore' })).window).toMatchObject({ minimised: false, maximised: true });
    expect((await change({ action: 'restore' })).window).toMatchObject({ maximised: false });
  });

  test('a stopped app can be moved and put away all the same', async () => {
    const { id } = await main();
    await app.freeze();
    try {
      const moved = await room.driver.changeWindow!(id, { action: 'move', x: 70, y: 90 }, { deadline: soon() });
      expect(moved.window!.bounds).toMatchObject({ x: 70, y: 90 });
      const closed = await room.driver.changeWindow!(id, { action: 'close' }, { deadline: soon() });
      expect(closed.window).toBeDefined();
      expect(closed.confirmedBy).toBeUndefined();
    } finally {
      app.signal('SIGCONT');
    }
    // The stopped app receives the close request when it continues.
    await until('the window to close', async () => !(await room.windows()).some(({ pid }) => pid === app.pid));
    await app.end();
    app = await FixtureApp.start(`act-${toolkit}.py`, room.seat.env);
    await room.window(({ pid, active }) => pid === app.pid && active);
  });

  test('an open dialog stays in front of its window, and its window can be brought up with it', async () => {
    await room.act(await room.find(await main(), 'button', 'Ask…'), by('invoke'));
    const dialog = await room.window(({ pid, role }) => pid === app.pid && role === 'dialog');
    expect(await change({ action: 'front' })).toMatchObject({ confirmedBy: 'the window manager' });
    expect((await room.windows())[0]!.id).toBe(dialog.id);
    const closed = await room.driver.changeWindow!(dialog.id, { action: 'close' }, { deadline: soon() });
    expect(closed).toEqual({ confirmedBy: 'the window manager' });
    await app.wait('the dialog to end', (line) => 'answer' in line, 0);
  });
});

test('a menu is placed by its app: not_supported', async () => {
  const room = await ActRoom.open();
  const app = await FixtureApp.start('act-gtk3.py', room.seat.env);
  try {
    const window = await room.window(({ pid, active }) => pid === app.pid && active);
    await room.act(await room.find(window, ['menuitem', 'menu'], 'File'), by('expand'));
    const popup = await room.window(({ pid, role }) => pid === app.pid && role === 'popup');
    const work = room.driver.changeWindow!(popup.id, { action: 'move', x: 0, y: 0 }, { deadline: soon() });
    expect(await codeOf(work)).toBe('not_supported');
  } finally {
    await app.end();
    await room.close();
  }
});

test('without a window manager: not_supported, with the reason', async () => {
  const bare = await startBareX();
  const fixture = await XFixture.start(bare.env);
  const display = await openDisplay(bare.env, soon());
  try {
    await fixture.do('window', 'a', 'Plain');
    const window = await eventually(async () => {
      const [first] = await display.windows(soon());
      if (!first) throw new Error('no window yet');
      return first;
    });
    const work = changeWindow(display, window, { action: 'maximize' }, soon());
    await expect(work).rejects.toMatchObject({ code: 'not_supported', message: /no window manager/ });
  } finally {
    display.close();
    await fixture.end();
    await bare.stop();
  }
});

test('a window that is not there', async () => {
  const room = await ActRoom.open();
  try {
    const driver = await openLinuxDriver({ env: room.seat.env });
    const work = driver.changeWindow!('x:0x1234', { action: 'close' }, { deadline: soon() });
    expect(await codeOf(work)).toBe('element_not_found');
    await driver.close();
  } finally {
    await room.close();
  }
});
