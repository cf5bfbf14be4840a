import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { renderSince } from '../diff/render-changes.js';
import { renderSnapshot } from '../render/render.js';
import { renderWindowList } from '../render/window-lines.js';
import { estimateTokens } from '../render/tokens.js';
import { box, win } from './build.js';
import { calcSheet, calculator, fileDialog, form, orders } from './examples.js';

const threeWindows = [
  win('w1', 'Orders - Chromium', 'chromium', box(0, 0, 1600, 1000)),
  win('w2', 'Calculator', 'gnome-calculator', { active: false, monitor: 2, ...box(1960, 60, 360, 616) }),
  win('w3', '*Untitled 1 - Mousepad', 'mousepad', { active: false, minimised: true }),
];

/** A change in one of these files is a change for users: it goes into the CHANGELOG. */
const goldens: [name: string, text: () => string, tokens: number][] = [
  ['calculator', () => renderSnapshot(calculator(), { nonce: '73419000' }).text, 203],
  ['file-dialog', () => renderSnapshot(fileDialog(), { nonce: '44821300' }).text, 248],
  ['orders', () => renderSnapshot(orders(), { nonce: '90227700' }).text, 782],
  ['form', () => renderSnapshot(form(), { nonce: '15603400' }).text, 184],
  ['form-since', () => renderSince(form(), form(true), { nonce: '51530600' }).text, 118],
  ['calc-sheet', () => renderSnapshot(calcSheet(), { nonce: '26190400' }).text, 490],
  ['calc-sheet-400', () => renderSnapshot(calcSheet(), { nonce: '26190400', maxTokens: 400 }).text, 308],
  ['orders-400', () => renderSnapshot(orders(), { nonce: '90227700', maxTokens: 400 }).text, 351],
  ['list-windows', () => renderWindowList(threeWindows, { nonce: '66271800' }), 94],
];

describe('the text that a model reads', () => {
  it.each(goldens)('%s', async (name, render, tokens) => {
    const text = render();
    await expect(text + '\n').toMatchFileSnapshot(`${name}.txt`);
    expect(encode(text).length).toBe(tokens);
  });

  it.each(goldens)('%s: the estimate is at most 15 % above', (name, render, tokens) => {
    const estimate = estimateTokens(render());
    expect(estimate).toBeGreaterThanOrEqual(tokens);
    // Program names are not words, and a list of windows contains little else.
    expect(estimate).toBeLessThanOrEqual(tokens * (name === 'list-windows' ? 1.2 : 1.15));
  });
});
