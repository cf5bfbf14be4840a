import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';

let room: CliRoom;
beforeAll(() => {
  room = new CliRoom();
});
afterAll(() => room.close());

it('the demo as JSON is one object at the end, with its steps and their numbers', async () => {
  const { code, out, err } = await room.run(['demo', '--json']);
  expect([code, err]).toEqual([0, '']);
  const told = JSON.parse(out) as { steps: { lines?: string[] }[]; picture: string };
  const number: unknown = expect.any(Number);
  expect(told).toMatchObject({
    schema: 1,
    untrusted: true,
    steps: [
      { step: 1, what: 'desktop', name: expect.stringMatching(/^demo-/) as unknown, bootMs: number },
      { step: 2, what: 'look', program: 'gnome-calculator', elements: number, tokens: number, ms: number },
      { step: 3, what: 'look', program: 'mousepad', elements: number, tokens: number, ms: number },
    ],
    ms: number,
  });
  expect(told.steps).toHaveLength(3);
  expect(told.steps[2]!.lines!.join('\n')).toContain('Groceries');
  expect(existsSync(join(room.base, told.picture))).toBe(true);
  expect(room.files()).toEqual([]);
});
