import { afterEach, beforeEach, expect, it } from 'vitest';
import { officeSpec } from '../../../tests/scenes/office.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, REDACTED } from '../../policy/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import { Desktop } from '../desktop/desktop.js';
import { perform } from '../call/perform.js';
import { checkStop } from './audit-record.js';

let ledger: MemoryLedger;
let desktop: Desktop;
beforeEach(() => {
  ledger = new MemoryLedger();
  const policy = compilePolicy({}, 'virtual');
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fakeDesktop(officeSpec()).driver, policy, ledger });
});
afterEach(() => desktop.close());

const CALLER = { surface: 'mcp', session: 'mcp:a' };
const refused = (tool: string, args: unknown): Promise<unknown> =>
  perform(desktop, TOOLS, { tool, args, caller: 'mcp:a' }).then(
    () => 'done',
    (error: unknown) => error,
  );

it.each<[string, string, unknown, object]>([
  ['a read', 'ui_list_windows', {}, { args: {} }],
  ['an act', 'ui_click', { target: 'e7' }, { args: { target: 'e7' } }],
  ['a text', 'ui_type', { target: 'e7', text: 'hunter2' }, { args: { target: 'e7', text: REDACTED } }],
  ['several', 'ui_batch', { steps: [{ tool: 'ui_type', text: 'hunter2' }] }, { args: {} }],
  ['what cannot be read', 'ui_click', { traget: 'hunter2' }, { args: {} }],
])('after a stop %s is refused, and that stands in the log', async (_, tool, args, written) => {
  await desktop.stop('the user stopped it');
  const before = ledger.records.length;
  expect(await refused(tool, args)).toMatchObject({ code: 'policy_denied', details: { rule: 'stop' } });
  const record = { kind: 'call', tool, status: 'refused', error: 'policy_denied', caller: CALLER, ...written };
  expect(ledger.records.slice(before)).toMatchObject([{ ...record, decision: { answer: 'deny', rule: 'stop' } }]);
  expect(JSON.stringify(ledger.records)).not.toContain('hunter2');
});

it('after a stop a tool that is not there is refused, and is nothing to write down', async () => {
  await desktop.stop('the user stopped it');
  const before = ledger.records.length;
  expect(await refused('ui_nothing', {})).toMatchObject({ code: 'policy_denied' });
  expect(ledger.records).toHaveLength(before);
});

it('what may always be asked is answered after a stop, and everything before it', async () => {
  expect(await refused('ui_list_windows', {})).toBe('done');
  await desktop.stop('the user stopped it');
  expect(await refused('ui_capabilities', {})).toBe('done');
});

it('a record that cannot be written is reported', async () => {
  await desktop.stop('the user stopped it');
  ledger.call = () => Promise.reject(new DesktopError('audit_unavailable', 'The disk is full.'));
  expect(await refused('ui_list_windows', {})).toMatchObject({ code: 'audit_unavailable', delivered: 'no' });
});

it('an act that was logged as refused is not performed, also if the user resumes meanwhile', async () => {
  await desktop.stop('the user stopped it');
  ledger.call = async () => void desktop.emergencyStop.release();
  expect(await refused('ui_list_windows', {})).toMatchObject({ code: 'policy_denied' });
  expect(await refused('ui_list_windows', {})).toBe('done');
});

it('a fault of ours is no answer', async () => {
  await desktop.stop('the user stopped it');
  const input = {
    get shape(): never {
      throw new TypeError('ours');
    },
  };
  const tools = [{ name: 'ui_x', class: 'read', traits: {}, input }] as unknown as Parameters<typeof checkStop>[1];
  await expect(checkStop(desktop, tools, { tool: 'ui_x', caller: 'mcp:a' })).rejects.toThrow('ours');
});
