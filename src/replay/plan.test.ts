import { describe, expect, it } from 'vitest';
import { planReplay, type PlanOptions } from './plan.js';
import { traceOf } from './build-trace.js';
import type { CallStep, Trace } from './trace.js';

const at = '2026-11-15T10:30:45.120Z';
const names = ['target', 'window', 'text', 'value', 'secret', 'verify', 'until', 'keys', 'settleMs', 'redactInLogs'];
const fieldsOf: PlanOptions['fieldsOf'] = (tool) =>
  tool.startsWith('ui_') ? [...names.map((name) => ({ name })), { name: 'button', preset: 'left' }] : undefined;

function traceWith(...steps: Partial<CallStep>[]): Trace {
  const outcome = { seq: 2, at, status: 'ok', delivered: 'yes' as const };
  const all = steps.map((step, index): CallStep => {
    return { number: index + 1, seq: 1, at, kind: 'act', tool: 'ui_click', result: 'ok', outcome, args: {}, ...step };
  });
  return { ...traceOf([]), steps: all };
}

const planOf = (step: Partial<CallStep>) => planReplay(traceWith(step), { fieldsOf })[0];
const save = { role: 'button', name: 'Save', window: 'notes.txt - Mousepad' };

describe('a plan', () => {
  it.each<[string, Partial<CallStep>, Record<string, unknown>]>([
    ['selectors as they were', { args: { target: 'button:Save' } }, { target: 'button:Save' }],
    ['nothing that is preset', { args: { target: '#a', button: 'left' } }, { target: '#a' }],
    [
      'what was found for a ref',
      { args: { target: 'e12', window: 'w3' }, target: save },
      { target: 'window="notes.txt - Mousepad" >> button:"Save"' },
    ],
    [
      'a title for a window',
      { args: { keys: 'ctrl+s', window: 'w3' }, target: save },
      { keys: 'ctrl+s', window: save.window },
    ],
    ['a secret by its name', { tool: 'ui_type', args: { text: '‹secret:mail›' } }, { secret: 'mail' }],
    [
      'time to change something where something changed',
      { args: { target: '#a' }, outcome: { seq: 2, at, status: 'ok', changed: 'yes' } },
      { target: '#a', settleMs: 5_000 },
    ],
    [
      'the time that the caller gave',
      { args: { target: '#a', settleMs: 90 }, outcome: { seq: 2, at, status: 'ok', changed: 'yes' } },
      { target: '#a', settleMs: 90 },
    ],
    ['a wait that held', { kind: 'read', tool: 'ui_wait', args: { until: '#a' } }, { until: '#a' }],
  ])('has %s', (_, step, args) => {
    expect(planOf(step)).toMatchObject({ do: 'again', args });
    expect(planOf(step)).toHaveProperty('args', args);
  });

  it.each<[string, Partial<CallStep>, string, RegExp]>([
    [
      'a text that was left out',
      { args: { text: '‹redacted›' } },
      'cannot',
      /its argument text was redacted in the log/,
    ],
    ['a redacted text', { args: { text: { redacted: true } } }, 'cannot', /its argument text was redacted in the log/],
    [
      'redacted keys',
      { tool: 'ui_key', args: { keys: { redacted: true, others: 'Tab … Enter' } } },
      ...(['cannot', /its argument keys was redacted in the log/] as const),
    ],
    ['a text kept out', { args: { text: 'x', redactInLogs: true } }, 'cannot', /its argument text was kept out/],
    [
      'a text that is cut',
      { args: { text: `${'x'.repeat(193)}…(+907)` } },
      'cannot',
      /its argument text is truncated in the log/,
    ],
    ['a ref of which no more is known', { args: { target: 'e12' } }, 'cannot', /its argument target was "e12", a ref/],
    ['an unsigned act', { unsigned: true }, 'cannot', /its record in the log is not signed/],
    ['an act without an end', { outcome: undefined }, 'cannot', /it is unknown whether it was done/],
    ['an act of no tool', { tool: 'other' }, 'cannot', /this tool does not exist/],
    ['an act without arguments', { args: undefined }, 'cannot', /does not contain its arguments/],
    ['what was refused', { kind: 'refused' }, 'leave out', /it was refused/],
    ['what was asked and not begun', { kind: 'question' }, 'leave out', /never started/],
    ['what was not delivered', { outcome: { seq: 2, at, delivered: 'no', error: 'timeout' } }, 'leave out', /timeout/],
  ])('reports why %s is not repeated', (_, step, verdict, why) => {
    expect(planOf(step)).toMatchObject({ do: verdict, why: expect.stringMatching(why) as string });
  });

  it('leaves out reads and failed checks', () => {
    const looks = traceWith(
      { kind: 'read', tool: 'ui_snapshot' },
      { kind: 'read', tool: 'ui_assert', result: 'failed' },
    );
    expect(planReplay(looks, { fieldsOf })).toEqual([]);
  });

  it('keeps the step numbers of the trace', () => {
    const plan = planReplay(traceWith({}, {}, {}, {}), { fieldsOf, from: 2, to: 3 });
    expect(plan.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('contains the recorded outcome', () => {
    const step = planOf({
      ...{ target: { id: ':1.2/x', ...save }, method: 'pattern', cost: { ms: 41 }, args: { target: '#a' } },
      outcome: { seq: 2, at, status: 'ok', delivered: 'yes', changed: 'yes', postcondition: 'satisfied' },
    });
    expect(step?.then).toEqual({
      ...{ target: save, method: 'pattern', ms: 41 },
      ...{ status: 'ok', delivered: 'yes', changed: 'yes', postcondition: 'satisfied' },
    });
    expect(step?.description).toBe('Click button "Save" in "notes.txt - Mousepad"');
  });
});
