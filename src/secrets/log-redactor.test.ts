import { describe, expect, test } from 'vitest';
// Only here: the ledger asks for this shape.
import type { Redactor } from '../audit/index.js';
import { LogRedactor } from './log-redactor.js';
import { Masks } from './masks.js';
import { TaintTracker } from './taint-tracker.js';

function redactor(): LogRedactor {
  const taint = new TaintTracker();
  taint.typed({ name: 'vpn', value: 'hunter2-hunter', window: 'w1', field: 'f1' });
  taint.typed({ name: 'pin', value: '4937', window: 'w1', title: 'Card', field: 'f2' });
  const made = new LogRedactor(taint, new Masks(['email']));
  made.withhold('dear diary', { window: 'w1' });
  made.withhold('oh', { window: 'Diary' });
  return made;
}

const NAME = ['target', 'name'];

test('keeps a short redacted text out of the log when the window shows it as its title', () => {
  const taint = new TaintTracker();
  const door = new LogRedactor(taint, new Masks([]));
  const logged = (title: string): string => {
    taint.windowTitled('w1', title);
    return door.text(title, { path: ['target', 'window'], window: title });
  };
  expect(taint.needsTitles).toBe(false);
  door.withhold('4711', { window: 'w1', title: 'Echo' });
  expect(taint.needsTitles).toBe(true);
  expect(logged('Echo 4711')).toBe('Echo ‹secret:redactInLogs›');
  expect(logged('Echo 4711 - saved')).toBe('Echo ‹secret:redactInLogs› - saved');
  expect(door.text('it is 4711', { path: NAME, window: 'Echo' })).toBe('it is ‹secret:redactInLogs›');
  expect(door.text('it is 4711', { path: NAME, window: 'Other' })).toBe('it is 4711');
  // As the window is called where a secret was taken out of its title.
  taint.typed({ name: 'vpn', value: 'hunter2-hunter', window: 'w2', field: 'f' });
  taint.windowTitled('w1', 'hunter2-hunter 4711');
  const seen = '‹secret:vpn› 4711';
  expect(door.text(seen, { path: ['target', 'window'], window: seen })).toBe('‹secret:vpn› ‹secret:redactInLogs›');
});

describe('the last step before the ledger', () => {
  const door: Redactor = redactor();
  test.each<[string, string[], string | undefined, string]>([
    ['hunter2-hunter of ann@b.org', NAME, undefined, '‹secret:vpn› of ‹masked:email›'],
    ['Dear Diary!', NAME, undefined, '‹secret:redactInLogs›!'],
    ['PIN 4937', NAME, 'Card', 'PIN ‹secret:pin›'],
    ['PIN 4937', NAME, 'Other', 'PIN 4937'],
    ['4937', NAME, undefined, '4937'],
    ['4937', ['args', 'text'], undefined, '‹secret:pin›'],
    ['oh', ['args', 'steps', '0', 'text'], undefined, '‹secret:redactInLogs›'],
    ['oh', NAME, 'Diary', '‹secret:redactInLogs›'],
    ['oh', NAME, 'Card', 'oh'],
    ['Save', NAME, 'Card', 'Save'],
  ])('%s at %j in %s', (text, path, window, written) => {
    const place = { kind: 'intent' as const, path, ...(window !== undefined && { window }) };
    expect(door.text(text, place)).toBe(written);
    expect(door.text(written, place)).toBe(written);
  });

  test('forgets the texts that callers keep out of logs at the end', () => {
    const made = redactor();
    made.end();
    expect(made.text('dear diary', { path: NAME })).toBe('dear diary');
    expect(made.text('hunter2-hunter', { path: NAME })).toBe('‹secret:vpn›');
  });
});

test('uses new masks after a policy reload', () => {
  const made = new LogRedactor(new TaintTracker(), new Masks([]));
  expect(made.text('write to ada@example.org', { path: NAME })).toBe('write to ada@example.org');
  made.useMasks(new Masks(['email']));
  expect(made.text('write to ada@example.org', { path: NAME })).toBe('write to ‹masked:email›');
});
