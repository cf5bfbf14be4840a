import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { elements, openRealDesktop, snapshotUntil, theOne, type RealDesktop } from './support/real-desktop.js';
import { fileURLToPath } from 'node:url';

const SCENE = fileURLToPath(new URL('../fixture-apps/drawn.py', import.meta.url));
const DRAWN = '(drawn: no elements inside; use ui_capture, keys, ui_click_xy)';

let real: RealDesktop;

beforeEach(async () => {
  real = await openRealDesktop();
});
afterEach(() => real?.stop());

async function show(version: '3' | '4'): Promise<string> {
  await real.seat.launch('/usr/bin/python3', [SCENE, version]);
  await snapshotUntil(real, 'the scene', (snapshot) => elements(snapshot, 'button', 'Below the drawing').length > 0);
  return (await real.call('ui_snapshot')).text;
}

describe('a region that draws itself says so in one line', () => {
  test('GTK 3: drawing area and calendar, and items of an icon view by name', async () => {
    const text = await show('3');
    for (const what of ['canvas "Diagram"', 'canvas', 'calendar'])
      expect(text.split('\n').filter((line) => line.includes(` ${what}`) && line.endsWith(DRAWN))).not.toEqual([]);
    // A mark of 16 pixels has no content to look for, and a box that takes no keys is only layout.
    expect(text.split(DRAWN)).toHaveLength(4);
    expect(text).toMatch(/listitem e\d+ "Alpha", e\d+ "Beta"/);
    const controls = (await real.call('ui_snapshot', { interactive: true })).text;
    expect(controls).toContain(DRAWN);
    const snapshot = await real.snapshot();
    expect(snapshot).toMatchObject({ complete: true });
    // The icon view itself must have taken the click, wherever we believe the item to be.
    await real.call('ui_click', { target: theOne(snapshot, 'listitem', 'Beta').ref });
    await snapshotUntil(real, 'the item to be selected', (now) => theOne(now, 'listitem', 'Beta').states.selected);
  });

  test('GTK 4: an icon view, whose items are in no tree', async () => {
    expect(await show('4')).toContain(`canvas ${DRAWN}`);
  });
});
