import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type Controls, type WidgetSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import type { Node } from '../../tree/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from '../call/perform.js';
import { isInHiddenTab, Tabs } from './hidden-tabs.js';

const PROJECT: PolicyFile = { version: 1, windows: { block: ['*Diary*'] } };

const page = (name: string, selected = false): WidgetSpec => ({
  ...{ role: 'tab', name, key: `tab ${name}`, states: { selected } },
  children: [
    { role: 'textbox', name: `field of ${name}`, key: `field of ${name}`, value: `value of ${name}` },
    { role: 'button', name: `press ${name}` },
  ],
});

let desktop: Desktop;
let controls: Controls;
beforeEach(() => {
  const bounds = { x: 0, y: 0, width: 400, height: 300 };
  const tabs = { role: 'tablist' as const, children: [page('Plain', true), page('Banking'), page('Diary')] };
  const fake = fakeDesktop({ hungAfterMs: 50, windows: [{ title: 'Tabs', app: 'tabs', bounds, children: [tabs] }] });
  ({ controls } = fake);
  desktop = new Desktop({
    ...{ name: 'desk', kind: 'virtual', driver: fake.driver, policy: compilePolicy({}, 'virtual') },
    inProject: (directory) =>
      directory === '/project'
        ? { rules: compilePolicy({ callerProject: PROJECT }, 'virtual'), changed: () => [] }
        : undefined,
  });
});
afterEach(() => desktop.close());

async function said(directory: string | undefined, tool: string, args: object = {}): Promise<string> {
  try {
    return (await perform(desktop, TOOLS, { tool, args, directory, caller: directory ?? 'other' })).text;
  } catch (error) {
    if (error instanceof DesktopError) return `${error.code}: ${error.message} ${error.hint ?? ''}`;
    throw error;
  }
}
const SNAPSHOT = { window: 'Tabs', full: true };
const refOf = (text: string, name: string): string => new RegExp(`(e\\d+) \\w+ "${name}"`).exec(text)![1]!;

describe('a background tab with the title of a window that a project hides', () => {
  it("is empty in snapshots and queries of the project's callers, and complete for others", async () => {
    expect(await said(undefined, 'ui_snapshot', SNAPSHOT)).toMatch(/value of Diary[^]*press Diary/);
    const text = await said('/project', 'ui_snapshot', SNAPSHOT);
    expect(text).toMatch(/tab .*"Diary"/);
    expect(text).toContain('value of Plain');
    expect(text).not.toMatch(/(of|press) (Diary|Banking)/);
    expect(await said('/project', 'ui_query', { target: 'button:"press Diary"' })).toMatch(/^element_not_found/);
    expect(await said(undefined, 'ui_query', { target: 'button:"press Diary"' })).toMatch(/^1 match/);
    const wait = { condition: { exists: 'button:"press Diary"' }, timeoutMs: 0 };
    expect(await said('/project', 'ui_wait', wait)).not.toMatch(/^(ok|satisfied)/);
  });

  it('is not readable through refs that other callers received', async () => {
    const whole = await said(undefined, 'ui_snapshot', SNAPSHOT);
    const [field, button] = [refOf(whole, 'field of Diary'), refOf(whole, 'press Diary')];
    for (const [tool, args] of [
      ['ui_read', { target: field }],
      ['ui_describe', { target: field }],
      ['ui_snapshot', { target: field, full: true }],
      ['ui_click', { target: button }],
      ['ui_set_value', { target: field, value: 'mine' }],
      ['ui_wait', { condition: { text: field, contains: 'value' }, timeoutMs: 0 }],
    ] as const) {
      const answer = await said('/project', tool, args);
      expect(answer, tool).not.toMatch(/(value|field) of Diary|press Diary/);
    }
    expect(await said('/project', 'ui_read', { target: field })).toMatch(/^policy_denied: .* hides/);
    controls.remove('field of Diary');
    expect(await said('/project', 'ui_read', { target: field })).toMatch(/^policy_denied: .* hides/);
    expect(await said('/project', 'ui_query', { target: `${field} >> button` })).not.toContain('of Diary');
    expect(await said(undefined, 'ui_read', { target: field })).toContain('field of Diary');
  });

  it('is not reported as removed since a snapshot of another caller', async () => {
    const id = /\bs\d+\b/.exec(await said(undefined, 'ui_snapshot', SNAPSHOT))![0];
    expect(await said('/project', 'ui_snapshot', { ...SNAPSHOT, since: id })).not.toMatch(/(of|press) Diary/);
    const field = refOf(await said(undefined, 'ui_snapshot', SNAPSHOT), 'field of Diary');
    const part = /\bs\d+\b/.exec(await said(undefined, 'ui_snapshot', { target: field }))![0];
    expect(await said('/project', 'ui_snapshot', { ...SNAPSHOT, since: part })).toMatch(/^element_not_found/);
  });

  it('sends no events while it is in the background', async () => {
    await said(undefined, 'ui_snapshot', SNAPSHOT);
    const heard = async (directory?: string): Promise<string> => {
      await new Promise((resolve) => setImmediate(resolve));
      return said(directory, 'ui_events');
    };
    for (const from of ['/project', undefined]) await heard(from);
    controls.setValue('field of Diary', 'changed now');
    expect(await heard(undefined)).toContain('field of Diary');
    expect(await heard('/project')).not.toContain('Diary');
    controls.setState('tab Diary', 'selected', true);
    controls.setValue('field of Diary', 'seen by everyone');
    expect(await heard('/project')).toContain('field of Diary');
    controls.setState('tab Diary', 'selected', false);
    controls.setValue('field of Diary', 'hidden again');
    expect(await heard('/project')).not.toContain('Diary');
  });

  it('is readable while it is in front, also by ref, and not afterwards', async () => {
    controls.setState('tab Diary', 'selected', true);
    const field = refOf(await said('/project', 'ui_snapshot', SNAPSHOT), 'field of Diary');
    expect(await said('/project', 'ui_read', { target: field })).toContain('value of Diary');
    controls.setState('tab Diary', 'selected', false);
    expect(await said('/project', 'ui_read', { target: field })).toMatch(/^policy_denied/);
    controls.setState('tab Diary', 'selected', true);
    expect(await said('/project', 'ui_read', { target: field })).toContain('value of Diary');
  });
});

it('refuses refs into a background tab that is hidden from everyone, also refs given while it was in front', async () => {
  controls.setState('tab Banking', 'selected', true);
  const field = refOf(await said(undefined, 'ui_snapshot', SNAPSHOT), 'field of Banking');
  controls.setState('tab Banking', 'selected', false);
  await said(undefined, 'ui_events');
  controls.setValue('field of Banking', 'changed now');
  await new Promise((resolve) => setImmediate(resolve));
  expect(await said(undefined, 'ui_events')).not.toContain('field of Banking');
  expect(await said(undefined, 'ui_read', { target: field })).toMatch(/^policy_denied/);
});

describe('the enclosing tabs of elements', () => {
  const node = (id: string, role: string, children: Node[] = [], selected = false): Node =>
    ({ id, role, name: id, states: { selected }, children }) as unknown as Node;
  const names = (tabs: Tabs, id: string): string[] => tabs.of(id).map(({ name, front }) => `${name} ${front}`);

  it('are known from the snapshot that contained them, also for parts that are read later', () => {
    const tabs = new Tabs();
    tabs.record(node('root', 'window', [node('outer', 'tab', [node('inner', 'tab', [node('x', 'list')], true)])]));
    expect(names(tabs, 'x')).toEqual(['outer false', 'inner true']);
    expect(names(tabs, 'inner')).toEqual(['outer false']);
    expect(names(tabs, 'root')).toEqual([]);
    tabs.record(node('x', 'list', [node('y', 'listitem')]));
    tabs.recordRows('x', [node('z', 'listitem')]);
    tabs.record(node('inner', 'tab'));
    for (const id of ['x', 'y', 'z']) expect(names(tabs, id), id).toEqual(['outer false', 'inner false']);
    tabs.setFront('outer', true);
    expect(names(tabs, 'y')).toEqual(['outer true', 'inner false']);
  });

  it('change when the element moves to another tab, and end when it leaves all tabs', () => {
    const tabs = new Tabs();
    tabs.record(node('root', 'window', [node('a', 'tab', [node('x', 'text'), node('y', 'text')])]));
    tabs.record(node('root', 'window', [node('b', 'tab', [node('x', 'text')]), node('y', 'text')]));
    expect(names(tabs, 'x')).toEqual(['b false']);
    expect(names(tabs, 'y')).toEqual([]);
  });

  it('are bounded: the least recently seen are dropped', () => {
    const tabs = new Tabs(2);
    for (const id of ['x', 'y', 'x', 'z']) tabs.record(node('root', 'window', [node('a', 'tab', [node(id, 'text')])]));
    expect(['x', 'y', 'z'].map((id) => names(tabs, id).length)).toEqual([1, 0, 1]);
  });
});

it('uses the last known state of a tab when its app does not answer', async () => {
  const field = refOf(await said(undefined, 'ui_snapshot', SNAPSHOT), 'field of Diary');
  controls.hang('Tabs');
  expect(await said('/project', 'ui_read', { target: field })).toMatch(/^policy_denied/);
  controls.resume('Tabs');
  expect((await desktop.listWindows(Deadline.in(5_000))).windows).toHaveLength(1);
});

it('ignores that an unknown tab came to the front', () => {
  const tabs = new Tabs();
  tabs.setFront('unknown', true);
  expect(tabs.of('unknown')).toEqual([]);
});

it.each<[string, Error | undefined, boolean | string]>([
  ['by its state now', undefined, true],
  ['by its last state when it is gone', new DesktopError('stale_ref', 'gone'), false],
  ['and rethrows an error that is not a DesktopError', new TypeError('ours'), 'ours'],
])('decides whether an element is in a hidden tab %s', async (_, error, answer) => {
  const tabs = new Tabs();
  const tab = { id: 'tab', role: 'tab', name: 'Diary', states: { selected: true } };
  const inside = { id: 'inside', role: 'button', name: 'x', states: {}, children: [] };
  tabs.record({ ...tab, children: [inside] } as unknown as Node);
  const read = async (): Promise<void> => {
    if (error) throw error;
    tabs.setFront('tab', false);
  };
  const blocks = (title: string): boolean => title === 'Diary';
  const hidesInTab = (id: string): boolean => tabs.of(id).some(({ name, front }) => !front && blocks(name));
  const asking = isInHiddenTab({ tabs, driver: { read }, blocks, hidesInTab } as never, 'inside', Deadline.in(1_000));
  expect(await asking.catch((failure: Error) => failure.message)).toBe(answer);
});
