import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DriverEvent } from '../drivers/contract/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../drivers/fake/index.js';
import { compilePolicy } from '../policy/index.js';
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
  open();
});
afterEach(() => desktop.close());

function open(): void {
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy: compilePolicy({}, 'virtual') });
}

/** News comes when it comes: here, when the test says so. */
async function openWithNews(): Promise<(event: DriverEvent) => Promise<void>> {
  await desktop.close();
  fake = fakeDesktop({ windows: [window('page', 'Start page', 0), window('notes', 'Notes', 300)] });
  let wake: (event: DriverEvent | undefined) => void = () => undefined;
  fake.driver.events = ({ signal }) => ({
    ready: Promise.resolve(),
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = new Promise<DriverEvent | undefined>((resolve) => (wake = resolve));
        signal.addEventListener('abort', () => wake(undefined), { once: true });
        const event = await next;
        if (!event) return;
        yield event;
      }
    },
  });
  open();
  const turnOfTheLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  await turnOfTheLoop();
  return async (event) => {
    wake(event);
    await turnOfTheLoop();
  };
}

async function call(tool: string, args: object = {}): Promise<{ text: string; json: Record<string, unknown> }> {
  return perform(desktop, TOOLS, { tool, args, caller: 'mcp:a' }).catch((error: unknown) => {
    if (!(error instanceof DesktopError)) throw error;
    return { text: `${error.code}: ${error.message} ${error.hint}`, json: { ...error.toJSON() } };
  });
}

/** With its last letter, so that what a caller asks for can come near it. */
const SECRET = /banking|4,711\.00/i;
const answerOf = ({ text, json }: Awaited<ReturnType<typeof call>>): string => text + JSON.stringify(json);

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

/** Around reads of the driver, as many as is said, after some that are not disturbed. */
function around(before: () => void, after: () => void, times = 1, later = 0): { left: number } {
  const read = fake.driver.read.bind(fake.driver);
  const trap = { left: times };
  fake.driver.read = async (scope, options) => {
    if (trap.left <= 0 || later-- > 0) return read(scope, options);
    trap.left -= 1;
    before();
    const answer = await read(scope, options);
    after();
    return answer;
  };
  return trap;
}

describe('a window that is a hidden one only while it is read', () => {
  beforeEach(async () => void (await openWithNews()));

  it.each<[string, object]>([
    ['ui_snapshot', { window: '*' }],
    ['ui_snapshot', { window: 'Start page' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_query', { target: 'button:"Wire 4,711.0"' }],
    ['ui_describe', { target: 'window="Start page" >> role=button' }],
    ['ui_click', { target: 'button:"Wire 4,711.0"', timeoutMs: 20 }],
    ['ui_click', { target: 'window="Start page" >> role=button', settleMs: 20, timeoutMs: 200 }],
    ['ui_assert', { condition: 'button:"No such thing"' }],
    ['ui_wait', { until: 'button:"Wire 4,711.0"', timeoutMs: 30 }],
    ['ui_scroll', { target: 'window="Start page" >> role=button', settleMs: 20, timeoutMs: 200 }],
  ])('is in no answer of %s %j, whichever of its reads it is', async (tool, args) => {
    for (const which of [0, 1, 2, 3, 4, 5, 6]) {
      const trap = around(turn, back, which < 6 ? 1 : 1_000, which % 6);
      expect(answerOf(await call(tool, args)), `read ${which}`).not.toMatch(SECRET);
      trap.left = 0;
      expect(answerOf(await call('ui_events'))).not.toMatch(SECRET);
    }
  });

  it('and changes again at every read: refused', async () => {
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
      ...[1, 2, 3, 4, 5, 6].map((number) => ['ui_snapshot', { window: 'Start page', since: `s${number}` }] as const),
      ['ui_events', {}],
    ] as const)
      expect(answerOf(await call(tool, args))).not.toMatch(SECRET);
  });

  it('and whose parts are gone afterwards: an old ref does not reveal its name', async () => {
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
      expect(answerOf(answer)).not.toMatch(SECRET);
    }
  });
});

describe('news from inside of it', () => {
  let emit: (event: DriverEvent) => Promise<void>;
  beforeEach(async () => {
    emit = await openWithNews();
    await call('ui_list_windows');
  });
  const at = 0;
  const id = (): string => fake.controls.windowId('page');
  const focus = (name: string): Promise<void> =>
    emit({ type: 'focus', at, window: id(), element: `new ${name}`, role: 'button', name });
  const title = (words: string): Promise<void> =>
    emit({ type: 'window', at, window: id(), change: 'title', title: words });
  const events = async (): Promise<string> => answerOf(await call('ui_events'));

  it('is reported, as long as nothing is hidden', async () => {
    await focus('Read on');
    expect(await events()).toContain('Read on');
  });

  it('that comes before its title is forgotten with it', async () => {
    await focus('Wire 4,711.00');
    await title('Online Banking');
    await title('Start page');
    expect(await events()).not.toMatch(SECRET);
  });

  it('that comes after its title is not heard', async () => {
    await title('Online Banking');
    await focus('Wire 4,711.00');
    expect(await events()).not.toMatch(SECRET);
    await title('Start page');
    await call('ui_list_windows');
    await focus('Wire 4,711.00');
    expect(await events()).not.toMatch(SECRET);
    // What comes so much later is not about what was hidden any more.
    const later = performance.now() + 6_000;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => later);
    await focus('Read on');
    clock.mockRestore();
    expect(await events()).toContain('Read on');
  });

  it('is not reported in the words of a snapshot that no caller got', async () => {
    around(turn, () => undefined);
    await call('ui_snapshot', { window: '*' });
    back();
    await call('ui_list_windows');
    await emit({ type: 'value', at, window: id(), element: fake.controls.elementId('page-field') });
    expect(await events()).not.toMatch(SECRET);
  });

  it('whose title no event has reported yet is not reported either', async () => {
    await focus('Wire 4,711.00');
    fake.controls.setTitle('page', 'Online Banking');
    expect(await events()).not.toMatch(SECRET);
  });
});

describe('the mouse', () => {
  const over = async (): Promise<void> => {
    fake.controls.setTitle('page', 'Online Banking');
    fake.controls.moveWindow('page', { x: 300, y: 0 });
    fake.controls.setName('page-button', 'Wire 4,711.00');
    fake.controls.activate('page');
    await call('ui_list_windows');
  };

  it.each<[string, object, string]>([
    ['ui_click_xy', { x: 310, y: 15 }, 'policy_denied'],
    ['ui_click_xy', { x: 310, y: 15, action: 'move' }, 'policy_denied'],
    ['ui_click', { target: 'button:"Read on"', window: 'Notes', method: 'input', timeoutMs: 50 }, 'not_ready'],
    ['ui_scroll', { target: 'button:"Read on"', window: 'Notes', direction: 'down', timeoutMs: 50 }, 'not_ready'],
  ])('does not go into a hidden window in front: %s %j', async (tool, args, code) => {
    await over();
    const answer = await call(tool, args);
    expect(answer.json.code, answer.text).toBe(code);
    expect(answerOf(answer)).not.toMatch(SECRET);
    expect(fake.diary).toEqual([]);
  });

  it('is not asked about either: what is behind is not what the mouse would meet', async () => {
    const ask = { name: 'ask', when: { class: 'raw' }, decision: 'ask' } as const;
    desktop.authorizer.replace(compilePolicy({ user: { version: 1, rules: [ask] } }, 'virtual'), () => []);
    expect((await call('ui_click_xy', { x: 310, y: 15 })).json.code).toBe('approval_required');
    await over();
    expect((await call('ui_click_xy', { x: 310, y: 15 })).json.code).toBe('policy_denied');
  });

  it('does not drop anything there', async () => {
    fake.controls.setTitle('page', 'Online Banking');
    const drag = { from: 'button:"Read on"', window: 'Notes', dx: -250, dy: 40, timeoutMs: 300 };
    expect((await call('ui_drag', drag)).json.code).toBe('policy_denied');
    expect(fake.diary).toEqual([]);
  });

  it('does not press when another window came to the point at the last moment', async () => {
    const input = fake.driver.input!;
    const move = input.move.bind(input);
    input.move = async (to, options) => {
      await move(to, options);
      fake.controls.moveWindow('page', { x: 300, y: 0 });
      fake.controls.activate('page');
    };
    expect((await call('ui_click_xy', { x: 310, y: 15 })).json).toMatchObject({ code: 'target_changed' });
    expect(fake.diary).toEqual([]);
  });
});
