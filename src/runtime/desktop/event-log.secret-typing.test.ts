import { expect, it } from 'vitest';
import { type DesktopEvent, SecretTypingThrottle } from './event-log.js';

type What = DesktopEvent['what'];
function stage() {
  let now = 1_000;
  const once = new SecretTypingThrottle<string>(() => now);
  const says = (what: What, about = 'x', role = 'window'): boolean =>
    once.passes({ at: 0, what, window: { ref: 'w1', role, title: '', app: '' } }, about, `${what} ${about}`);
  return { once, says, later: (ms: number) => void (now += ms) };
}

it('passes everything while no secret is typed', () => {
  const { says } = stage();
  expect([says('changed'), says('changed'), says('title'), says('title')]).toEqual([true, true, true, true]);
});

it.each<[What, string, boolean]>([
  ['changed', 'window', false],
  ['title', 'window', false],
  ['focus', 'window', false],
  ['active', 'window', false],
  ['opened', 'popup', false],
  ['closed', 'popup', false],
  ['opened', 'dialog', true],
  ['closed', 'window', true],
  ['notification', 'window', true],
  ['pause', 'window', true],
  ['lost', 'window', true],
])('passes a second %s event of a %s while a secret is typed: %s', (what, role, again) => {
  const { once, says } = stage();
  once.begin();
  expect(says(what, 'x', role)).toBe(true);
  expect(says(what, 'x', role)).toBe(again);
  // A completion list is a new window each time.
  expect(says(what, 'y', role)).toBe(role !== 'popup');
});

it('returns the final events at the end', () => {
  const { once, says } = stage();
  const end = once.begin();
  for (const about of ['field', 'list', 'field', 'list', 'field']) says('focus', about);
  for (const what of ['title', 'changed', 'title', 'changed'] as const) says(what);
  for (const about of ['a', 'b', 'a', 'c']) says('active', about);
  expect(end()).toEqual(['focus field', 'title x']);
  expect(once.begin()()).toEqual([]);
});

it('passes late changes once more, and everything else as usual', () => {
  const { once, says, later } = stage();
  const end = once.begin();
  says('changed');
  end();
  later(4_999);
  expect([says('changed'), says('changed'), says('title'), says('title')]).toEqual([true, false, true, false]);
  expect([says('focus'), says('focus'), says('opened', 'x', 'popup')]).toEqual([true, true, true]);
  later(1);
  expect([says('changed'), says('changed')]).toEqual([true, true]);
  expect(once.begin()()).toEqual([]);
});

it('throttles until the last of two overlapping secrets is typed', () => {
  const { once, says } = stage();
  const [one, two] = [once.begin(), once.begin()];
  one();
  expect([says('focus'), says('focus')]).toEqual([true, false]);
  two();
  expect([says('focus'), says('focus')]).toEqual([true, true]);
});
