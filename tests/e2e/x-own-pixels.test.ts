import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDisplay, type XDisplay } from '../../src/drivers/linux/x11/display.js';
import { windowIdOf } from '../../src/drivers/linux/x11/windows/window.js';
import type { WindowWatch } from '../../src/drivers/linux/x11/windows/watch.js';
import { eventually, soon, startBareX, XFixture, type BareX } from './support/x-seat.js';

let bare: BareX;
let app: XFixture;
let display: XDisplay;
let watch: WindowWatch;

// Without a window manager the window is a child of the root, and listened to by itself as well.
beforeEach(async () => {
  bare = await startBareX();
  app = await XFixture.bareWindow(bare.env);
  display = await openDisplay(bare.env, soon());
  watch = await display.watch({ emit: () => undefined, lost: () => undefined }, { redirect: true }, soon());
});
afterEach(async () => {
  watch.stop();
  display.close();
  await app.end();
  await bare.stop();
});

it('counts unmap and map once, although the server reports it for the window and its parent', async () => {
  const xid = Number(await app.do('open', 'Plain', 1));
  const own = (await watch.windowPixels())!;
  await eventually(() => expect(watch.reportsDrawingOf(windowIdOf(xid))).toBe(true));
  const settled = async (): Promise<number | undefined> => {
    await own.sync();
    return own.generationOf(xid);
  };
  const before = await eventually(async () => {
    const birth = await settled();
    expect(birth).toBeDefined();
    return birth!;
  });
  await app.do('hide');
  await eventually(async () => expect(await settled()).toBeUndefined());
  await app.do('show');
  await eventually(async () => expect(await settled()).toBeDefined());
  expect(await settled()).toBe(before + 2);
});
