import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { desktopKeys, runningKeys, sweepLeftovers, waitUntilSwept } from './sweep-leftovers.js';
import { identityOf } from '../../platform/processes.js';

let base: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'dp-left-'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const alive = JSON.stringify({ format: 1, ...identityOf(process.pid), version: '1' });
const dead = JSON.stringify({ format: 1, pid: process.pid, startTime: '1', bootId: 'x', version: '1' });
function desktop(key: string, files: Record<string, string>, ageMs = 0): void {
  mkdirSync(join(base, key), { mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(base, key, name), text);
  const time = (Date.now() - ageMs) / 1000;
  utimesSync(join(base, key), time, time);
}
const noSeats = () => Promise.resolve();

describe('leftovers', () => {
  it('lists only directories that a desktop can have', () => {
    desktop('work', { lock: alive });
    desktop('user.0123abcd', { lock: dead });
    desktop('Not One', {});
    writeFileSync(join(base, 'work.log'), '');
    writeFileSync(join(base, 'file'), '');
    expect(desktopKeys(base).sort()).toEqual(['user.0123abcd', 'work']);
    expect(runningKeys(base)).toEqual(['work']);
    expect(desktopKeys(join(base, 'nowhere'))).toEqual([]);
  });

  it('a directory in place of a lock does not block other desktops', async () => {
    desktop('dead', { lock: dead });
    desktop('living', { lock: alive });
    desktop('spoilt', {}, 120_000);
    mkdirSync(join(base, 'spoilt', 'lock'));
    await sweepLeftovers(base, noSeats);
    expect(runningKeys(base)).toEqual(['living']);
    expect(readdirSync(base).sort()).toEqual(['living', 'spoilt']);
  });

  it('removes what dead hosts left, and nothing else', async () => {
    desktop('living', { lock: alive, 'host.sock': '' });
    desktop('dead', { lock: dead, 'host.sock': '' });
    desktop('kept', { lock: dead, 'seat.json': '{}' });
    desktop('young', { 'lock.12-ab': '' });
    desktop('old', { 'lock.12-ab': '', 'host.sock': '' }, 120_000);
    desktop('strange', { 'precious.txt': '' }, 120_000);
    const request: string[] = [];
    await sweepLeftovers(base, async (where) => request.push(where));
    expect(readdirSync(base).sort()).toEqual(['kept', 'living', 'strange', 'young']);
    expect(request).toEqual([base]);
  });

  it('ignores a sweep that fails', async () => {
    desktop('dead', { lock: dead });
    await sweepLeftovers(base, () => Promise.reject(new Error('busy')));
    expect(readdirSync(base)).toEqual([]);
  });

  it('waits for a watchdog that is still cleaning up', async () => {
    desktop('work', { lock: dead, 'seat.json': '{}' });
    let request = 0;
    await waitUntilSwept(base, 'work', async () => {
      if (++request === 3) rmSync(join(base, 'work'), { recursive: true });
    });
    expect(request).toBe(3);
    await waitUntilSwept(base, 'work', noSeats);
  });
});
