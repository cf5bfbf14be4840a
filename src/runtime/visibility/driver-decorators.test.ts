import { describe, expect, it } from 'vitest';
import { elementOf } from '../../../tests/scenes/aims.js';
import type { Driver, DriverEvent } from '../../drivers/contract/index.js';
import { TaintTracker } from '../../secrets/index.js';
import { Deadline } from '../../shared/index.js';
import type { Node, WindowNode } from '../../tree/index.js';
import { redactingDriver } from './driver-decorators.js';
import { Tabs } from './hidden-tabs.js';

const VALUE = 'correct horse battery';
const MARK = '‹secret:bank›';
const NODE: Node = { ...elementOf({ id: 'label', role: 'label', name: `it is ${VALUE}` }), children: [] };

const WINDOW: WindowNode = {
  ...{ id: 'win', title: `Bank ${VALUE}`, app: 'bank', role: 'window' },
  ...{ visible: true, minimised: false, maximised: false, active: false },
};
const ANSWERS = {
  windows: { windows: [WINDOW] },
  read: { root: NODE, count: 1, calls: 1 },
  found: { window: 'win', path: [NODE] },
  text: { text: `so ${VALUE}`, start: 0, end: 24, total: 24 },
  range: { rows: [NODE], span: [1, 1], total: 1 },
} as const;
const EVENTS: DriverEvent[] = [
  { type: 'notification', at: 0, text: `typed ${VALUE}` },
  { type: 'window', at: 0, window: 'win', change: 'title', title: 'Bank' },
  { type: 'window', at: 0, window: 'win', change: 'closed' },
];

function plain(): Driver {
  const own = { held: 'mine' };
  return {
    describe: () => ({ name: own.held }),
    windows: async () => ANSWERS.windows,
    read: async () => ANSWERS.read,
    atPoint: async () => ANSWERS.found,
    focused: async () => undefined,
    text: async () => ANSWERS.text,
    range: async () => ANSWERS.range,
    events: () => ({
      ready: Promise.resolve(),
      async *[Symbol.asyncIterator]() {
        yield* EVENTS;
      },
    }),
    clipboard: { read: async () => `it is ${VALUE}`, write: async () => undefined },
  } as unknown as Driver;
}

const deadline = Deadline.in(60_000);
const POINT = { x: 0, y: 0 };

function stage({ typed = true, field }: { typed?: boolean; field?: string } = {}) {
  const taint = new TaintTracker();
  if (typed) taint.typed({ name: 'bank', value: VALUE, window: 'win', field: field ?? 'field' });
  const request: string[] = [];
  const driver = redactingDriver(
    plain(),
    taint,
    (element) => (request.push(element), element === 'field' ? 'win' : undefined),
  );
  return { driver, taint, asked: request };
}

describe('before a secret was typed', () => {
  it("returns the driver's own answers", async () => {
    const { driver } = stage({ typed: false });
    expect(await driver.windows({ deadline })).toBe(ANSWERS.windows);
    expect(await driver.read!({ window: 'win' }, { deadline })).toBe(ANSWERS.read);
    expect(await driver.text!('field', { start: 0, end: 9 }, { deadline })).toBe(ANSWERS.text);
    expect(await driver.range!('list', { rows: [1, 1] }, { deadline })).toBe(ANSWERS.range);
    const heard: DriverEvent[] = [];
    for await (const event of driver.events({ signal: AbortSignal.abort() })) heard.push(event);
    expect(heard.every((event, index) => event === EVENTS[index])).toBe(true);
  });
});

describe('a background tab with the title of a hidden window', () => {
  const states = { selected: false } as Node['states'];
  const tab: Node = { ...NODE, role: 'tab', name: 'Bank', states, children: [{ ...NODE, name: 'balance' }] };
  const reading = { ...plain(), read: async () => ({ ...ANSWERS.read, root: tab }) } as Driver;

  it.each([false, true])('is emptied, whether a secret was typed or not (%s)', async (typed) => {
    const taint = new TaintTracker();
    if (typed) taint.typed({ name: 'bank', value: VALUE, window: 'win', field: 'field' });
    const driver = redactingDriver(
      reading,
      taint,
      () => 'win',
      (title) => title === 'Bank',
    );
    const answer = await driver.read!({ window: 'win' }, { deadline });
    expect(answer).toMatchObject({ count: 1, calls: 1, root: { name: 'Bank', children: [] } });
  });
});

it('records the enclosing tabs from every read', async () => {
  const states = { selected: true } as Node['states'];
  const node = (id: string, role: Node['role'], children: Node[] = []): Node => ({
    ...{ ...NODE, id, role, name: id, states, children },
  });
  const tab = node('tab', 'tab', [node('list', 'list')]);
  const looking = {
    ...plain(),
    read: async () => ({ ...ANSWERS.read, root: tab }),
    range: async () => ({ ...ANSWERS.range, rows: [node('row', 'listitem')] }),
    atPoint: async () => ({ window: 'win', path: [node('tab', 'tab'), node('met', 'button')] }),
    focused: async () => ({ window: 'win', path: [node('tab', 'tab'), node('focused', 'button')] }),
  } as unknown as Driver;
  const tabs = new Tabs();
  const driver = redactingDriver(looking, new TaintTracker(), () => 'win', undefined, tabs);
  await driver.read!({ window: 'win' }, { deadline });
  await driver.range!('list', { rows: [1, 1] }, { deadline });
  await driver.atPoint!(POINT, { deadline });
  await driver.focused!({ deadline });
  const around = ['list', 'row', 'met', 'focused'].map((id) => tabs.of(id).map(({ name }) => name));
  expect(around).toEqual([['tab'], ['tab'], ['tab'], ['tab']]);
});

describe('a typed secret', () => {
  it('is redacted in every answer', async () => {
    const { driver } = stage();
    const answers = [
      await driver.windows({ deadline }),
      await driver.read!({ window: 'win' }, { deadline }),
      await driver.read!({ element: 'label' }, { deadline }),
      await driver.atPoint!(POINT, { deadline }),
      await driver.text!('label', { start: 0, end: 99 }, { deadline }),
      await driver.range!('label', { rows: [1, 1] }, { deadline }),
      await driver.clipboard!.read({ deadline }),
    ];
    for (const answer of answers) {
      expect(JSON.stringify(answer)).toContain(MARK);
      expect(JSON.stringify(answer)).not.toContain('horse');
    }
    expect(await driver.focused!({ deadline })).toBeUndefined();
  });

  it('is redacted in events, and forgotten for the fields of a closed window', async () => {
    const { driver, taint } = stage();
    const marks: (string | undefined)[] = [];
    const heard: DriverEvent[] = [];
    for await (const event of driver.events({ signal: AbortSignal.abort() })) {
      heard.push(event);
      marks.push(taint.fieldMark('field'));
    }
    expect(JSON.stringify(heard)).not.toContain('horse');
    expect(heard[0]).toMatchObject({ text: `typed ${MARK}` });
    expect(marks).toEqual([MARK, MARK, undefined]);
  });

  it('is redacted by replacing the whole text of its field', async () => {
    const { driver } = stage();
    const answer = await driver.text!('field', { start: 5, end: 9 }, { deadline });
    expect(answer).toEqual({ text: MARK, start: 0, end: MARK.length, total: MARK.length });
  });

  it('is redacted in a field where it appeared again', async () => {
    const driver = plain();
    const taint = new TaintTracker();
    taint.typed({ name: 'bank', value: VALUE, window: 'win', field: 'field' });
    const knowing = redactingDriver(driver, taint, () => 'win');
    taint.clearField('field');
    driver.text = async () => ({ text: 'me', start: 0, end: 2, total: 2 });
    const read = () => knowing.text!('field', { start: 0, end: 9 }, { deadline });
    expect(await read()).toMatchObject({ text: 'me', total: 2 });
    driver.text = async () => ANSWERS.text;
    expect(await read()).toEqual({ text: MARK, start: 0, end: MARK.length, total: MARK.length });
    driver.text = async () => ({ text: VALUE.split('').join('-'), start: 0, end: 9, total: 9 });
    expect((await read()).text).toBe(MARK);
  });

  it('is redacted in a part of a text, wherever the part begins and ends', async () => {
    const driver = plain();
    const all = `${'x'.repeat(2_000)} so ${VALUE} ends ${'y'.repeat(2_000)}`;
    const spans: [number, number][] = [];
    driver.text = async (_, { start, end }) => {
      const until = Math.min(end, all.length);
      spans.push([start, until]);
      return { text: all.slice(start, until), start, end: until, total: all.length };
    };
    const taint = new TaintTracker();
    taint.typed({ name: 'bank', value: VALUE, window: 'win', field: 'field' });
    const knowing = redactingDriver(driver, taint, () => 'win');
    const read = (start: number, end: number) => knowing.text!('label', { start, end }, { deadline });
    const at = all.indexOf(VALUE);
    // Positions and total are those of the redacted text: they do not depend on the length of the secret.
    const redacted = all.replace(VALUE, MARK);
    for (const [start, end] of [
      [at - 3, at + 4],
      [at + 4, at + 8],
      [at + MARK.length - 2, at + MARK.length + 5],
      [0, 10],
    ] as const)
      expect(await read(start, end)).toEqual({ text: redacted.slice(start, end), start, end, total: redacted.length });
    spans.length = 0;
    expect((await read(0, 9_999)).text).toBe(all.replace(VALUE, MARK));
    expect(spans).toHaveLength(1);
  });

  it('is redacted in a truncated title', async () => {
    const driver = plain();
    driver.windows = async () => ({ windows: [{ ...WINDOW, title: `${'x'.repeat(195)}corre…(+30)` }] });
    const taint = new TaintTracker();
    taint.typed({ name: 'bank', value: VALUE, window: 'win' });
    const { windows } = await redactingDriver(driver, taint, () => 'win').windows({ deadline });
    expect(windows[0]!.title).toMatch(/^x+…\(\+\?\)$/);
  });

  it('is redacted in a copy from an ordinary field, whatever separates its pieces', async () => {
    const driver = plain();
    let held: string | undefined = 'c o r r e c t';
    driver.clipboard!.read = async () => held;
    driver.clipboard!.write = async (text) => void (held = text);
    const taint = new TaintTracker();
    const { clipboard } = redactingDriver(driver, taint, () => undefined);
    const read = () => clipboard!.read({ deadline });
    expect(await read()).toBe('c o r r e c t');
    taint.typed({ name: 'bank', value: VALUE, window: 'win', field: 'field', open: true });
    expect(await read()).toBe(MARK);
    taint.windowGone('win');
    expect(await read()).toBe(MARK);
    await clipboard!.write('mine', { deadline });
    expect(await redactingDriver(driver, taint, () => undefined).clipboard!.read({ deadline })).toBe(MARK);
    expect(await read()).toBe('mine');
    held = 'another copy';
    expect(await read()).toBe(MARK);
    held = undefined;
    expect(await read()).toBeUndefined();
  });

  it('withholds all that its process copies, however short, and guesses of it too', async () => {
    const driver = plain();
    const held: { text: string; owner: { pid?: number; secret?: boolean } | undefined } = {
      text: 'c',
      owner: { pid: 7 },
    };
    driver.windows = async () => ({ windows: [WINDOW, { ...WINDOW, id: 'other', pid: 8 }] });
    driver.clipboard!.read = async () => held.text;
    driver.clipboard!.write = async (text) => void Object.assign(held, { text, owner: undefined });
    driver.clipboard!.owner = async () => held.owner;
    const taint = new TaintTracker();
    const clipboard = redactingDriver(driver, taint, () => undefined).clipboard!;
    const read = () => clipboard.read({ deadline });
    taint.typed({ name: 'bank', value: VALUE, window: 'win', field: 'password', pid: 7 });
    expect(await read()).toBe(MARK);
    await clipboard.write('c', { deadline });
    expect(await read()).toBe('c');
    held.owner = { pid: 7 };
    expect(await read()).toBe(MARK);
    held.owner = { pid: 8 };
    expect(await read()).toBe('c');
    // A clipboard manager has no window, and an unknown owner may be the app.
    for (const owner of [{ pid: 9 }, {}]) expect(await ((held.owner = owner), read())).toBe(MARK);
  });

  it('is not needed to withhold what an app marks as a password', async () => {
    const driver = plain();
    driver.clipboard!.read = async () => 'generated';
    driver.clipboard!.owner = async () => ({ pid: 8, secret: true });
    const clipboard = redactingDriver(driver, new TaintTracker(), () => undefined).clipboard!;
    expect(await clipboard.read({ deadline })).toBe('‹secret:clipboard›');
  });

  it('is not invented for an empty clipboard', async () => {
    const driver = plain();
    driver.clipboard!.read = async () => undefined;
    const taint = new TaintTracker();
    taint.typed({ name: 'bank', value: VALUE, window: 'win' });
    expect(await redactingDriver(driver, taint, () => undefined).clipboard!.read({ deadline })).toBeUndefined();
  });
});

it('redacts a short secret only in its window, which it looks up by element', async () => {
  const taint = new TaintTracker();
  taint.typed({ name: 'pin', value: 'q7z', window: 'win', title: 'Bank', field: 'field' });
  const driver = plain();
  const root: Node = { ...NODE, name: 'code q7z' };
  driver.read = async () => ({ ...ANSWERS.read, root });
  driver.windows = async () => ({ windows: [{ ...WINDOW, title: 'Other title' }] });
  const knowing = redactingDriver(driver, taint, (element) => (element === 'label' ? 'win' : 'elsewhere'));
  const nameOf = async (scope: Parameters<NonNullable<Driver['read']>>[0]): Promise<string | undefined> =>
    (await knowing.read!(scope, { deadline })).root.name;
  expect(await nameOf({ element: 'label' })).toBe('code ‹secret:pin›');
  expect(await nameOf({ element: 'there' })).toBe('code q7z');
  expect(await nameOf({ window: 'win' })).toBe('code ‹secret:pin›');
  expect(await nameOf({ window: 'elsewhere' })).toBe('code q7z');
  // The log identifies windows by their titles.
  expect(taint.redactText('code q7z', { window: 'Other title' })).toBe('code q7z');
  await knowing.windows({ deadline });
  expect(taint.redactText('code q7z', { window: 'Other title' })).toBe('code ‹secret:pin›');
});

describe('everything else', () => {
  it('passes methods through, bound to the driver, and adds none', () => {
    class Own {
      readonly #name = 'own';
      name(): string {
        return this.#name;
      }
      toString(): string {
        return this.#name;
      }
    }
    const driver = redactingDriver(new Own() as unknown as Driver, new TaintTracker(), () => undefined);
    const own = driver as unknown as Own;
    expect([own.name(), own.toString()]).toEqual(['own', 'own']);
    expect(Reflect.get(driver, 'text')).toBeUndefined();
    expect(driver.clipboard).toBeUndefined();
    expect(stage().driver.input).toBeUndefined();
  });

  it('gives a replaced method precedence', async () => {
    const { driver } = stage();
    const raw = { windows: [WINDOW] };
    driver.windows = async () => raw;
    expect(await driver.windows({ deadline })).toBe(raw);
    Object.defineProperty(driver, 'read', { value: async () => ANSWERS.read });
    expect(await driver.read!({ window: 'win' }, { deadline })).toBe(ANSWERS.read);
  });
});
