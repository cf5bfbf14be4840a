import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { MemoryLedger } from '../audit/index.js';
import { fakeDesktop, type FakeDesktop } from '../drivers/fake/index.js';
import { compilePolicy } from '../policy/index.js';
import { TaintTracker } from '../secrets/index.js';
import { Deadline, DesktopError } from '../shared/index.js';
import { Desktop } from './desktop/desktop.js';
import { perform, type Call, type Performed } from './call/perform.js';
import { READ_TRAITS } from './request/tool-traits.js';
import { UNLISTED } from '../../tests/scenes/calls.js';
import { defineBatch, defineTool, type Tool } from './call/tool.js';

// What the doorway itself holds, whatever the tools behind it do.

const VALUE = 'correct horse battery';

let run: () => Promise<{ said: string }>;
let ran: number;
const traits = { ...READ_TRAITS, place: 'any-window' } as const;
const face = { ...UNLISTED, description: 'As given.', traits, timeoutMs: 5_000, input: z.object({}) } as const;
const say = { run: () => ((ran += 1), run()), text: ({ said }: { said: string }) => said };
const TOOLS: Tool[] = [
  defineTool({ ...face, ...say, name: 'ui_say', class: 'read' }),
  defineTool({ ...face, ...say, name: 'ui_blind', class: 'read', blind: true }),
  defineBatch({
    ...{ ...face, name: 'ui_batch', class: 'act', input: z.object({ steps: z.array(z.string()) }) },
    steps: ({ steps }) => steps.map((tool) => ({ tool, args: {} })),
    text: ({ done }) => done.map(({ text }) => text).join(' '),
  }),
];

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let taint: TaintTracker;
beforeEach(() => {
  fake = fakeDesktop({ windows: [{ key: 'page', title: 'Start page', app: 'browser' }] });
  ledger = new MemoryLedger();
  taint = new TaintTracker();
  const policy = compilePolicy({}, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger, secrecy: { taint } });
  ran = 0;
  run = async () => ({ said: 'hello' });
});
afterEach(() => desktop.close());

const call = (tool: string, more: Partial<Call> = {}): Promise<Performed> =>
  perform(desktop, TOOLS, { tool, caller: 'me', ...more });
const failed = (tool: string, more?: Partial<Call>): Promise<unknown> =>
  call(tool, more).then(
    () => undefined,
    (error: unknown) => error,
  );

describe('what was typed', () => {
  beforeEach(() => taint.typed({ name: 'bank', value: VALUE, window: 'win' }));

  it('leaves by no answer', async () => {
    run = async () => ({ said: `it is ${VALUE}` });
    expect(await call('ui_say')).toEqual({
      ...{ text: 'it is ‹secret:bank›', json: { schema: 1, said: 'it is ‹secret:bank›' } },
    });
  });

  it('leaves by no error; a fault of ours comes out as what it is', async () => {
    run = () => Promise.reject(new DesktopError('timeout', `Waited for ${VALUE}.`));
    expect(await failed('ui_say')).toMatchObject({ code: 'timeout', message: 'Waited for ‹secret:bank›.' });
    const fault = new TypeError('ours');
    run = () => Promise.reject(fault);
    expect(await failed('ui_say')).toBe(fault);
  });
});

describe('the record of a read', () => {
  const coded = Object.assign(new Error('theirs'), { code: 'audit_unavailable' });
  it.each<[string, Error | undefined, Partial<Call>, unknown[]]>([
    ['that came about', undefined, {}, ['ok']],
    ['that failed', new DesktopError('timeout', 'Too long.'), {}, ['failed']],
    ['that broke', new Error('ours'), {}, ['failed']],
    ['that broke with an error code from a library', coded, {}, ['failed']],
  ])('%s', async (_, error, more, lines) => {
    if (error) run = () => Promise.reject(error);
    expect(await failed('ui_say', more)).toBe(error);
    expect(ledger.records.map((record) => (record as { status?: string }).status)).toEqual(lines);
  });

  it('that cannot be written is an error, and not tried a second time', async () => {
    let tried = 0;
    ledger.call = () => {
      tried += 1;
      return Promise.reject(new Error('disk full'));
    };
    expect(await failed('ui_say')).toMatchObject({ code: 'audit_unavailable' });
    expect(tried).toBe(1);
  });
});

describe('titles are checked after each read', () => {
  const turning = (times: number) => async (): Promise<{ said: string }> => {
    fake.controls.setTitle('page', 'Start page');
    await desktop.listWindows(Deadline.in(5_000));
    if (ran <= times) fake.controls.setTitle('page', 'Online Banking');
    return { said: `read ${ran}` };
  };

  it('reads again when a window became hidden', async () => {
    run = turning(1);
    expect((await call('ui_say')).text).toBe('read 2');
  });

  it('until it is refused', async () => {
    run = turning(100);
    expect(await failed('ui_say')).toMatchObject({ code: 'policy_denied' });
    expect(ran).toBe(4);
  });

  it('after a failure too: its words may be of that', async () => {
    run = async () => {
      await turning(1)();
      if (ran === 1) throw new DesktopError('element_not_found', 'No 4,711.00 there.');
      return { said: 'nothing' };
    };
    expect((await call('ui_say')).text).toBe('nothing');
    run = () => Promise.reject(new DesktopError('element_not_found', 'Not there.'));
    expect(await failed('ui_say')).toMatchObject({ message: 'Not there.' });
  });

  it('and a failure at a later read keeps its own message', async () => {
    run = async () => {
      if (ran > 1) throw new DesktopError('element_not_found', 'Not there.');
      return turning(1)();
    };
    expect(await failed('ui_say')).toMatchObject({ message: 'Not there.' });
  });

  it('also after the deadline: the answer reports what happened', async () => {
    run = () => new Promise(() => undefined);
    const message = expect.stringMatching(/^ui_say\b/) as string;
    expect(await failed('ui_say', { timeoutMs: 20 })).toMatchObject({ code: 'timeout', message });
  });

  it('within the time of the call', async () => {
    const windows = vi.spyOn(fake.driver, 'windows');
    await call('ui_say', { timeoutMs: 500 });
    expect(windows.mock.lastCall![0].deadline.remaining()).toBeLessThanOrEqual(500);
  });

  it('not if no window is read', async () => {
    const windows = vi.spyOn(fake.driver, 'windows');
    await call('ui_say');
    expect(windows).toHaveBeenCalled();
    windows.mockClear();
    await call('ui_blind');
    expect(windows).not.toHaveBeenCalled();
  });
});

describe('a batch', () => {
  it('is one call a step, and none when a step is not known', async () => {
    expect((await call('ui_batch', { args: { steps: ['ui_say', 'ui_blind'] } })).text).toBe('hello hello');
    expect(ledger.records).toHaveLength(2);
    ran = 0;
    expect(await failed('ui_batch', { args: { steps: ['ui_say', 'ui_nothing'] } })).toMatchObject({
      code: 'bad_arguments',
    });
    expect(ran).toBe(0);
  });

  it('ends with its time, between steps', async () => {
    run = () => new Promise((resolve) => setTimeout(() => resolve({ said: 'late' }), 60));
    const error = await failed('ui_batch', { args: { steps: ['ui_say', 'ui_say', 'ui_say'] }, timeoutMs: 30 });
    expect(error).toMatchObject({ code: 'timeout' });
    expect(ran).toBe(1);
  });
});

it('each call continues the watch for user activity, and marks which events its caller has got', async () => {
  const works = vi.spyOn(desktop.user, 'noteAgentActivity');
  const ended = vi.spyOn(desktop.events, 'callEnded');
  await call('ui_say');
  run = () => Promise.reject(new Error('ours'));
  await failed('ui_say');
  expect([works.mock.calls.length, ended.mock.calls]).toEqual([2, [['me'], ['me']]]);
});

it('a tool that is like none has no guess', async () => {
  expect(await failed('elephant')).toMatchObject({ hint: 'Available tools: ui_say, ui_blind, ui_batch.' });
});
