import { afterEach, beforeEach, expect, it } from 'vitest';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Deadline } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from '../call/perform.js';
import { CallView } from './call-view.js';
import { countingDriver } from './driver-decorators.js';

let desktop: Desktop;
let ledger: MemoryLedger;
beforeEach(() => {
  ledger = new MemoryLedger();
  const bounds = { x: 0, y: 0, width: 200, height: 200 };
  const children = [{ role: 'button' as const, name: 'Go', key: 'go' }];
  const { driver } = fakeDesktop({ windows: [{ key: 'notes', title: 'Notes', app: 'notes', bounds, children }] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver, ledger, policy: compilePolicy({}, 'virtual') });
});
afterEach(() => desktop.close());

interface Written {
  kind: string;
  cost?: { ms: number; driverCalls?: number };
}
const last = (): Written => ledger.records.at(-1) as Written;

it('counts calls to the driver and its parts, but not to describe', async () => {
  const seen = new CallView(desktop);
  seen.driver.describe();
  expect(seen.cost.driverCalls).toBe(0);
  await seen.driver.focused?.({ deadline: Deadline.in(5_000) });
  await seen.driver.clipboard?.read({ deadline: Deadline.in(5_000) });
  expect(seen.cost.driverCalls).toBe(2);
  expect(new CallView(desktop).cost.driverCalls).toBe(0);
});

it('passes through a property that is neither a method nor a part, and a part that is missing', () => {
  const lost = Promise.resolve('gone');
  const { driver } = desktop;
  const bare = new Proxy(driver, {
    get: (_, key) => (key === 'lost' ? lost : key === 'input' ? undefined : (Reflect.get(driver, key) as unknown)),
  });
  const counted = countingDriver(bare, { driverCalls: 0 });
  expect(counted.lost).toBe(lost);
  expect(counted.input).toBeUndefined();
});

it('records the driver calls of a read', async () => {
  await perform(desktop, TOOLS, { tool: 'ui_snapshot', args: {}, caller: 'mcp:a' });
  const { kind, cost } = last();
  expect(kind).toBe('call');
  expect(cost!.driverCalls).toBeGreaterThanOrEqual(2);
  expect(cost!.ms).toBeGreaterThanOrEqual(0);
});

it('records the driver calls of an act in its outcome', async () => {
  await perform(desktop, TOOLS, { tool: 'ui_click', args: { target: 'button:Go' }, caller: 'mcp:a' });
  expect(last().kind).toBe('outcome');
  expect(last().cost!.driverCalls).toBeGreaterThanOrEqual(3);
});
