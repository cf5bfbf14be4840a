import { describe, expect, it } from 'vitest';
import { DesktopError } from '../shared/index.js';
import { compareOutcomes, outcomeOf, targetDifferences, type Difference } from './compare.js';
import type { StepOutcome } from './plan.js';

const done: StepOutcome = {
  target: { role: 'button', name: '7', window: 'Calculator' },
  ...{ method: 'pattern', status: 'ok', changed: 'yes', delivered: 'yes', ms: 41 },
};
const answer = {
  ...{ status: 'ok', changed: 'yes', delivered: 'yes', method: 'pattern', window: 'w1', durationMs: 38 },
  resolvedTarget: { ref: 'e4', role: 'button', name: '7', window: 'w1' },
};
const titleOf = (ref: string): string | undefined => (ref === 'w1' ? 'Calculator' : undefined);

describe('outcomeOf', () => {
  it('returns the fields that the log records', () => {
    expect(outcomeOf(answer, titleOf)).toEqual({ ...done, ms: 38 });
  });

  it('omits the window when its title is unknown', () => {
    expect(outcomeOf(answer).target).toEqual({ role: 'button', name: '7' });
  });

  it('treats a check without a status as ok', () => {
    expect(outcomeOf({ satisfied: true, seen: {} })).toEqual({ status: 'ok' });
  });

  it('returns the error code and the partial result of an error', () => {
    const none = new DesktopError('element_not_found', 'x');
    expect(outcomeOf(none)).toEqual({ status: 'failed', error: 'element_not_found', delivered: 'no' });
    const unmet = new DesktopError('verify_failed', 'x', { delivered: 'yes', details: { result: answer } });
    expect(outcomeOf(unmet, titleOf)).toMatchObject({
      ...{ error: 'verify_failed', postcondition: 'unsatisfied', method: 'pattern', target: done.target },
    });
  });
});

describe('a step', () => {
  it('with the same result has no difference, whatever its duration', () => {
    expect(compareOutcomes(done, { ...done, ms: 9_000 })).toEqual({ differences: [], better: [] });
  });

  it.each<[string, Partial<StepOutcome>, Partial<StepOutcome>, Difference]>([
    ['another role', {}, { target: { ...done.target, role: 'link' } }, { what: 'role', then: 'button', now: 'link' }],
    ['another name', {}, { target: { ...done.target, name: '8' } }, { what: 'name', then: '7', now: '8' }],
    ['no name', {}, { target: { role: 'button' } }, { what: 'name', then: '7', now: 'none' }],
    [
      'another window',
      {},
      { target: { ...done.target, window: 'Notes' } },
      { what: 'window', then: 'Calculator', now: 'Notes' },
    ],
    ['another way', {}, { method: 'input' }, { what: 'method', then: 'pattern', now: 'input' }],
    ['no change now', {}, { changed: 'no' }, { what: 'changed', then: 'yes', now: 'no' }],
    ['a change that is unknown now', {}, { changed: 'unknown' }, { what: 'changed', then: 'yes', now: 'unknown' }],
    ['nothing to be done now', {}, { delivered: 'no' }, { what: 'delivered', then: 'yes', now: 'no' }],
    ['another status', {}, { status: 'unconfirmed' }, { what: 'status', then: 'ok', now: 'unconfirmed' }],
    ['an error', {}, { error: 'timeout', target: undefined }, { what: 'status', then: 'ok', now: 'timeout' }],
    [
      'another error',
      { error: 'verify_failed' },
      { error: 'timeout', target: undefined },
      { what: 'status', then: 'verify_failed', now: 'timeout' },
    ],
    [
      'a check that fails',
      { postcondition: 'satisfied' },
      { postcondition: 'unsatisfied' },
      { what: 'verify', then: 'satisfied', now: 'unsatisfied' },
    ],
  ])('with %s differs', (_, then, now, difference) => {
    expect(compareOutcomes({ ...done, ...then }, { ...done, ...now })).toEqual({
      differences: [difference],
      better: [],
    });
  });

  it.each<[string, Partial<StepOutcome>, Partial<StepOutcome>, Difference['what'][]]>([
    ['changed nothing then', { changed: 'no', status: 'no change' }, {}, ['status', 'changed']],
    ['was unknown then', { changed: 'unknown' }, { changed: 'no' }, ['changed']],
    ['failed then', { error: 'verify_failed', status: 'failed' }, {}, ['status']],
    ['may have been sent then', { delivered: 'unknown' }, {}, ['delivered']],
  ])('that %s and succeeds now is reported as better, not as a difference', (_, then, now, better) => {
    const compared = compareOutcomes({ ...done, ...then }, { ...done, ...now });
    expect(compared.differences).toEqual([]);
    expect(compared.better.map(({ what }) => what)).toEqual(better);
  });
});

describe('a recorded name', () => {
  it.each<[string, string, string, boolean]>([
    ['the same', 'Save', 'Save', true],
    ['cut there', 'A long na…(+20)', 'A long name that goes on', true],
    ['cut there, and another', 'A long na…(+20)', 'A longer name', false],
    ['left out there', '‹redacted›', 'anything', true],
    ['one that ends so by itself', 'Open…', 'Open recent', false],
  ])('that is %s', (_, then, now, same) => {
    expect(targetDifferences({ name: then }, { name: now })).toHaveLength(same ? 0 : 1);
  });
});
