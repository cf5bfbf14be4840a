import { expect, it } from 'vitest';
import { Deadline } from '../../../shared/index.js';
import type { Node } from '../../../tree/index.js';
import { RecentFocus } from './recent-activity.js';

/** Like real messages: the body is read by a method. */
class Message {
  readonly member = 'StateChanged';
  constructor(
    readonly sender: string,
    private readonly parts: unknown[],
    readonly path = '/a',
  ) {}
  body(): unknown[] {
    return this.parts;
  }
}

it('resolves when the app reports a focus after that time', async () => {
  const focus = new RecentFocus();
  const since = performance.now();
  const done = focus.waitForFocus(':1.7', since, Deadline.in(10_000)).then(() => performance.now());
  focus.signal(new Message(':1.8', ['focused', 1]));
  focus.signal(new Message(':1.7', ['focused', 0]));
  focus.signal(new Message(':1.7', ['enabled', 1]));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const reportedAt = performance.now();
  focus.signal(new Message(':1.7', ['focused', 1]));
  expect(await done).toBeGreaterThanOrEqual(reportedAt);
});

it('does not wait forever', async () => {
  await new RecentFocus().waitForFocus(':1.7', performance.now(), Deadline.in(20));
});

it('takes the focus from an element that lost it to another one of its app', () => {
  const focus = new RecentFocus();
  const node: Node = {
    id: ':1.7/a',
    role: 'paragraph',
    patterns: [],
    platformIds: {},
    states: { enabled: true, visible: true, focused: true },
    children: [],
  };
  expect(focus.withoutLost(node)).toBe(node);
  focus.signal(new Message(':1.7', ['focused', 1]));
  focus.signal(new Message(':1.7', ['focused', 0]));
  focus.signal(new Message(':1.8', ['focused', 1], '/b'));
  expect(focus.withoutLost(node)).toBe(node);
  focus.signal(new Message(':1.7', ['focused', 1], '/b'));
  expect(focus.withoutLost(node).states).toEqual({ enabled: true, visible: true });
  focus.signal(new Message(':1.7', ['focused', 1]));
  expect(focus.withoutLost(node)).toBe(node);
});
