import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../drivers/fake/index.js';
import { govern } from '../policy/index.js';
import { Desktop, perform } from '../runtime/index.js';
import { DesktopError } from '../shared/index.js';
import { TOOLS } from './index.js';

const window = (key: string, title: string, x: number): WindowSpec => ({
  ...{ key, title, app: `${key}-app`, bounds: { x, y: 0, width: 200, height: 200 } },
  children: [
    { role: 'button', name: 'Read on', key: `${key}-button` },
    { role: 'textbox', name: 'Field', key: `${key}-field` },
  ],
});

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({ windows: [window('page', 'Start page', 0), window('notes', 'Notes', 300)] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy: govern({}, 'virtual') });
});
afterEach(() => desktop.close());

async function call(tool: string, args: object = {}): Promise<{ text: string; json: Record<string, unknown> }> {
  return perform(desktop, TOOLS, { tool, args, caller: 'mcp:a' }).catch((error: unknown) => {
    if (!(error instanceof DesktopError)) throw error;
    return { text: `${error.code}: ${error.message} ${error.hint}`, json: { ...error.toJSON() } };
  });
}

const SECRET = /banking|4,711/i;
const told = ({ text, json }: Awaited<ReturnType<typeof call>>): string => text + JSON.stringify(json);

function turn(): void {
  fake.controls.setTitle('page', 'Online Banking');
  fake.controls.setName('page-button', 'Wire 4,711.00');
  fake.controls.setName('page-field', 'Balance 4,711.00');
}
function back(): void {
  fake.controls.setName('page-button', 'Read on');
  fake.controls.setName('page-field', 'Field');
  fake.controls.setTitle('page', 'Start page');
}

/** Around the next reads of the driver, as often as is said. */
function around(before: () => void, after: () => void, times = 1): { left: number } {
  const read = fake.driver.read.bind(fake.driver);
  const trap = { left: times };
  fake.driver.read = async (scope, options) => {
    if (trap.left <= 0) return read(scope, options);
    trap.left -= 1;
    before();
    const answer = await read(scope, options);
    after();
    return answer;
  };
  return trap;
}

describe('a window that is a hidden one only while it is read', () => {
  it.each<[string, object]>([
    ['ui_snapshot', { window: '*' }],
    ['ui_snapshot', { window: 'Start page' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_query', { target: 'button:"No such thing"' }],
    ['ui_describe', { target: 'window="Start page" >> role=button' }],
    ['ui_click', { target: 'button:"No such thing"', timeoutMs: 20 }],
    ['ui_click', { target: 'window="Start page" >> role=button', settleMs: 20, timeoutMs: 200 }],
    ['ui_assert', { condition: 'button:"No such thing"' }],
    ['ui_wait', { until: 'button:"No such thing"', timeoutMs: 30 }],
  ])('is told by no answer of %s %j', async (tool, args) => {
    const trap = around(turn, back);
    expect(told(await call(tool, args))).not.toMatch(SECRET);
    expect(trap.left).toBe(0);
    expect(told(await call('ui_events'))).not.toMatch(SECRET);
  });

  it('and turns again at every look: refused', async () => {
    around(turn, back, 100);
    expect((await call('ui_snapshot', { window: 'Start page' })).json).toMatchObject({ code: 'policy_denied' });
  });

  it.each([
    ['that is back soon', true],
    ['that is back later', false],
  ])('%s, and of which an old ref says nothing', async (_, soon) => {
    const { json } = await call('ui_query', { target: 'window="Start page" >> role=button' });
    const [{ ref }] = json.matches as [{ ref: string }];
    around(turn, soon ? back : () => undefined);
    await call('ui_snapshot', { window: '*' });
    if (!soon) back();
    for (const [tool, args] of [
      ['ui_click', { target: ref, settleMs: 20, timeoutMs: 200 }],
      ['ui_describe', { target: ref }],
      ['ui_snapshot', { window: 'Start page' }],
      ['ui_snapshot', { window: 'Start page', since: 's1' }],
      ['ui_snapshot', { window: 'Start page', since: 's2' }],
      ['ui_events', {}],
    ] as const)
      expect(told(await call(tool, args))).not.toMatch(SECRET);
  });

  it('and whose parts are gone afterwards: an old ref does not tell how it was called', async () => {
    const { json } = await call('ui_query', { target: 'window="Start page" >> role=button' });
    const [{ ref }] = json.matches as [{ ref: string }];
    around(turn, () => undefined);
    await call('ui_snapshot', { window: '*' });
    fake.controls.remove('page-button');
    fake.controls.setName('page-field', 'Field');
    fake.controls.setTitle('page', 'Start page');
    for (const tool of ['ui_click', 'ui_describe']) {
      const answer = await call(tool, { target: ref, ...(tool === 'ui_click' && { timeoutMs: 50 }) });
      expect(answer.json.code).toBe('stale_ref');
      expect(told(answer)).not.toMatch(SECRET);
    }
  });
});

describe('news from inside of it', () => {
  it('is not told, whether it comes before its title or after', async () => {
    await call('ui_list_windows');
    await call('ui_events');
    fake.controls.focus('page-button');
    fake.controls.setName('page-field', 'Balance 4,711.00');
    fake.controls.focus('page-field');
    fake.controls.setTitle('page', 'Online Banking');
    fake.controls.setName('page-button', 'Wire 4,711.00');
    fake.controls.focus('page-button');
    fake.controls.setTitle('notes', 'Notes, changed');
    const answers: string[] = [];
    await expect
      .poll(async () => answers.push(told(await call('ui_events'))) && answers.join('\n'))
      .toMatch(/Notes, changed/);
    expect(answers.join('\n')).not.toMatch(SECRET);
  });
});

describe('the mouse', () => {
  const over = (): void => {
    fake.controls.setTitle('page', 'Online Banking');
    fake.controls.moveWindow('page', { x: 300, y: 0 });
    fake.controls.setName('page-button', 'Wire 4,711.00');
    fake.controls.activate('page');
  };

  it.each<[string, object, string]>([
    ['ui_click_xy', { x: 310, y: 15 }, 'policy_denied'],
    ['ui_click_xy', { x: 310, y: 15, action: 'move' }, 'policy_denied'],
    ['ui_click', { target: 'button:"Read on"', window: 'Notes', method: 'input', timeoutMs: 50 }, 'not_ready'],
    ['ui_scroll', { target: 'button:"Read on"', window: 'Notes', direction: 'down', timeoutMs: 50 }, 'policy_denied'],
  ])('does not go into a hidden window in front: %s %j', async (tool, args, code) => {
    over();
    const answer = await call(tool, args);
    expect(answer.json.code, answer.text).toBe(code);
    expect(told(answer)).not.toMatch(SECRET);
    expect(fake.diary).toEqual([]);
  });

  it('does not drop anything there', async () => {
    fake.controls.setTitle('page', 'Online Banking');
    const drag = { from: 'button:"Read on"', window: 'Notes', dx: -250, dy: 40, timeoutMs: 300 };
    expect((await call('ui_drag', drag)).json.code).toBe('policy_denied');
    expect(fake.diary).toEqual([]);
  });

  it('does not press when another window came to the point at the last moment', async () => {
    const hands = fake.driver.hands!;
    const move = hands.move.bind(hands);
    hands.move = async (to, options) => {
      await move(to, options);
      fake.controls.moveWindow('page', { x: 300, y: 0 });
      fake.controls.activate('page');
    };
    expect((await call('ui_click_xy', { x: 310, y: 15 })).json).toMatchObject({ code: 'target_changed' });
    expect(fake.diary).toEqual([]);
  });
});
