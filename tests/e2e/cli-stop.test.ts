// @module-tag safety

import { afterAll, beforeAll, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';

let room: CliRoom;
beforeAll(async () => {
  room = new CliRoom();
  await room.ok('desktop', 'start', '--name', 'work');
});
afterAll(() => room.close());

it('stop refuses everything but capabilities, and resume lets it go on', async () => {
  expect(await room.ok('list-windows')).toMatch(/^0 windows/);
  expect(await room.ok('stop')).toBe(
    'desktop work: Stopped. Agents cannot act on this desktop until you run deskproof resume --desktop work in a terminal.\n',
  );
  const refused = await room.run(['list-windows']);
  expect(refused.code).toBe(3);
  expect(refused.out + refused.err).toMatch(
    /policy_denied\. ui_list_windows is refused: everything was stopped at .*, because the user ran deskproof stop\./,
  );
  // Without the option it would resume work on the user's own desktop.
  expect(refused.err).toContain('Only the user can continue: deskproof resume --desktop work, in a terminal');
  expect(await room.ok('capabilities')).toContain('deskproof resume --desktop work,');
  expect(await room.ok('stop')).toBe('desktop work: The desktop is already stopped.\n');
  const alone = await room.run(['resume']);
  expect([alone.code, alone.err]).toEqual([3, expect.stringContaining('Only the user at a terminal can end a stop.')]);
  expect(alone.err).toContain('Run it in a terminal yourself: deskproof resume');
  const named = await room.run(['resume', '--desktop', 'work']);
  expect(named.err).toContain('Run it in a terminal yourself: deskproof resume --desktop work');
  expect((await room.run(['list-windows'])).code).toBe(3);
  const { out } = await room.inTerminal('resume', '--json');
  expect(JSON.parse(out)).toEqual({ schema: 1, stopped: false, changed: true });
  expect(await room.inTerminal('resume')).toEqual({ code: 0, out: 'desktop work: The desktop was not stopped.\n' });
  expect(await room.ok('list-windows')).toMatch(/^0 windows/);
});

it('stop --all stops the agents on every desktop', async () => {
  await room.ok('desktop', 'start', '--name', 'second');
  const both = ['desktop', 'list', '--json'];
  const { desktops } = JSON.parse(await room.ok(...both)) as { desktops: { name: string }[] };
  expect(desktops.map(({ name }) => name)).toEqual(['second', 'work']);
  const refusal = await room.run(['stop', '--all', '--desktop', 'work']);
  expect([refusal.code, refusal.err]).toEqual([2, expect.stringContaining('stop takes --all or --desktop, not both.')]);
  expect(await room.ok('stop', '--all')).toBe(
    [
      'desktop second: Stopped. Agents cannot act on this desktop until you run deskproof resume --desktop second in a terminal.',
      'desktop work: Stopped. Agents cannot act on this desktop until you run deskproof resume --desktop work in a terminal.',
      '',
    ].join('\n'),
  );
  for (const name of ['second', 'work']) {
    expect((await room.run(['list-windows', '--desktop', name])).code).toBe(3);
  }
  expect(JSON.parse(await room.ok('stop', '--all', '--json'))).toEqual({
    schema: 1,
    desktops: ['second', 'work'].map((desktop) => ({ desktop, stopped: true, changed: false })),
  });
});
