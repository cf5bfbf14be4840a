import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { UserInputKind } from '../../drivers/contract/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type Tool } from '../../runtime/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { uiCapabilities } from '../read/ui-capabilities.js';
import { uiEvents } from '../read/ui-events.js';
import { uiSnapshot } from '../read/ui-snapshot.js';
import { uiWait } from '../read/ui-wait.js';
import { uiBatch } from './ui-batch.js';
import { uiClick } from './ui-click.js';
import { uiDrag } from './ui-drag.js';
import { uiKey } from './ui-key.js';
import { uiType } from './ui-type.js';
import { uiWindow } from './ui-window.js';

const TOOLS: Tool[] = [
  ...[uiBatch, uiClick, uiDrag, uiKey, uiType, uiWindow],
  ...[uiCapabilities, uiEvents, uiSnapshot, uiWait],
];

/** The pointer of a fake desktop begins at 0,0: over this window. */
const notes: WindowSpec = {
  key: 'notes',
  title: 'Notes',
  app: 'notes',
  bounds: { x: 0, y: 0, width: 400, height: 400 },
  children: [
    { role: 'textbox', name: 'Text', value: '', states: { editable: true, focused: true } },
    { role: 'button', name: 'Save' },
    { role: 'button', name: 'Mouse only', noPattern: true },
  ],
};
const other: WindowSpec = {
  key: 'other',
  title: 'Other',
  app: 'other',
  bounds: { x: 500, y: 0, width: 400, height: 400 },
  children: [{ role: 'button', name: 'Elsewhere' }],
};

const LONG = 'The quick brown fox jumps over the lazy dog. '.repeat(40);

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => open('virtual'));
afterEach(() => desktop.close());

function open(kind: 'virtual' | 'seat'): void {
  fake = fakeDesktop({ windows: [notes, other] });
  // The rules of user desktops are tested elsewhere: here everything is allowed.
  const policy = { decide: () => ({ answer: 'allow', rule: 'all' }) as const };
  desktop = new Desktop({ name: 'shared', driver: fake.driver, kind, policy });
}

function call(tool: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
  return perform(desktop, TOOLS, { tool, args, caller: 'me' }).then(({ json }) => json);
}

async function failure(work: Promise<unknown>): Promise<DesktopError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw error;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Deadline.in(10_000);
  while (!(await holds())) {
    deadline.throwIfOver('The condition');
    await new Promise(setImmediate);
  }
}

/** As it is while an agent is at work. */
async function watched(): Promise<void> {
  await desktop.user.startWatching(Deadline.in(5_000));
}

async function userDoes(...kinds: UserInputKind[]): Promise<void> {
  await watched();
  fake.controls.userInput(...kinds);
  await until(() => desktop.user.busy);
}

/** From the app's own diary, in order. */
const typed = (): string =>
  fake.diary
    .flatMap((line) => /^type (".*") into textbox/.exec(line)?.[1] ?? [])
    .map((part) => JSON.parse(part) as string)
    .join('');
const QUICK = { settleMs: 0 };

describe('while the user uses the mouse', () => {
  it('a click with the mouse waits until they have let go', async () => {
    await userDoes('motion');
    const result = await call('ui_click', { target: 'button:"Mouse only"', ...QUICK });
    expect(result).toMatchObject({ method: 'input', delivered: 'yes' });
    expect(desktop.user.busy).toBe(false);
    const news: string[] = [];
    // A timer reports that the user is idle; it may come a little later than the act.
    await expect
      .poll(async () => {
        const { events } = await call('ui_events');
        news.push(...(events as { what: string }[]).map(({ what }) => what));
        return news;
      })
      .toEqual(expect.arrayContaining(['pause', 'resume']));
  });

  it('and goes on, it is refused at its deadline, with nothing done', async () => {
    await userDoes('motion');
    const busy = setInterval(() => fake.controls.userInput('motion'), 50);
    const error = await failure(call('ui_click', { target: 'button:"Mouse only"', timeoutMs: 2_000, ...QUICK }));
    clearInterval(busy);
    expect(error).toMatchObject({ code: 'not_ready', delivered: 'no', retry: 'after' });
    expect(error.message).toMatch(/^The user is using the mouse/);
    expect(fake.diary).toEqual([]);
  });

  it.each<[string, UserInputKind, string, 'done' | 'not_ready']>([
    ['in the window under their pointer waits', 'motion', 'button:Save', 'not_ready'],
    ['in another window is done', 'motion', 'button:Elsewhere', 'done'],
    ['where their keys go waits', 'key', 'button:Save', 'not_ready'],
    ['elsewhere is done while they type', 'key', 'button:Elsewhere', 'done'],
  ])('an act by pattern %s', async (_, kind, target, outcome) => {
    await userDoes(kind);
    const busy = setInterval(() => fake.controls.userInput(kind), 50);
    const click = call('ui_click', { target, timeoutMs: 1_000, ...QUICK });
    if (outcome === 'not_ready') expect(await failure(click)).toMatchObject({ code: 'not_ready', delivered: 'no' });
    else await click;
    clearInterval(busy);
    expect(fake.diary).toHaveLength(outcome === 'done' ? 1 : 0);
  });

  it('no window is brought to the front', async () => {
    await userDoes('key');
    const error = await failure(call('ui_window', { action: 'focus', window: 'Other', timeoutMs: 300 }));
    expect(error).toMatchObject({ code: 'not_ready', delivered: 'no' });
  });
});

describe('a user who interrupts while', () => {
  async function during(work: Promise<unknown>, begun: () => boolean, ...kinds: UserInputKind[]): Promise<void> {
    work.catch(() => undefined); // The test checks it.
    await until(begun);
    fake.controls.userInput(...kinds);
  }

  it('a text is typed: it stops, and goes on when they have only moved the mouse', async () => {
    const typing = call('ui_type', { text: LONG, target: 'textbox:Text', method: 'input', ...QUICK });
    await during(typing, () => typed().length > 0, 'motion');
    await until(() => desktop.user.busy);
    expect(typed().length).toBeLessThan(LONG.length);
    expect(await typing).toMatchObject({ delivered: 'yes' });
    expect(typed()).toBe(LONG);
  });

  it.each<[string, UserInputKind]>([
    ['types too', 'key'],
    ['clicks in the same window', 'button'],
  ])('a text is typed, and %s: it ends there and says how much went in', async (_, kind) => {
    const typing = call('ui_type', { text: LONG, target: 'textbox:Text', method: 'input', ...QUICK });
    await during(typing, () => typed().length > 0, kind);
    const error = await failure(typing);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    expect(typed().length).toBeLessThan(LONG.length);
    expect(typed()).toBe(LONG.slice(0, error.details!.typed as number));
    expect(error.message).toContain(`${typed().length} of ${LONG.length} characters were typed`);
  });

  it('a text is typed, and the focus is elsewhere afterwards: no more is typed', async () => {
    const typing = call('ui_type', { text: LONG, target: 'textbox:Text', method: 'input', ...QUICK });
    await during(typing, () => typed().length > 0, 'motion');
    fake.controls.activate('other');
    const error = await failure(typing);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes' });
    expect(typed()).toBe(LONG.slice(0, error.details!.typed as number));
  });

  it('something is dragged: it is called off', async () => {
    const drag = call('ui_drag', { from: 'button:Save', dx: 40, dy: 0, steps: 1_000, ...QUICK });
    drag.catch(() => undefined); // Checked below.
    await until(async () => (await desktop.driver.input!.pointer({ deadline: Deadline.in(1_000) })).x > 0);
    fake.controls.userInput('motion');
    expect(await failure(drag)).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    expect(fake.diary).toEqual([expect.stringMatching(/called off$/)]);
  });
});

describe('user input is not watched', () => {
  it('on a private desktop: acts continue, and it is reported', async () => {
    await watched();
    desktop.driver.userInput = undefined;
    fake.controls.loseUserInput('the display is gone');
    await until(() => desktop.user.undetectedReason !== undefined);
    expect(await call('ui_click', { target: 'button:"Mouse only"', ...QUICK })).toMatchObject({ delivered: 'yes' });
    const { findings } = await call('ui_capabilities');
    expect(JSON.stringify(findings)).toContain('acts do not wait for the user');
  });

  it('on a user desktop: mouse and keys are not used, patterns work', async () => {
    await desktop.close();
    open('seat');
    await watched();
    desktop.driver.userInput = () => unwatchable();
    fake.controls.loseUserInput('the display is gone');
    await until(() => desktop.user.undetectedReason !== undefined);
    const error = await failure(call('ui_click', { target: 'button:"Mouse only"', ...QUICK }));
    expect(error).toMatchObject({ code: 'not_ready', delivered: 'no' });
    expect(error.message).toContain('the display is gone');
    await call('ui_click', { target: 'button:Save', ...QUICK });
    expect(fake.diary).toEqual(['invoke button "Save"']);
  });

  it('and then it is watched again: mouse and keys are used again', async () => {
    await desktop.close();
    open('seat');
    await watched();
    fake.controls.loseUserInput('a moment of weakness');
    await until(() => desktop.user.undetectedReason !== undefined);
    expect(await call('ui_click', { target: 'button:"Mouse only"', ...QUICK })).toMatchObject({ delivered: 'yes' });
    expect(desktop.user.undetectedReason).toBeUndefined();
  });

  function unwatchable() {
    return {
      ready: Promise.resolve(),
      async *[Symbol.asyncIterator]() {
        yield { type: 'lost' as const, reason: 'the display is gone', at: Date.now() };
      },
    };
  }
});

describe('stop', () => {
  it('ends what is under way, what waits for its turn and what waits for a condition', async () => {
    const typing = failure(call('ui_type', { text: LONG, target: 'textbox:Text', method: 'input', ...QUICK }));
    const next = failure(call('ui_click', { target: 'button:Save' }));
    const wait = failure(call('ui_wait', { until: 'button:Never' }));
    const batch = failure(call('ui_batch', { steps: [{ tool: 'ui_click', target: 'button:Save' }] }));
    await until(() => typed().length > 0);
    fake.controls.userInput('key', 'stop');
    const error = await typing;
    expect(error).toMatchObject({ code: 'cancelled', delivered: 'yes', retry: 'no' });
    expect(error.message).toBe(
      `ui_type was stopped after ${typed().length} characters, because the user pressed Escape twice; part of it was done.`,
    );
    expect(typed()).toBe(LONG.slice(0, error.details!.typed as number));
    for (const dropped of [next, wait, batch]) {
      expect(await dropped).toMatchObject({ code: 'cancelled', delivered: 'no' });
    }
    expect(fake.diary.filter((line) => line.startsWith('invoke'))).toEqual([]);
  });

  it('lets nothing begin until the user resumes, but reports why', async () => {
    await desktop.stop('the user stopped it');
    for (const [tool, args] of [
      ['ui_click', { target: 'button:Save' }],
      ['ui_snapshot', {}],
      ['ui_batch', { steps: [{ tool: 'ui_snapshot' }] }],
    ] as const) {
      const error = await failure(call(tool, args));
      expect(error).toMatchObject({ code: 'policy_denied', delivered: 'no', retry: 'after' });
      expect(error.hint).toMatch(/Only the user can continue: deskproof resume, in a terminal/);
    }
    const { findings } = await call('ui_capabilities');
    expect(findings).toContainEqual(
      expect.objectContaining({ level: 'off', fix: expect.stringContaining('the user continues it') as string }),
    );
    desktop.resume();
    await call('ui_click', { target: 'button:Save', ...QUICK });
    expect(fake.diary).toEqual(['invoke button "Save"']);
    const { events } = await call('ui_events');
    expect((events as { what: string }[]).map(({ what }) => what)).toEqual(
      expect.arrayContaining(['stop', 'continue']),
    );
  });

  it('is not for Escape twice while no agent is at work', async () => {
    fake.controls.userInput('stop');
    await call('ui_click', { target: 'button:Save', ...QUICK });
    expect(desktop.emergencyStop.stopped).toBeUndefined();
  });

  it('of a caller who gives up stays theirs', async () => {
    const caller = new AbortController();
    const click = perform(desktop, TOOLS, {
      ...{ tool: 'ui_click', args: { target: 'button:Never' }, caller: 'me' },
      signal: caller.signal,
    });
    caller.abort();
    const error = await failure(click);
    expect(error.code).toBe('cancelled');
    expect(error.message).not.toContain('stopped');
  });
});
