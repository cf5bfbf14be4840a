import { expect, it } from 'vitest';
import { Deadline } from '../../../shared/index.js';
import { FocusNews } from './recent-activity.js';

/** As the bus gives them: what is in it is read by the message itself. */
class Message {
  readonly member = 'StateChanged';
  constructor(
    readonly sender: string,
    private readonly parts: unknown[],
  ) {}
  body(): unknown[] {
    return this.parts;
  }
}

it('tells that an app has told of a focus since then', async () => {
  const news = new FocusNews();
  const since = performance.now();
  const heard = news.after(':1.7', since, Deadline.in(10_000)).then(() => performance.now());
  news.signal(new Message(':1.8', ['focused', 1]));
  news.signal(new Message(':1.7', ['focused', 0]));
  news.signal(new Message(':1.7', ['enabled', 1]));
  await new Promise((resolve) => setTimeout(resolve, 50));
  const told = performance.now();
  news.signal(new Message(':1.7', ['focused', 1]));
  expect(await heard).toBeGreaterThanOrEqual(told);
});

it('does not wait for ever', async () => {
  await new FocusNews().after(':1.7', performance.now(), Deadline.in(20));
});
