import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { xidOf } from '../../src/drivers/linux/x11/windows/window.js';
import { freeze } from '../conformance/freeze.js';
import { eventually, openXSeat, soon, tool, xframe, XFixture, xwininfo, type XSeat } from './support/x-seat.js';

let x: XSeat;
const fixtures: XFixture[] = [];

async function fixture(): Promise<XFixture> {
  const made = await XFixture.start(x.env);
  fixtures.push(made);
  return made;
}

beforeAll(async () => {
  x = await openXSeat({ monitors: 2 });
});
afterEach(async () => {
  await Promise.all(fixtures.splice(0).map((one) => one.end()));
});
afterAll(async () => {
  await x.stop();
});

describe('real apps', () => {
  const APPS = [
    { command: 'mousepad', app: 'mousepad', title: /Mousepad/ },
    { command: 'gnome-calculator', app: 'gnome-calculator', title: /Calculator/ },
    { command: 'kcalc', app: 'kcalc', title: /KCalc/ },
    { command: 'xclock', app: 'xclock', title: /^xclock$/ },
    { command: 'xeyes', app: 'xeyes', title: /^xeyes$/ },
  ];

  it('are listed with the program that the system knows, where other tools see them', async () => {
    const launched = await Promise.all(APPS.map(({ command }) => x.launch(command)));
    const found = await Promise.all(
      // The window manager lists a window a moment before it shows it.
      APPS.map(({ app, title }) => x.window((one) => one.app === app && title.test(one.title) && one.visible)),
    );
    for (const [index, window] of found.entries()) {
      expect(window).toMatchObject({
        pid: launched[index]!.pid,
        program: launched[index]!.program,
        role: 'window',
        minimised: false,
        stopped: false,
      });
    }
    for (const { xid } of found) {
      // Some apps settle on their size only after they show.
      await eventually(async () => {
        const window = (await x.windows()).find((one) => one.xid === xid)!;
        expect(window.client).toEqual(await xwininfo(x.env, '-id', String(xid)));
        expect(window.bounds).toEqual(await xframe(x.env, xid));
        expect(xidOf(window.id)).toBe(xid);
      });
    }
  });

  it('are listed front to back, the active one marked', async () => {
    await eventually(async () => {
      const [order, active] = await Promise.all([
        tool(x.env, 'xprop', '-root', '_NET_CLIENT_LIST_STACKING'),
        tool(x.env, 'xprop', '-root', '_NET_ACTIVE_WINDOW'),
      ]);
      const windows = (await x.windows()).filter((window) => window.role !== 'popup');
      const ids = [...order.matchAll(/0x[0-9a-f]+/g)].map(([id]) => parseInt(id, 16)).reverse();
      expect(windows.length).toBeGreaterThanOrEqual(APPS.length);
      expect(windows.map((window) => window.xid)).toEqual(ids);
      expect(windows.filter((window) => window.active).map((window) => window.xid)).toEqual([
        parseInt(/0x[0-9a-f]+/.exec(active)![0], 16),
      ]);
    });
  });

  it('an app that lies about its process is not believed', async () => {
    const clock = await x.window((window) => window.app === 'xclock');
    await tool(x.env, 'xprop', '-id', String(clock.xid), '-f', '_NET_WM_PID', '32c', '-set', '_NET_WM_PID', '1');
    expect(await tool(x.env, 'xprop', '-id', String(clock.xid), '_NET_WM_PID')).toContain('= 1');
    expect((await x.windows()).find((window) => window.xid === clock.xid)).toMatchObject({
      pid: clock.pid,
      app: 'xclock',
    });
  });

  it('lists a stopped app as stopped, without delay for other windows', async () => {
    const pad = await x.window((window) => window.app === 'mousepad');
    await freeze(pad.pid!);
    try {
      const windows = await x.windows();
      expect(windows.find((window) => window.xid === pad.xid)).toMatchObject({ stopped: true, title: pad.title });
    } finally {
      process.kill(pad.pid!, 'SIGCONT');
    }
    await eventually(async () => {
      expect((await x.windows()).find((window) => window.xid === pad.xid)?.stopped).toBe(false);
    });
  });
});

describe('states', () => {
  it('minimised and back', async () => {
    const app = await fixture();
    const id = parseInt(await app.do('window', 'a', 'States A'), 16);
    const find = async () => (await x.windows()).find((window) => window.xid === id);
    await x.window((window) => window.title === 'States A' && window.active);
    await app.do('iconify', 'a');
    await eventually(async () => {
      expect(await find()).toMatchObject({ minimised: true, visible: false, active: false });
      expect((await x.windows()).at(-1)?.xid).toBe(id);
    });
    await app.do('present', 'a');
    await eventually(async () => expect(await find()).toMatchObject({ minimised: false, visible: true }));
  });

  it('maximised, fullscreen, kept above', async () => {
    const app = await fixture();
    await app.do('window', 'b', 'States B');
    const find = async () => (await x.windows()).find((window) => window.title === 'States B');
    await x.window((window) => window.title === 'States B');
    await app.do('maximize', 'b');
    await eventually(async () => {
      const window = await find();
      expect(window).toMatchObject({ maximised: true, fullscreen: false });
      expect(window!.bounds).toEqual(await xframe(x.env, window!.xid));
    });
    await app.do('fullscreen', 'b');
    await eventually(async () => {
      expect(await find()).toMatchObject({ fullscreen: true, bounds: { y: 0, width: 1280, height: 800 } });
    });
    await app.do('unfullscreen', 'b');
    await app.do('unmaximize', 'b');
    await app.do('set_keep_above', 'b', 1);
    await eventually(async () =>
      expect(await find()).toMatchObject({ maximised: false, fullscreen: false, above: true }),
    );
  });

  it('on the second monitor', async () => {
    expect(await x.display.monitors(soon())).toEqual([
      { number: 1, bounds: { x: 0, y: 0, width: 1280, height: 800 }, primary: true, scale: 1 },
      { number: 2, bounds: { x: 1280, y: 0, width: 1280, height: 800 }, primary: false, scale: 1 },
    ]);
    const app = await fixture();
    await app.do('window', 'c', 'States C');
    await x.window((window) => window.title === 'States C');
    await app.do('move', 'c', 1500, 100);
    const there = await x.window((window) => window.title === 'States C' && window.bounds.x > 1400);
    expect(there.monitor).toBe(2);
    await app.do('move', 'c', 100, 100);
    const back = await x.window((window) => window.title === 'States C' && window.bounds.x < 400);
    expect(back.monitor).toBe(1);
  });
});

describe('windows that belong to others', () => {
  it('a modal dialog', async () => {
    const app = await fixture();
    const parent = parseInt(await app.do('window', 'd', 'Parent'), 16);
    await app.do('dialog', 'dlg', 'Really?', 'd');
    const dialog = await x.window((window) => window.title === 'Really?' && window.active);
    expect(dialog).toMatchObject({ role: 'dialog', modal: true, of: parent, type: 'dialog' });
  });

  it('a menu is a popup of its window, in front of it, and leaves the list when it closes', async () => {
    const app = await fixture();
    const parent = parseInt(await app.do('window', 'm', 'Menu owner'), 16);
    await x.window((window) => window.title === 'Menu owner' && window.visible);
    await app.do('popup', 'm');
    const popup = await x.window((window) => window.role === 'popup');
    expect(popup).toMatchObject({ of: parent, overrideRedirect: true, pid: app.child.pid, visible: true });
    expect(popup.bounds).toEqual(await xwininfo(x.env, '-id', String(popup.xid)));
    const order = (await x.windows()).map((window) => window.xid);
    expect(order.indexOf(popup.xid)).toBeLessThan(order.indexOf(parent));
    await app.do('popdown');
    await eventually(async () => expect((await x.windows()).some((window) => window.role === 'popup')).toBe(false));
  });
});

describe('what the app draws around itself', () => {
  it('its own shadow is not part of the window', async () => {
    const compositor = await fixture();
    await compositor.do('composite');
    const app = await fixture();
    await app.do('window', 's', 'With shadow', 'header');
    const window = await x.window((one) => one.title === 'With shadow' && one.shadow !== undefined && one.visible);
    const claimed = await tool(x.env, 'xprop', '-id', String(window.xid), '_GTK_FRAME_EXTENTS');
    const [left, right, top, bottom] = claimed.split('=')[1]!.split(',').map(Number) as [
      number,
      number,
      number,
      number,
    ];
    expect(left + right + top + bottom).toBeGreaterThan(40);
    const outer = await xwininfo(x.env, '-id', String(window.xid));
    expect(window.client).toEqual(outer);
    expect(window.bounds).toEqual({
      x: outer.x + left,
      y: outer.y + top,
      width: outer.width - left - right,
      height: outer.height - top - bottom,
    });
  });

  it('titles in any script arrive, cleaned and bounded', async () => {
    const app = await fixture();
    const id = parseInt(await app.do('window', 't', 'Grüße 日本 😀'), 16);
    const title = async () => (await x.windows()).find((window) => window.xid === id)?.title;
    await eventually(async () => expect(await title()).toBe('Grüße 日本 😀'));
    await app.do('title', 't', '\\u202eevil\\u0007name');
    await eventually(async () => expect(await title()).toBe('evilname'));
    await app.do('title', 't', 'x'.repeat(5000));
    await eventually(async () => expect(await title()).toMatch(/^x+…\(\+\d+\)$/));
    expect([...(await title())!].length).toBeLessThanOrEqual(200);
  });
});
