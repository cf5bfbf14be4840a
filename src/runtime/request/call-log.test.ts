import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { CallLog } from './call-context.js';

const texts = (log: CallLog): string[] => log.entries.map(({ text }) => text);

it('records a reason once while it lasts, and again when it comes back', () => {
  const log = new CallLog();
  for (const text of ['a', 'a', 'b', 'b', 'a']) log.add('wait', text);
  expect(texts(log)).toEqual(['a', 'b', 'a']);
});

it('keeps the first and the last entries of a long call and counts the rest', () => {
  const log = new CallLog();
  for (let at = 1; at <= 40; at += 1) log.add('step', `n${at}`);
  expect(texts(log)).toHaveLength(25);
  expect(texts(log).slice(0, 9)).toEqual([...[1, 2, 3, 4, 5, 6, 7, 8].map((at) => `n${at}`), '16 entries left out']);
  expect(texts(log).slice(-1)).toEqual(['n40']);
});

it('becomes part of an error and keeps its other details', () => {
  const log = new CallLog();
  const error = new DesktopError('not_ready', 'It is disabled.', { details: { rule: 'x' }, delivered: 'unknown' });
  expect(log.attachTo(error)).toBe(error);
  log.add('wait', 'e1 is disabled');
  expect(log.attachTo(error)).toMatchObject({
    ...{ code: 'not_ready', message: 'It is disabled.', delivered: 'unknown' },
    details: { rule: 'x', log: [{ kind: 'wait', text: 'e1 is disabled' }] },
  });
  const fault = new TypeError('ours');
  expect(log.attachTo(fault)).toBe(fault);
});
