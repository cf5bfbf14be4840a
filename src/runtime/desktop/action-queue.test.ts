import { expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import { ActionQueue, type Turn } from './action-queue.js';

const soon = (): Deadline => Deadline.in(20_000);

/** A queue whose turn is taken until `open` is called, and the acts in the order in which they ran. */
function held() {
  const queue = new ActionQueue();
  const order: string[] = [];
  let open!: () => void;
  const gate = queue.run(soon(), () => new Promise<void>((resolve) => (open = resolve)), 'gate');
  const act = (name: string, lane?: string, work: (turn: Turn) => Promise<void> = async () => undefined) =>
    queue.run(
      soon(),
      async (turn) => {
        order.push(name);
        await work(turn);
      },
      lane,
    );
  return { queue, order, act, open: () => open(), gate };
}

it('serves callers in rotation, and each in the order of its calls', async () => {
  const { order, act, open, gate } = held();
  const all = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => act(name, name[0]));
  await new Promise(setImmediate);
  open();
  await Promise.all([gate, ...all]);
  expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
});

it('an act that released its turn holds up only its own lane', async () => {
  const { order, act, open, gate } = held();
  let end!: () => void;
  const ends = new Promise<void>((resolve) => (end = resolve));
  let acted!: () => boolean;
  const first = act('a1', 'a', async (turn) => {
    acted = turn.release();
    await ends;
  });
  const second = act('a2', 'a');
  await new Promise(setImmediate);
  open();
  await gate;
  await new Promise(setImmediate);
  expect(acted()).toBe(false);
  await act('b1', 'b');
  expect([order, acted()]).toEqual([['a1', 'b1'], true]);
  end();
  await Promise.all([first, second]);
  expect(order).toEqual(['a1', 'b1', 'a2']);
});

it('an act that yields goes on with the turn, or without it once its time is over', async () => {
  const { order, act, open, gate } = held();
  const other = act('b1', 'b');
  const first = act('a1', 'a', async (turn) => {
    await turn.yieldDuring(() => act('c1', 'c'), soon());
    order.push('a1 again');
    await turn.yieldDuring(async () => undefined, Deadline.in(0));
    await act('d1', 'd');
  });
  await new Promise(setImmediate);
  open();
  await Promise.all([gate, other, first]);
  expect(order).toEqual(['b1', 'a1', 'c1', 'a1 again', 'd1']);
});
