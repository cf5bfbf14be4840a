import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const OTHER_UID = 65_534;

/**
 * Runs as another user of the machine, who knows every path: reports what they get of each, and nothing else. What
 * throws is what they did not get, which is what is hoped for.
 */
const PROBE = `
const fs = require('fs'), net = require('net');
const [paths, sockets, hello] = JSON.parse(process.argv[1]);
const got = [];
for (const path of paths) {
  try { fs.statSync(path).isDirectory() ? fs.readdirSync(path) : fs.readFileSync(path); got.push(path); } catch {}
  try { fs.writeFileSync(path, '', { flag: 'r+' }); got.push('wrote ' + path); } catch {}
}
const talk = (where) => new Promise((done) => {
  const socket = net.connect(where);
  const end = (word) => { if (word) got.push(word + ' from ' + (where.path ?? where.port)); socket.destroy(); done(); };
  socket.on('connect', () => socket.write(Buffer.from(hello[where.kind], 'base64')));
  socket.on('data', (data) => end(where.kind === 'x' ? (data[0] === 1 ? 'a display' : '') : /^(OK|\\{|HTTP.1.1 200)/.test(data) ? String(data).slice(0, 40) : ''));
  socket.on('error', () => end('')); socket.on('close', () => end(''));
  setTimeout(() => end(''), 3000);
});
Promise.all(sockets.map(talk)).then(() => { console.log(JSON.stringify(got)); process.exit(); });
`;

const X_HELLO = Buffer.from('6c000b000000000000000000', 'hex');
const BUS_HELLO = Buffer.from(`\0AUTH EXTERNAL ${Buffer.from(String(OTHER_UID)).toString('hex')}\r\n`);
const HOST_HELLO = Buffer.from('{"id":1,"method":"hello","params":{"protocol":1}}\n');
const HTTP_HELLO = Buffer.from('GET /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: text/event-stream\r\n\r\n');

function probed(argument: unknown, uid = OTHER_UID): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const options = { uid, gid: uid, cwd: '/', env: { PATH: process.env.PATH } };
    execFile(process.execPath, ['-e', PROBE, JSON.stringify(argument)], options, (error, out) => {
      if (error) reject(new Error('the probe failed', { cause: error }));
      else resolve(JSON.parse(out) as string[]);
    });
  });
}

function everythingIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...everythingIn(path)] : [path];
  });
}

describe.skipIf(process.getuid?.() !== 0)('another user of the machine (needs root to switch the user)', () => {
  let room: CliRoom;
  let server: ReturnType<CliRoom['start']>;
  let seat: Record<string, string>;

  beforeAll(async () => {
    room = new CliRoom();
    // Whatever is above ours lets everybody in: what keeps them out must be ours.
    chmodSync(room.base, 0o755);
    await room.ok('desktop', 'start', '--name', 'work');
    await room.ok('desktop', 'launch', '--name', 'work', '--', 'xclock');
    await room.ok('capture', '--desktop', 'work', '-o', join(room.base, 'seen.png'));
    seat = (await room.json<{ env: Record<string, string> }>('desktop', 'env', 'work')).env;
    server = room.start('mcp', '--http', '--desktop', 'work');
    await until('it to listen', () => /Bearer [0-9a-f]{64}/.test(server.said()));
  });
  afterAll(() => room?.close());

  it('gets nothing of a desktop: no file, no display, no bus, no socket, no answer over HTTP', async () => {
    const paths = everythingIn(room.base);
    const kinds = paths.filter((path) => statSync(path).isSocket());
    expect(paths.length).toBeGreaterThan(10);
    expect(kinds.length).toBeGreaterThan(0);
    const display = `/tmp/.X11-unix/X${seat.DISPLAY!.slice(1)}`;
    const buses = [seat.DBUS_SESSION_BUS_ADDRESS!].map((address) => /unix:path=([^,;]+)/.exec(address)![1]!);
    const port = Number(new URL(/http:\S+/.exec(server.said())![0]).port);
    const sockets = [
      { kind: 'x', path: display },
      { kind: 'x', path: `\0${display}` },
      ...buses.map((path) => ({ kind: 'bus', path })),
      ...kinds.filter((path) => !buses.includes(path)).map((path) => ({ kind: 'host', path })),
      { kind: 'http', host: '127.0.0.1', port },
    ];
    const hello = { x: X_HELLO, bus: BUS_HELLO, host: HOST_HELLO, http: HTTP_HELLO };
    const said = Object.fromEntries(Object.entries(hello).map(([kind, bytes]) => [kind, bytes.toString('base64')]));
    expect(await probed([paths, sockets, said])).toEqual([]);
    // The same probe as our own user, as a control: it does get answers.
    expect(await probed([paths, sockets, said], 0)).toContain(join(room.base, 'seen.png'));
  });

  it('and nothing of the processes: the token stands in no argument, their environments are closed', async () => {
    const token = /Bearer ([0-9a-f]{64})/.exec(server.said())![1]!;
    const ours = room.processes();
    expect(ours.map(({ command }) => command).join('\n')).not.toContain(token);
    const environments = ours.map(({ pid }) => `/proc/${pid}/environ`);
    expect(await probed([environments, [], {}])).toEqual([]);
  });

  it('who plants a runtime directory is found out before anything is put there', async () => {
    const planted = mkdtempSync(join(tmpdir(), 'dp-planted-'));
    try {
      chmodSync(planted, 0o755);
      const run = join(planted, 'run');
      mkdirSync(run, { mode: 0o700 });
      chownSync(run, OTHER_UID, OTHER_UID);
      const { code, err } = await room.run(['desktop', 'start', '--name', 'p'], { env: { DESKPROOF_RUNTIME: run } });
      expect(code).toBe(1);
      expect(err).toMatch(/runtime directory .* (belongs|owned|is not yours)/);
      expect(readdirSync(run)).toEqual([]);
    } finally {
      rmSync(planted, { recursive: true, force: true });
    }
  });
});
