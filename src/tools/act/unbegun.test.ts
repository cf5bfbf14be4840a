import { expect, test } from 'vitest';
import { form } from '../../../tests/scenes/accounts.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { MemoryLedger } from '../../audit/index.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Desktop } from '../../runtime/index.js';
import { TOOLS } from '../index.js';

test.each([
  ['what is not there', 'ui_click', { target: 'button:Gone' }, ['call failed element_not_found']],
  ['what is not ready', 'ui_click', { target: 'button:Later' }, ['call failed not_ready']],
  ['an element that is already in this state', 'ui_act', { target: 'checkbox:Terms', action: 'uncheck' }, ['call ok ']],
  ['what was done', 'ui_click', { target: 'button:Create' }, ['intent  ', 'outcome ok ']],
  ['what went wrong', 'ui_click', { target: 'button:Trap' }, ['intent  ', 'outcome failed app_hung']],
])('an act on %s is written down', async (_, tool, args, written) => {
  const ledger = new MemoryLedger();
  const { driver } = fakeDesktop({ windows: [form], hungAfterMs: 50 });
  const desktop = new Desktop({ name: 'desk', kind: 'virtual', driver, ledger });
  await answerTextOf(desktop, TOOLS, tool, { settleMs: 40, timeoutMs: 300, ...args });
  const lines = ledger.records.map((record) => {
    const { status = '', error = '' } = record as { status?: string; error?: string };
    return `${record.kind} ${status} ${error}`;
  });
  expect(lines).toEqual(written);
  await desktop.close();
});
