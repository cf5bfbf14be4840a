import { expect } from 'vitest';
import type { DriverEvent } from '../../../src/drivers/contract/index.js';
import { Deadline } from '../../../src/shared/index.js';
import { shown, unlessHurried, windowTitled, type Case } from '../case.js';
import { DIALOG, MAIN } from '../scene.js';
import type { Stage } from '../stage.js';

type Wanted = (event: DriverEvent) => boolean;

/** The first event that fits, of those that come after `act`. */
async function afterwards(stage: Stage, act: () => Promise<void>, wanted: Wanted): Promise<DriverEvent> {
  const end = new AbortController();
  const events = stage.driver.events({ signal: end.signal });
  const stream = events[Symbol.asyncIterator]();
  try {
    await events.ready;
    await act();
    const deadline = Deadline.in(unlessHurried(8_000));
    for (;;) {
      const next = await deadline.race(stream.next(), 'Waiting for the event');
      if (next.done) throw new Error('the stream ended before the event came');
      if (wanted(next.value)) return next.value;
    }
  } finally {
    end.abort();
  }
}

function eventCase(name: string, command: string, wanted: (stage: Stage) => Promise<Wanted>): Case {
  return {
    name: `events: ${name}`,
    disturbs: true,
    async run(stage) {
      const fits = await wanted(stage);
      const event = await afterwards(stage, () => stage.command(command), fits);
      expect(Math.abs(Date.now() - event.at)).toBeLessThan(60_000);
    },
  };
}

export const EVENTS: Case[] = [
  eventCase('focus', 'focus Name', async (stage) => {
    const { id } = await shown(stage, 'textbox', 'Name');
    const window = await windowTitled(stage, MAIN);
    return (event) => event.type === 'focus' && event.element === id && event.window === window.id;
  }),
  eventCase('state', 'check off', async (stage) => {
    const { id } = await shown(stage, 'checkbox', 'Wrap');
    return (event) => event.type === 'state' && event.element === id && event.state === 'checked' && !event.on;
  }),
  eventCase(
    'children',
    'add-child Extra',
    async () => (event) => event.type === 'children' && event.change === 'added',
  ),
  eventCase('text', 'set-text Name "Ada L"', async (stage) => {
    const { id } = await shown(stage, 'textbox', 'Name');
    return (event) => event.type === 'text' && event.element === id;
  }),
  eventCase('damage', 'scroll-list 50', async (stage) => {
    const { id } = await windowTitled(stage, MAIN);
    return (event) => event.type === 'damage' && event.window === id && event.box.width > 0;
  }),
  eventCase('window title', 'title Other', async (stage) => {
    const { id } = await windowTitled(stage, MAIN);
    return (event) =>
      event.type === 'window' && event.change === 'title' && event.window === id && event.title === 'Other';
  }),
  eventCase('window opened', 'open-dialog', async () => (event) => {
    return event.type === 'window' && event.change === 'opened' && event.title === DIALOG && event.role === 'dialog';
  }),
  {
    name: 'events: window closed',
    disturbs: true,
    async run(stage) {
      await stage.command('open-dialog');
      const { id } = await windowTitled(stage, DIALOG);
      const closed: Wanted = (event) => event.type === 'window' && event.change === 'closed' && event.window === id;
      await afterwards(stage, () => stage.command('close-dialog'), closed);
    },
  },
  {
    name: 'events: two listeners hear the same',
    disturbs: true,
    async run(stage) {
      const other: Wanted = (event) => event.type === 'window' && event.change === 'title' && event.title === 'Both';
      await afterwards(
        stage,
        () => afterwards(stage, () => stage.command('title Both'), other).then(() => undefined),
        other,
      );
    },
  },
  {
    name: 'events: the stream ends when its listener goes',
    async run(stage) {
      const end = new AbortController();
      const stream = stage.driver.events({ signal: end.signal })[Symbol.asyncIterator]();
      const next = stream.next();
      end.abort();
      const ended = async (): Promise<void> => {
        let result = await next;
        while (!result.done) result = await stream.next();
      };
      await Deadline.in(5_000).race(ended(), 'The end of the stream');
      const late = stage.driver.events({ signal: AbortSignal.abort() })[Symbol.asyncIterator]();
      expect((await late.next()).done).toBe(true);
    },
  },
];
