import { afterEach, beforeEach, expect, it } from 'vitest';
import { afterAct } from '../../../tests/scenes/after-act.js';
import type { Screenshot, ScreenshotOptions } from '../../drivers/contract/index.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import type { PolicyRequest } from '../../policy/index.js';
import { uiClick } from '../../tools/act/ui-click.js';
import type { Box } from '../../tree/index.js';
import type { ActResult } from '../act/action.js';
import { perform } from '../call/perform.js';
import { Desktop } from '../desktop/desktop.js';

const WINDOW: Box = { x: 100, y: 50, width: 300, height: 200 };
let fake: FakeDesktop;
let desktop: Desktop;
/** What the window looks like: grey, with these parts in black. In window coordinates. */
let black: Box[];
let onClick: () => void;
let pictures: ScreenshotOptions[];
/** Answers for pictures. */
let captures: 'allow' | 'ask' | 'deny';

beforeEach(() => {
  black = [];
  pictures = [];
  captures = 'allow';
  onClick = () => undefined;
  fake = fakeDesktop({
    windows: [
      {
        ...{ key: 'paint', title: 'Paint', app: 'paint', bounds: WINDOW },
        children: [
          { role: 'button', name: 'Draw' },
          { role: 'passwordbox', name: 'PIN', key: 'pin' },
          { role: 'canvas', name: 'Sheet', key: 'sheet' },
        ],
      },
    ],
  });
  fake.driver.screenshot = (_, options) => {
    pictures.push(options);
    return Promise.resolve(picture());
  };
  afterAct(fake.driver, 'act', () => onClick());
  const decide = ({ tool }: PolicyRequest) =>
    ({ answer: tool === 'ui_capture' ? captures : 'allow', rule: 'r' }) as const;
  desktop = new Desktop({ name: 'desk', driver: fake.driver, kind: 'virtual', policy: { decide } });
});
afterEach(() => desktop.close());

function picture(): Screenshot {
  const { width, height, x, y } = WINDOW;
  const rgba = Buffer.alloc(width * height * 4, 200);
  for (const box of black)
    for (let row = box.y; row < box.y + box.height; row += 1)
      rgba.fill(0, (row * width + box.x) * 4, (row * width + box.x + box.width) * 4);
  return { width, height, origin: { x, y }, rgba };
}

/** The app draws, which the tree does not show. */
function draw(box: Box): void {
  black.push(box);
  desktop.drawings.note({
    ...{ type: 'damage', at: Date.now(), window: fake.controls.windowId('paint') },
    box: { ...box, x: box.x + WINDOW.x, y: box.y + WINDOW.y },
  });
}

async function click(): Promise<ActResult> {
  const args = { target: 'button:Draw', settleMs: 60, timeoutMs: 2_000 };
  return (await perform(desktop, [uiClick], { tool: 'ui_click', args, caller: 'me' })).json as unknown as ActResult;
}

it('reports where pixels changed, from two passive pictures of that window', async () => {
  onClick = () => draw({ x: 10, y: 150, width: 30, height: 8 });
  expect(await click()).toMatchObject({
    status: 'ok',
    changed: 'yes',
    changes: ['tree: unchanged; pixels changed at 110,200 30x8'],
  });
  expect(pictures).toEqual([expect.objectContaining({ passive: true }), expect.objectContaining({ passive: true })]);
});

it('takes no second picture if the tree shows the change', async () => {
  onClick = () => fake.controls.setName('sheet', 'Another sheet');
  expect(await click()).toMatchObject({ status: 'ok', changed: 'yes' });
  expect(pictures).toHaveLength(1);
});

it('says no change if the pictures are the same', async () => {
  expect(await click()).toMatchObject({ status: 'no change', changed: 'no', changes: [] });
});

it.each(['deny', 'ask'] as const)(
  'takes no picture where policy answers %s: what was drawn stands in',
  async (answer) => {
    captures = answer;
    onClick = () => draw({ x: 10, y: 150, width: 30, height: 8 });
    const { status, reason, changes } = await click();
    expect(status).toBe('unconfirmed');
    expect(reason).toContain('redrawn at 110,200 30x8');
    expect(changes).toEqual([]);
    onClick = () => undefined;
    expect(await click()).toMatchObject({ status: 'no change' });
    expect(pictures).toEqual([]);
  },
);

it('does not say where a covered window was drawn, and is not sure that it was not', async () => {
  captures = 'deny';
  fake.controls.openWindow({
    key: 'over',
    title: 'Over',
    app: 'other',
    bounds: { x: 380, y: 230, width: 90, height: 90 },
  });
  onClick = () => draw({ x: 10, y: 150, width: 30, height: 8 });
  const drawn = await click();
  expect(drawn).toMatchObject({ status: 'unconfirmed' });
  expect(drawn.reason).toContain('; redrawn, and');
  onClick = () => undefined;
  const still = await click();
  expect(still.status).toBe('unconfirmed');
  expect(still.reason).not.toMatch(/\d+x\d+/);
});

it('reports a secret field as a whole', async () => {
  const { json } = await perform(desktop, [uiClick], {
    ...{ tool: 'ui_click', caller: 'me' },
    args: { target: 'textbox:PIN', settleMs: 60 },
  });
  const { bounds } = (json as unknown as ActResult).resolvedTarget!;
  const { x, y, width, height } = bounds!;
  onClick = () => draw({ x: x - WINDOW.x + 2, y: y - WINDOW.y + 2, width: 40, height: 10 });
  const { changes, reason } = await click();
  expect(`${changes.join()} ${reason ?? ''}`).toContain(`${x},${y} ${width}x${height}`);
});

it('reports that its app took the clipboard, and nothing about other apps', async () => {
  onClick = () => fake.controls.copy('paint', 'text');
  expect(await click()).toMatchObject({ status: 'ok', changes: ['tree: unchanged; the app took the clipboard'] });
  fake.controls.openWindow({
    key: 'over',
    title: 'Over',
    app: 'other',
    bounds: { x: 600, y: 400, width: 90, height: 90 },
  });
  fake.controls.activate('paint');
  onClick = () => fake.controls.copy('over', 'text');
  expect((await click()).changes.join()).not.toContain('clipboard');
});
