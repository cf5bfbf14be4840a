import { expect } from 'vitest';
import { caseOf, type Row, type ToolCase } from '../row.js';
import { hovered, PAD, pressed } from '../words.js';
import type { ToolStage } from '../tool-stage.js';
import type { Box } from '../../../../src/tree/index.js';

const FAR = 'name=Far';

/** Reads again: Chromium reports positions a second later. */
async function shows(stage: ToolStage, target: string): Promise<void> {
  const { text } = await stage.call('ui_wait', { until: `${target} && offscreen=false`, timeoutMs: 10_000 });
  expect(text).toMatch(/^ok/);
}

const SCROLLING: Row[] = [
  {
    name: 'ui_scroll: until something shows',
    tool: 'ui_scroll',
    args: { target: FAR, until: 'button:"Far 20"', timeoutMs: 60_000 },
    diary: [],
    answer: { status: 'ok', method: 'input' },
    text: /^ok: scroll down (once|\d+ times) until it showed/,
    then: async (stage) => {
      await shows(stage, 'button:"Far 20"');
      expect((await stage.diary()).some((line) => 'scrolled' in line)).toBe(true);
    },
  },
  {
    name: 'ui_scroll: until stops at the end and reports it',
    tool: 'ui_scroll',
    args: { target: FAR, until: 'button:"Far 99"', amount: 5, timeoutMs: 60_000 },
    diary: [],
    answer: { code: 'element_not_found', delivered: 'yes' },
    text: /was scrolled down to its end \((once|\d+ times)\) and it did not show/,
    then: async (stage) => {
      await shows(stage, 'button:"Far 39"');
    },
  },
  {
    name: 'ui_scroll: until what shows already does nothing',
    tool: 'ui_scroll',
    args: { target: FAR, until: 'button:"Far 1"' },
    diary: [],
    answer: { status: 'ok', delivered: 'no' },
    text: /already shows the target/,
    aside: true,
  },
  {
    name: 'ui_scroll: by lines',
    tool: 'ui_scroll',
    args: { target: FAR, amount: 3, unit: 'line' },
    diary: [],
    answer: { method: 'input', delivered: 'yes' },
    then: async (stage) => expect(scrolled(await stage.diary())).toBeGreaterThan(0),
  },
];

const scrolled = (lines: Record<string, unknown>[]): number =>
  Number(lines.findLast((line) => 'scrolled' in line)?.scrolled ?? 0);

const DRAGGING: Row[] = [
  {
    name: 'ui_drag: from one element onto another',
    tool: 'ui_drag',
    args: { from: 'name=Parcel', to: 'name=Shelf' },
    diary: [{ dropped: 'Parcel', onto: 'Shelf' }],
    answer: { method: 'input', delivered: 'yes' },
    text: /drag onto e\d+: e\d+ \w+ "Parcel"/,
  },
  ...[{ from: PAD }, { from: PAD, to: 'name=Shelf', dx: 5 }].map((args): Row => ({
    name: `ui_drag: ${Object.keys(args).join(', ')} is refused`,
    tool: 'ui_drag',
    args,
    diary: [],
    answer: { code: 'bad_arguments', delivered: 'no' },
    text: /needs either to, or dx and dy/,
    aside: true,
  })),
];

const DRAGGED: ToolCase = {
  name: 'ui_drag: by a distance, in ten steps that the app sees',
  async run(stage) {
    await stage.fresh();
    const { json } = await stage.call('ui_drag', { from: PAD, dx: 40, dy: 10, settleMs: 200, timeoutMs: 15_000 });
    expect(json).toMatchObject({ method: 'input', delivered: 'yes' });
    const [first, second, third, ...more] = await stage.diary();
    expect([first, second, more]).toEqual([hovered, pressed(1), []]);
    expect(third).toMatchObject({ dragged: 'Pad', by: [40, 10] });
    // GTK 4 and Chromium report motions of one frame as one, and not always how many there were.
    const merged = ['gtk4', 'chromium'].includes(stage.toolkit);
    expect(third!.motions).toBeGreaterThanOrEqual(merged ? 2 : 10);
    expect(third!.motions).toBeLessThanOrEqual(10);
  },
};

/** Where the middle of it is, as its window sees it. */
async function middleOf(stage: ToolStage, target: string): Promise<{ x: number; y: number; ref: string }> {
  const { json } = await stage.call('ui_query', { target, timeoutMs: 15_000 });
  const [{ bounds, window: ref }] = json.matches as [{ bounds: Box; window: string }];
  return { x: Math.round(bounds.x + bounds.width / 2), y: Math.round(bounds.y + bounds.height / 2), ref };
}

const NOWHERE: [what: string, args: Record<string, unknown>, text: RegExp][] = [
  ['a point off the screen', { x: 9_000, y: 10 }, /is not on the screen/],
  ['a space that there is not', { x: 1, y: 1, space: 'moon' }, /is not a space of points/],
  ['a window that there is not', { x: 1, y: 1, space: 'w999' }, /w999/],
];

const POINTS: Row[] = [
  {
    name: 'ui_click_xy: at a point of the screen',
    tool: 'ui_click_xy',
    args: async (stage) => {
      const { x, y } = await middleOf(stage, 'button:Save');
      return { x, y };
    },
    diary: [{ clicked: 'Save' }],
    answer: { method: 'input', delivered: 'yes', window: expect.stringMatching(/^w\d+$/) as string },
    text: /click at \d+,\d+ in w\d+, by input/,
  },
  {
    name: 'ui_click_xy: at a point of a window',
    tool: 'ui_click_xy',
    args: async (stage) => {
      const { x, y, ref } = await middleOf(stage, 'button:Save');
      const { bounds } = await stage.main();
      return { x: x - bounds!.x, y: y - bounds!.y, space: ref };
    },
    diary: [{ clicked: 'Save' }],
    answer: { method: 'input' },
  },
  {
    name: 'ui_click_xy: in a field reports that the field has the focus',
    tool: 'ui_click_xy',
    first: (stage) => stage.app.command('focus Age'),
    args: async (stage) => {
      const { x, y } = await middleOf(stage, 'textbox:Name');
      return { x, y };
    },
    diary: [],
    answer: { status: 'ok', changed: 'yes', method: 'input' },
    text: /Changed:\nfocus: e\d+ textbox "Name"$/,
  },
  {
    name: 'ui_click_xy: moves the mouse',
    tool: 'ui_click_xy',
    args: async (stage) => {
      const { x, y } = await middleOf(stage, PAD);
      return { x, y, action: 'move' };
    },
    diary: [hovered],
    answer: { method: 'input', verb: 'move' },
  },
  ...NOWHERE.map(([what, args, text]): Row => ({
    name: `ui_click_xy: ${what} is refused`,
    tool: 'ui_click_xy',
    args,
    diary: [],
    answer: { code: expect.stringMatching(/^(bad_arguments|element_not_found)$/) as string, delivered: 'no' },
    text,
    aside: true,
  })),
];

export const HANDS: ToolCase[] = [...[...SCROLLING, ...DRAGGING, ...POINTS].map(caseOf), DRAGGED];
