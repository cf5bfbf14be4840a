// @module-tag safety
import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CLI, CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const TRESPASSER = join(import.meta.dirname, '..', 'fixture-apps', 'trespasser.py');
const POLICY = `version: 1
rules: [{ name: any, when: { tool: ui_launch, risk: [low, medium, high, prohibited] }, decision: allow }]
`;
const OTHER_UID = 65_534;
const isRoot = process.getuid?.() === 0;

interface Line {
  got?: string;
  by?: string;
  ended?: string;
}

function everythingIn(directory: string): string[] {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [path, ...everythingIn(path)] : [path];
  });
}

/** The same as each user: what holds for root need not hold for others, and the reverse. */
describe.each([['this user', process.getuid!()], ...(isRoot ? [['another user', OTHER_UID] as const] : [])] as const)(
  'the files of %s',
  (_, uid) => {
    let room: CliRoom;
    let fixture: string;
    let hostPid: number;
    let env: Record<string, string>;
    let trespass: { paths: string[]; host: number; socket: string };

    const run = (command: string, args: readonly string[]): Promise<string> =>
      new Promise((resolve, reject) => {
        const ids = isRoot ? { uid, gid: uid } : {};
        execFile(command, args, { ...ids, env: room.env, cwd: room.base }, (error, out, err) => {
          if (error) reject(new Error(`${args.join(' ')}: ${err}`, { cause: error }));
          else resolve(out);
        });
      });
    const deskproof = (...words: string[]): Promise<string> => run(process.execPath, [CLI, ...words]);
    const linesOf = (diary: string): Line[] =>
      existsSync(diary)
        ? readFileSync(diary, 'utf8')
            .split('\n')
            .filter(Boolean)
            .map((line) => JSON.parse(line) as Line)
        : [];
    const gotten = (diary: string): string[] => linesOf(diary).flatMap(({ got, by }) => (got ? [`${by}: ${got}`] : []));
    const ended = (diary: string): string[] => linesOf(diary).flatMap(({ ended: who }) => who ?? []);

    beforeAll(async () => {
      room = new CliRoom();
      const config = join(room.base, '.config', 'deskproof');
      mkdirSync(config, { recursive: true, mode: 0o700 });
      writeFileSync(join(config, 'policy.yaml'), POLICY, { mode: 0o600 });
      fixture = join(room.base, 'trespasser.py');
      cpSync(TRESPASSER, fixture);
      chmodSync(fixture, 0o755);
      for (const path of [room.base, ...everythingIn(room.base)]) chownSync(path, uid, uid);
      await deskproof('desktop', 'start', '--name', 'work');
      ({ env } = JSON.parse(await deskproof('--json', 'desktop', 'env', 'work')) as { env: Record<string, string> });
      const [row] = (JSON.parse(await deskproof('--json', 'desktop', 'list')) as { desktops: { pid: number }[] })
        .desktops;
      hostPid = row!.pid;
      const own = ['.config/deskproof', '.local/share/deskproof', '.local/state/deskproof'].map((path) =>
        join(room.base, path),
      );
      const socket = join(room.base, 'run', 'work', 'host.sock');
      const paths = [...own, ...own.flatMap(everythingIn), socket, join(dirname(socket), 'lock')];
      expect(paths.filter((path) => /\.key$|policy\.yaml$|\.jsonl$/.test(path)).length).toBeGreaterThan(2);
      trespass = { paths, host: hostPid, socket };
    });
    afterAll(() => room?.close());

    it('are out of reach for an app on a private desktop, and for its children', async () => {
      const diary = join(env.HOME!, 'diary');
      const given = JSON.stringify({ ...trespass, window: true });
      await deskproof('desktop', 'launch', '--timeout-ms', '60000', '--', '/usr/bin/python3', fixture, diary, given);
      await until('the end of both', () => ended(diary).length === 2);
      expect(gotten(diary)).toEqual([]);
    });

    it('are within reach for a program outside, which shows that the app tried', async () => {
      const diary = join(room.base, 'diary');
      await run('/usr/bin/python3', [fixture, diary, JSON.stringify(trespass)]);
      await until('the end of both', () => ended(diary).length === 2);
      const got = gotten(diary);
      for (const path of trespass.paths.filter((one) => !one.endsWith('.sock'))) expect(got).toContain(`app: ${path}`);
      expect(got).toEqual(expect.arrayContaining(['app: socket', 'child: socket', 'app: cwd', 'app: fd 0']));
    });

    it('every program of the desktop is inside, except the X server', () => {
      const isOfDesktop = (pid: number): boolean =>
        /(^|\0)DESKPROOF_SEAT=/.test(readFileSync(`/proc/${pid}/environ`, 'utf8'));
      const programs = room.processes().filter(({ pid }) => isOfDesktop(pid));
      const inside = programs.filter(
        ({ pid }) => readlinkSync(`/proc/${pid}/ns/mnt`) !== readlinkSync('/proc/self/ns/mnt'),
      );
      expect(inside.some(({ command }) => command.includes('dbus-daemon'))).toBe(true);
      expect(inside.some(({ command }) => command.includes('openbox'))).toBe(true);
      const outside = programs.filter((one) => !inside.includes(one)).map(({ command }) => command);
      expect(outside).toEqual([expect.stringMatching(/^Xvfb/)]);
    });

    it('doctor says so', async () => {
      expect(await deskproof('doctor', '--desktop', 'work')).toContain(
        'apps on private desktops cannot see the files of Deskproof',
      );
    });
  },
);
