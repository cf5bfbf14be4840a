import { expect } from 'vitest';
import type { ActStep, Checkpoint } from '../../../src/drivers/contract/index.js';
import { Deadline } from '../../../src/shared/index.js';
import { centre, type Point } from '../../../src/tree/index.js';
import { codeOf, shown, soon, until, type Case } from '../case.js';
import type { Stage } from '../stage.js';

/** Long enough for a loaded machine to prepare an act, short enough to wait for its end. */
const ABANDONED_MS = 1_500;
const AWAY: Point = { x: 3, y: 3 };

function checkpointOf(step: ActStep<unknown>): Checkpoint {
  if ('checkpoint' in step) return step.checkpoint;
  throw new Error('the act did not pause');
}

const clicks = (stage: Stage): number => stage.diary().filter((line) => line.clicked === 'Save').length;

async function begin(stage: Stage, how: 'pattern' | 'input', deadline: Deadline): Promise<Checkpoint> {
  const { driver } = stage;
  const { id, bounds } = await shown(stage, 'button', 'Save');
  const checkpoints = ['ready'] as const;
  if (how === 'pattern') return checkpointOf(await driver.act!(id, { kind: 'invoke' }, { checkpoints, deadline }));
  return checkpointOf(await driver.input!.click(centre(bounds!), { checkpoints, deadline }));
}

/** After a whole act the app has written down exactly that one: what came before it did nothing. */
async function onlyThisOne(stage: Stage, how: 'pattern' | 'input', before: number): Promise<void> {
  const { token } = await begin(stage, how, soon());
  expect(clicks(stage), 'before it is resumed').toBe(before);
  const step = await stage.driver.resume!(token, 'proceed', { deadline: soon() });
  expect('done' in step).toBe(true);
  await until('the click in the diary', async () => clicks(stage) > before);
  expect(clicks(stage)).toBe(before + 1);
  // Under the pointer an app draws a button differently, which later cases about pixels would see.
  await stage.driver.input!.move(AWAY, { deadline: soon() });
}

export const CHECKPOINTS: Case[] = [
  ...(['pattern', 'input'] as const).map((how) => ({
    name: `checkpoint: an act by ${how} is done only if it is resumed`,
    safety: true,
    disturbs: true,
    async run(stage: Stage) {
      const before = clicks(stage);
      const { resume } = { resume: stage.driver.resume!.bind(stage.driver) };
      const stopped = await begin(stage, how, soon());
      expect(stopped.at).toBe('ready');
      expect(await codeOf(resume(stopped.token, 'stop', { deadline: soon() }))).toBe('cancelled');
      expect(await codeOf(resume(stopped.token, 'proceed', { deadline: soon() })), 'a used token').toBe('cancelled');
      const late = await begin(stage, how, Deadline.in(ABANDONED_MS));
      await new Promise((resolve) => setTimeout(resolve, ABANDONED_MS));
      expect(await codeOf(resume(late.token, 'proceed', { deadline: soon() }))).toBe('timeout');
      const caller = new AbortController();
      const left = await begin(stage, how, Deadline.in(10_000, caller.signal));
      caller.abort();
      expect(await codeOf(resume(left.token, 'stop', { deadline: soon() }))).toBe('cancelled');
      await onlyThisOne(stage, how, before);
    },
  })),
  {
    name: 'checkpoint: a button that is pressed is released elsewhere, and does nothing',
    safety: true,
    disturbs: true,
    async run(stage) {
      const before = clicks(stage);
      const { driver } = stage;
      const { bounds } = await shown(stage, 'button', 'Save');
      const request = { checkpoints: ['pressed'] as const, deadline: soon() };
      const pressed = checkpointOf(await driver.input!.click(centre(bounds!), request));
      expect(pressed).toEqual({ token: expect.any(String) as string, at: 'pressed' });
      const moved = checkpointOf(await driver.resume!(pressed.token, { releaseAt: AWAY }, { deadline: soon() }));
      expect(moved).toMatchObject({ at: 'pressed', pointer: AWAY });
      await expect(driver.resume!(moved.token, 'proceed', { deadline: soon() })).rejects.toMatchObject({
        ...{ code: 'not_ready', delivered: 'unknown' },
      });
      await onlyThisOne(stage, 'input', before);
    },
  },
  {
    name: 'checkpoint: a double click pauses before each press, and ends where it is stopped',
    safety: true,
    disturbs: true,
    async run(stage) {
      const before = clicks(stage);
      const { driver } = stage;
      const { bounds } = await shown(stage, 'button', 'Save');
      const request = { checkpoints: ['ready'] as const, count: 2, deadline: soon() };
      const first = checkpointOf(await driver.input!.click(centre(bounds!), request));
      const second = checkpointOf(await driver.resume!(first.token, 'proceed', { deadline: soon() }));
      expect([first.at, first.sent, second.at, second.sent]).toEqual(['ready', undefined, 'ready', 1]);
      await until('the first click in the diary', async () => clicks(stage) > before);
      await expect(driver.resume!(second.token, 'stop', { deadline: soon() })).rejects.toMatchObject({
        ...{ code: 'cancelled', delivered: 'yes', details: { clicks: 1 } },
      });
      await onlyThisOne(stage, 'input', before + 1);
    },
  },
  {
    name: 'checkpoint: typing pauses before a space, which presses a button that has the focus',
    safety: true,
    disturbs: true,
    async run(stage) {
      const { driver } = stage;
      await stage.command('focus Name');
      const request = { checkpoints: ['chunk'] as const, deadline: soon() };
      const sent: (number | undefined)[] = [];
      let step: ActStep<unknown> = await driver.input!.type('ab cd', request);
      while ('checkpoint' in step) {
        sent.push(step.checkpoint.sent);
        step = await driver.resume!(step.checkpoint.token, 'proceed', { deadline: soon() });
      }
      expect(sent).toEqual([undefined, 2]);
    },
  },
  {
    name: 'checkpoint: typing is stopped between two chunks, and says how far it came',
    disturbs: true,
    async run(stage) {
      const { driver } = stage;
      await stage.command('focus Name');
      const request = { checkpoints: ['chunk'] as const, deadline: soon() };
      const first = checkpointOf(await driver.input!.type('abcdefgh'.repeat(8), request));
      const second = checkpointOf(await driver.resume!(first.token, 'proceed', { deadline: soon() }));
      expect([first.at, second.at]).toEqual(['chunk', 'chunk']);
      // A late event of the focus ends a chunk early.
      expect(second.sent).toBeGreaterThan(0);
      expect(second.sent).toBeLessThanOrEqual(32);
      await expect(driver.resume!(second.token, 'stop', { deadline: soon() })).rejects.toMatchObject({
        ...{ code: 'cancelled', delivered: 'yes', details: { typed: second.sent } },
      });
    },
  },
];
