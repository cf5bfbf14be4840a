import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

interface Answer {
  status: string;
  changed: string;
  changes: string[];
  reason?: string;
}

const PIXELS = /^tree: unchanged; pixels changed at \d+,\d+ 32x32$/;

/** In each toolkit: what ticks a row, and the words of the change. */
const TICKS: Record<'gtk3' | 'gtk4' | 'qt', [args: Record<string, unknown>, line: RegExp]> = {
  gtk3: [{ target: 'role=row && has("Milk") >> role=cell >> nth=0' }, /^~ e\d+ \| checked \| Milk/],
  gtk4: [{ target: 'checkbox:Milk' }, /checked \(was .*unchecked/],
  qt: [{ target: 'cell:Milk', method: 'input' }, /^~ e\d+ \| checked \| .*Milk/],
};

describe.each(['gtk3', 'gtk4', 'qt'] as const)('effects in %s that the tree hardly shows', (toolkit) => {
  let real: RealDesktop;
  let app: FixtureApp;
  beforeAll(async () => {
    real = await openRealDesktop();
    app = await FixtureApp.start(`effects-${toolkit}.py`, real.seat.env);
    await real.call('ui_wait', { until: 'button:Paint', timeoutMs: 60_000 });
  });
  afterAll(async () => {
    await app?.end();
    await real?.stop();
  });

  /** Acts, and waits until the app has written that it was pressed: so the verdict is about a real press. */
  async function press(name: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const from = app.diary.length;
    const { json } = await real.call('ui_click', { target: `button:${name}`, ...args });
    await app.wait(`${name} to be pressed`, (line) => line.pressed === name, from);
    return json as unknown as Answer;
  }

  it('a button without any effect: no change', async () => {
    await press('Nothing');
    expect(await press('Nothing')).toMatchObject({ status: 'no change', changed: 'no', changes: [] });
  });

  it('a drawing changes: says where', async () => {
    const { status, changes } = await press('Paint');
    expect(changes).toEqual([expect.stringMatching(PIXELS)]);
    expect(status).toBe('ok');
  });

  it('a drawing changes by a click with the mouse: the look of the button is left out', async () => {
    const { status, changes } = await press('Paint', { method: 'input' });
    expect(changes).toEqual([expect.stringMatching(PIXELS)]);
    expect(status).toBe('ok');
  });

  it('a button without effect is clicked with the mouse: never ok', async () => {
    const { status, changes } = await press('Nothing', { method: 'input' });
    expect(['no change', 'unconfirmed']).toContain(status);
    expect(changes).toEqual([]);
  });

  it.each(['first', 'again'])('the app takes the clipboard: %s', async () => {
    const { status, changes } = await press('Copy');
    expect(changes).toEqual(['tree: unchanged; the app took the clipboard']);
    expect(status).toBe('ok');
  });

  it('the app paints after a second of work: not reported as no change', async () => {
    const { status, changes, reason } = await press('Work');
    expect(status, reason).not.toBe('no change');
    if (status === 'ok') expect(changes).toEqual([expect.stringMatching(PIXELS)]);
  });

  it('a tick in a table is a change each time', async () => {
    const [args, line] = TICKS[toolkit];
    for (const on of [true, false, true]) {
      const from = app.diary.length;
      const { json } = await real.call('ui_click', args);
      await app.wait('the tick', ({ ticked }) => ticked === 'Milk', from);
      const { status, changes } = json as unknown as Answer;
      expect(status).toBe('ok');
      if (on) expect(changes.join('\n')).toMatch(new RegExp(line.source, 'm'));
    }
  });

  it('a spinner is no effect', async () => {
    await app.command('spin');
    const window = (await real.snapshot()).windows[0]!;
    await until('that its place is known', () => real.desktop.drawings.habits(window.id).length > 0);
    const { status, changes } = await press('Nothing');
    expect(changes).toEqual([]);
    expect(['no change', 'unconfirmed']).toContain(status);
    const painted = await press('Paint');
    expect(painted.changes).toEqual([expect.stringMatching(PIXELS)]);
  });
});
