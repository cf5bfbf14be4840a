// @module-tag safety

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const mount = (...words: string[]): void => void execFileSync('mount', words, { stdio: 'ignore' });

/** A file system of its own needs a right that few have; the same faults without one: src/audit/disk-faults.test.ts. */
function canMount(): boolean {
  const room = new CliRoom();
  try {
    mount('-t', 'tmpfs', '-o', 'size=64k', 'none', room.base);
    execFileSync('umount', [room.base]);
    return true;
  } catch {
    // Not allowed here: the tests are skipped.
    return false;
  } finally {
    rmSync(room.base, { recursive: true, force: true });
  }
}

describe.skipIf(!canMount())('a disk that takes no more', () => {
  let room: CliRoom;
  let disk: string;
  let app: FixtureApp;
  beforeAll(async () => {
    room = new CliRoom();
    disk = join(room.base, 'disk');
    mkdirSync(disk);
    mount('-t', 'tmpfs', '-o', 'size=128k,mode=700', 'none', disk);
    room.env.XDG_DATA_HOME = disk;
    await room.ok('desktop', 'start', '--name', 'work');
    const { env } = await room.json<{ env: Record<string, string> }>('desktop', 'env');
    app = await FixtureApp.start('act-gtk3.py', env);
    await room.ok('wait', '{"window":"Acted on"}');
  });
  afterAll(async () => {
    await app?.end();
    if (room) {
      await room.run(['desktop', 'stop', '--all']);
      execFileSync('umount', ['--lazy', disk]);
      await room.close();
    }
  });

  const filler = (): string => join(disk, 'filler');
  const clicks = (): number => app.diary.filter((line) => line.clicked === 'Save').length;
  const save = ['click', 'window="Acted on" >> button:Save'];

  function fill(): void {
    for (let bytes = 64 * 1024; bytes >= 1; bytes = bytes >> 1) {
      for (;;) {
        try {
          writeFileSync(filler(), Buffer.alloc(bytes), { flag: 'a' });
        } catch {
          // Full for this many: then fewer, until not one goes in.
          break;
        }
      }
    }
  }

  async function expectRefused(): Promise<void> {
    const before = clicks();
    const refused = await room.run(save);
    expect(refused.err).toMatch(/^failed: audit_unavailable\. .*disk is full.*Delivered: no\./);
    expect(refused.code).toBe(1);
    // The app's own word; a command of ours comes after all that was delivered before.
    await app.command('enable Save');
    expect(clicks()).toBe(before);
  }

  async function expectDone(): Promise<void> {
    const before = clicks();
    await room.ok(...save);
    await until('the click', () => clicks() === before + 1);
    const { code, out } = await room.run(['audit', 'verify']);
    expect(out).toMatch(/\nok \d+ records/);
    expect(code).toBe(0);
  }

  it('is full: nothing is done any more, and it goes on when there is room', async () => {
    await expectDone();
    fill();
    // The last block of the log has room for a few records still; what fails then may have been done, and says so.
    let failed = await room.run(save);
    for (let more = 8; failed.code === 0 && more > 0; more--) failed = await room.run(save);
    expect(failed.err).toMatch(/^failed: audit_unavailable\. .*Delivered: (no|yes)\./);
    for (let again = 0; again < 3; again++) await expectRefused();
    rmSync(filler());
    await expectDone();
    const log = readFileSync(join(disk, 'deskproof/audit/work/000001.jsonl'), 'utf8');
    expect(log.match(/"kind":"intent"/g)).toHaveLength(clicks());
    expect(log.match(/"kind":"outcome"/g)).toHaveLength(clicks());
  });

  it('cannot be written at all: no desktop starts', async () => {
    const locked = join(room.base, 'locked');
    mkdirSync(locked);
    mount('-t', 'tmpfs', '-o', 'size=64k,mode=700,ro', 'none', locked);
    try {
      const env = { XDG_DATA_HOME: locked };
      const refused = await room.run(['desktop', 'start', '--name', 'other', '--json'], { env });
      expect(refused.code).toBe(1);
      expect(JSON.parse(refused.out)).toMatchObject({ error: { code: 'audit_unavailable', delivered: 'no' } });
      expect((await room.json<{ desktops: { name: string }[] }>('desktop', 'list')).desktops).toHaveLength(1);
      expect(room.files()).not.toContain('other');
    } finally {
      execFileSync('umount', [locked]);
    }
  });
});
