import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { openRealDesktop, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

/** In each the control lies in the middle of the row; it is checked first that it is the hit target there. */
const ROWS: Record<'gtk3' | 'qt', [kind: string, from: string, to: string][]> = {
  gtk3: [
    ['listitem', 'Three', 'Two'],
    ['row', 'Workers Day', 'Garden Day'],
  ],
  qt: [['row', 'Workers Day', 'Garden Day']],
};

describe.each(['gtk3', 'qt'] as const)('rows of %s with a control in their middle', (toolkit) => {
  let real: RealDesktop;
  let app: FixtureApp;
  let page = 0;
  beforeAll(async () => {
    real = await openRealDesktop();
    app = await FixtureApp.start(`row-controls-${toolkit}.py`, real.seat.env);
    const [kind, name] = ROWS[toolkit][0]!;
    await real.call('ui_wait', { until: `${kind}:"${name}"`, timeoutMs: 15_000 });
  });
  afterAll(async () => {
    await app?.end();
    await real?.stop();
  });
  beforeEach(async () => {
    await app.command('forget');
    page = app.diary.length;
  });

  const written = (word: string): DiaryLine[] => app.diary.slice(page).filter((line) => word in line);
  const pressed = (): DiaryLine[] => [...written('toggled'), ...written('pressed')];

  async function middleOf(target: string): Promise<{ x: number; y: number }> {
    const { json } = await real.call('ui_describe', { target });
    const { x, y, width, height } = (json.element as { bounds: Record<'x' | 'y' | 'width' | 'height', number> }).bounds;
    return { x: x + Math.floor(width / 2), y: y + Math.floor(height / 2) };
  }

  it.each(ROWS[toolkit])('%s %s: its middle is the control', async (kind, name) => {
    await real.call('ui_click_xy', await middleOf(`${kind}:"${name}"`));
    await until('its control', () => pressed().length > 0);
    expect(pressed()).toEqual([{ toggled: name, on: true }]);
  });

  it.each(ROWS[toolkit])('%s %s is clicked, and the control left alone', async (kind, name) => {
    const { json } = await real.call('ui_click', { target: `${kind}:"${name}"`, method: 'input' });
    expect(json).toMatchObject({ method: 'input', delivered: 'yes' });
    await until('that it was chosen', () => written('chosen').some(({ chosen }) => chosen === name));
    expect(pressed()).toEqual([]);
  });

  it.each(ROWS[toolkit])('%s %s is dragged onto %s, by no control and onto none', async (kind, from, to) => {
    const { json } = await real.call('ui_drag', { from: `${kind}:"${from}"`, to: `${kind}:"${to}"` });
    expect(json).toMatchObject({ method: 'input', delivered: 'yes' });
    await until('the drop', () => written('dropped').length > 0);
    expect(written('dropped')).toEqual([{ dropped: from, onto: to }]);
    expect(pressed()).toEqual([]);
  });
});
