import { expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import type { Reader } from '../act/reader.js';
import type { ActionPlan, ActionReport } from '../act/action.js';
import type { ObservedChanges, UiState } from './ui-changes.js';
import { readBackValue } from './read-back.js';

const element = { ref: 'e1', role: 'textbox', states: { editable: true }, children: [] };
const target = { element, path: [], window: { ref: 'w1' } };
const plan = { verb: 'type', target } as unknown as ActionPlan;
const report = { method: 'input', expected: { part: 'hello' } } as unknown as ActionReport;
const before = { snapshot: { roots: [] } } as unknown as UiState;
const outcome = { after: { snapshot: { roots: [] } }, aside: element } as unknown as ObservedChanges;

/** The field holds the beginning; `meanwhile` happens while it is read. */
function readBack(meanwhile: () => void, deadline: Deadline): Promise<unknown> {
  const reader = {
    wholeText: async () => {
      meanwhile();
      return 'he';
    },
    target: async () => target,
  } as unknown as Reader;
  return readBackValue(reader, plan, report, { before, outcome }, deadline, async () => undefined);
}

it('does not report a different value when the user stops during the read-back: the rest may still arrive', async () => {
  const stop = new AbortController();
  const read = readBack(() => stop.abort(), Deadline.in(5_000, stop.signal));
  await expect(read).rejects.toMatchObject({ code: 'cancelled' });
});

it('reports a value that stays different after the time limit', async () => {
  await expect(readBack(() => undefined, Deadline.in(120))).rejects.toMatchObject({ code: 'verify_failed' });
});

it('neither fails nor confirms a combo box that does not expose its selected item', async () => {
  const combo = { ...element, role: 'combobox', states: {} };
  const ofCombo = { verb: 'set_value', target: { ...target, element: combo } } as unknown as ActionPlan;
  const chosen = { method: 'input', expected: { value: 'Gradians' } } as unknown as ActionReport;
  const seen = { before, outcome: { ...outcome, aside: combo } as unknown as ObservedChanges };
  const none = {} as unknown as Reader;
  const read = await readBackValue(none, ofCombo, chosen, seen, Deadline.in(5_000), async () => undefined);
  expect(read).toEqual({ reason: 'the app does not expose which item is selected' });
});

it.each<[number, string, object]>([
  [12.75, '12.75', { same: true }],
  [12.75, '12,75', { same: true }],
  [1234.5, '1,234.5', { same: true }],
  [1234, '1.234', { same: true }],
  [-3, '−3', { same: true }],
  [7, '07:00', { same: true }],
  [12.75, '13', { reason: 'its value is as requested, but it displays "13"' }],
])('compares the value %s and the displayed text %s of a spin button', async (value, shown, result) => {
  const spin = { ...element, role: 'spinbutton', value };
  const reader = { wholeText: async () => shown } as unknown as Reader;
  const seen = { before, outcome: { ...outcome, aside: spin } as unknown as ObservedChanges };
  const set = { method: 'pattern', expected: { value } } as unknown as ActionReport;
  const ofSpin = { verb: 'set_value', target: { ...target, element: spin } } as unknown as ActionPlan;
  expect(await readBackValue(reader, ofSpin, set, seen, Deadline.in(5_000), async () => undefined)).toEqual(result);
});

it.each([
  ['a short text that the snapshot contains exactly', 'Ada', 'Ada', 0],
  ['a different text', 'Ad', 'Ada', 1],
  ['a long text, of which the snapshot has only the beginning', 'x'.repeat(300), 'x'.repeat(300), 1],
])('reads %s again only if needed', async (_, seenValue, value, asks) => {
  let request = 0;
  const reader = {
    wholeText: async () => {
      request += 1;
      return value;
    },
  } as unknown as Reader;
  const field = { ...element, value: seenValue };
  const seen = { before, outcome: { ...outcome, aside: field } as unknown as ObservedChanges };
  const set = { method: 'pattern', expected: { value } } as unknown as ActionReport;
  const ofField = { verb: 'set_value', target } as unknown as ActionPlan;
  const read = await readBackValue(reader, ofField, set, seen, Deadline.in(5_000), async () => undefined);
  expect([read, request]).toEqual([{ same: true }, asks]);
});
