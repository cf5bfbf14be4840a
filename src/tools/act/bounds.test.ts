import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform, type Performed } from '../../runtime/index.js';
import { Deadline } from '../../shared/index.js';
import { estimateTokens } from '../../tree/index.js';
import { ACTS } from '../index.js';

const SETTLE_MS = 50_000;
const PAUSES = 'bad_arguments';

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({
    windows: [
      {
        key: 'letter',
        title: 'Letter',
        app: 'mail',
        bounds: { x: 0, y: 0, width: 400, height: 400 },
        children: [{ role: 'textbox', name: 'To', value: '', states: { editable: true } }],
      },
    ],
  });
  desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const call = (tool: string, args: Record<string, unknown>): Promise<Performed> =>
  perform(desktop, ACTS, { tool, args, caller: 'me' });

it.each([
  ['ui_type', { target: 'textbox:To', text: 'x'.repeat(61), delayMs: 2_000 }, /pause for 122 s; at most 120 s/],
  ['ui_type', { target: 'textbox:To', text: 'x', delayMs: 2_001 }, /delayMs/],
  ['ui_drag', { from: 'textbox:To', dx: 5, steps: 1_000, stepMs: 121 }, /pause for 121 s; at most 120 s/],
])('%s %o would keep the hands for too long', async (tool, args, says) => {
  await expect(call(tool, args)).rejects.toMatchObject({ code: PAUSES, message: says, delivered: 'no' });
  expect(fake.diary).toEqual([]);
});

it('reports the clipboard up to a budget, complete in JSON, and waits for nothing', async () => {
  const text = 'All of it, word for word. '.repeat(2_000);
  await fake.driver.clipboard!.write(text, { deadline: Deadline.in(1_000) });
  const answer = await call('ui_clipboard', { settleMs: SETTLE_MS });
  expect(answer.json).toMatchObject({ status: 'ok', read: text, settledMs: expect.any(Number) as number });
  expect((answer.json as { settledMs: number }).settledMs).toBeLessThan(SETTLE_MS / 2);
  expect(estimateTokens(answer.text)).toBeLessThan(2_200);
  expect(answer.text).toMatch(/\ncharacters 0-\d+ of 52000\nnext: for the rest paste it into a field/);
});

it('reports a short clipboard completely', async () => {
  await fake.driver.clipboard!.write('héllo', { deadline: Deadline.in(1_000) });
  const { text } = await call('ui_clipboard', {});
  expect(text).toMatch(/\n\| héllo\n<\/ui [0-9a-f]{8}>$/);
});
