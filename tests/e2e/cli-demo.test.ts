import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

let room: CliRoom;
beforeAll(() => {
  room = new CliRoom();
});
afterAll(() => room.close());

const nothingLeft = async (): Promise<void> => {
  await until('every process to end', () => room.processes().length === 0);
  expect(room.files()).toEqual([]);
};

interface Step {
  what: string;
  calls?: { call: string; answer: string }[];
  answer?: string;
  records?: number;
  verdict?: string;
}

it('the demo as JSON is one object at the end, with its steps and their numbers', async () => {
  const { code, out, err } = await room.run(['demo', '--json']);
  expect([code, err]).toEqual([0, '']);
  const told = JSON.parse(out) as { steps: Step[]; picture: string };
  const number: unknown = expect.any(Number);
  const note = Buffer.byteLength('héllo 日本 😀, written by Deskproof\n');
  expect(told).toMatchObject({
    schema: 1,
    untrusted: true,
    steps: [
      { step: 1, what: 'desktop', name: expect.stringMatching(/^demo-/) as unknown, bootMs: number },
      { step: 2, what: 'look', program: 'gnome-calculator', elements: number, tokens: number, ms: number },
      { step: 3, what: 'act', program: 'gnome-calculator', acts: 7, byPattern: true, result: '100', ms: number },
      { step: 4, what: 'act', program: 'mousepad', acts: 4, bytes: note, ms: number },
      { step: 5, what: 'refuse', program: 'mousepad', policy: 'guarded', code: 'approval_required' },
      { step: 6, what: 'log', records: number, acts: 15, refused: 1 },
    ],
    ms: number,
  });
  expect(told.steps).toHaveLength(6);
  const calls = told.steps[3]!.calls!;
  expect(calls.map(({ call }) => call.split(' ')[0])).toEqual(['type', 'click', 'set-value', 'click']);
  for (const { answer } of calls) expect(answer).toMatch(/^ok: /);
  expect(told.steps[4]!.answer).toMatch(
    /menuitem "Delete Line" in w\d+ needs a person \(risk high, rule guarded\/act-high\)/,
  );
  // All of it is signed, the refusal too.
  const { records, verdict } = told.steps[5]!;
  expect(verdict).toMatch(new RegExp(`^ok ${records} records, \\d+ checkpoints?, head at ${records}, key SHA256:`));
  expect(existsSync(join(room.base, told.picture))).toBe(true);
  await nothingLeft();
});

it('the demo that is interrupted leaves nothing running', async () => {
  const { child, said } = room.start('demo');
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  await until('the first act', () => said().includes('3 act'));
  child.kill('SIGINT');
  expect(await ended).toBe(130);
  expect(said()).toMatch(/the calculator shows 100/);
  expect(said()).toMatch(/Stopped\. Nothing is left running\./);
  await nothingLeft();
});
