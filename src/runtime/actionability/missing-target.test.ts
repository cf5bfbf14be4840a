import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import { perform, type Call } from '../call/perform.js';
import { Desktop } from '../desktop/desktop.js';
import type { ActivityOf } from './missing-target.js';

// How long an act waits for a target that does not exist.

let fake: FakeDesktop;
let desktop: Desktop;
/** Processor time that each process uses, as a share of one processor. */
let load: Record<number, number>;
let ageMs: number;

const activityOf: ActivityOf = (pid) => ({
  cpuMs: (load[pid] ?? 0) * performance.now(),
  ageMs: ageMs + performance.now(),
  running: false,
});

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'] });
  fake = fakeDesktop({
    windows: [
      {
        key: 'form',
        title: 'Form',
        app: 'crm',
        pid: 71,
        children: [{ role: 'group', name: 'Main', children: [{ role: 'button', name: 'Keep', key: 'keep' }] }],
      },
      { key: 'clock', title: 'Clock', app: 'clock', pid: 72, children: [{ role: 'text', name: '12:00', key: 'time' }] },
    ],
  });
  load = {};
  ageMs = 60_000;
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, activityOf });
  await vi.advanceTimersByTimeAsync(0);
});
afterEach(async () => {
  const closed = desktop.close();
  await vi.advanceTimersByTimeAsync(10_000);
  await closed;
  vi.useRealTimers();
});

/** The error, or `waiting` while the act still waits. */
function click(args: object, more: Partial<Call> = {}): () => string {
  let state = 'waiting';
  const call = { tool: 'ui_click', args: { settleMs: 20, ...args }, caller: 'mcp:a', ...more };
  perform(desktop, TOOLS, call).then(
    () => (state = 'done'),
    (error: unknown) => (state = error instanceof DesktopError ? error.code : String(error)),
  );
  return () => state;
}
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

/** Something that happens again and again, in steps of 100 ms. */
async function passWith(ms: number, step: () => void): Promise<void> {
  for (let left = ms; left > 0; left -= 100) {
    step();
    await pass(100);
  }
}

const GONE = { target: 'button:Gone', window: 'Form' };

describe('an act on something that does not exist', () => {
  it('fails soon if its window is quiet', async () => {
    const state = click(GONE);
    await pass(700);
    expect(state()).toBe('waiting');
    await pass(1_000);
    expect(state()).toBe('element_not_found');
  });

  it('fails soon if no such window is open', async () => {
    const state = click({ target: 'button:Keep', window: 'Nowhere' });
    await pass(1_700);
    expect(state()).toBe('element_not_found');
  });

  it('is done if the target appears within that time', async () => {
    const state = click(GONE);
    await pass(600);
    fake.controls.addChild('Main', { role: 'button', name: 'Gone' });
    await expect.poll(() => pass(500).then(state)).toBe('done');
  });

  it.each<[string, object, Partial<Call>]>([
    ['a time limit was given', { ...GONE, timeoutMs: 4_000 }, {}],
    ['the call has a time limit', GONE, { timeoutMs: 4_000 }],
    ['the library asks', GONE, { caller: 'library:1' }],
    ['a replay asks', GONE, { caller: 'replay:1' }],
  ])('waits until the limit if %s', async (_, args, more) => {
    const state = click(args, more);
    await pass(3_500);
    expect(state()).toBe('waiting');
    await pass(4_000);
    expect(state()).toBe('element_not_found');
  });

  it('waits while its app is busy, and then fails', async () => {
    load = { 71: 0.9 };
    const state = click(GONE);
    await pass(3_000);
    expect(state()).toBe('waiting');
    load = {};
    await pass(1_000);
    expect(state()).toBe('element_not_found');
  });

  it('waits while its app was started a moment ago', async () => {
    ageMs = 1_000 - performance.now();
    const state = click(GONE);
    await pass(3_500);
    expect(state()).toBe('waiting');
    await pass(1_500);
    expect(state()).toBe('element_not_found');
  });

  it('waits while its window changes', async () => {
    const state = click(GONE);
    await passWith(3_500, () => fake.controls.setName('keep', `Keep ${performance.now()}`));
    expect(state()).toBe('waiting');
    await pass(1_000);
    expect(state()).toBe('element_not_found');
  });

  it('does not wait for another app that is busy and changes', async () => {
    load = { 72: 1 };
    const state = click(GONE);
    await passWith(2_000, () => fake.controls.setName('time', `${performance.now()}`));
    expect(state()).toBe('element_not_found');
  });

  it('waits for any app if no window was named', async () => {
    load = { 72: 1 };
    const state = click({ target: 'button:Gone' });
    await pass(3_500);
    expect(state()).toBe('waiting');
  });

  it('waits for what exists and is not ready', async () => {
    fake.controls.setState('keep', 'enabled', false);
    const state = click({ target: 'button:Keep', window: 'Form' });
    await pass(3_500);
    expect(state()).toBe('waiting');
    fake.controls.setState('keep', 'enabled', true);
    await expect.poll(() => pass(500).then(state)).toBe('done');
  });
});
