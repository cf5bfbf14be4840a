import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { openLedger } from './write/open-ledger.js';
import { ledgerPlaces, lockPath, segmentPath, type LedgerPlaces } from './locations.js';
import { readLog } from './read/read-log.js';
import { verifyDesktop } from './verify/verify.js';

// Needs real processes: kills, limits of the system, two writers at once. The code is compiled for them once.

const SOAK = Boolean(process.env.SOAK);
const KILLS = SOAK ? 200 : 20;
const RACES = SOAK ? 200 : 20;
const ROOMS = fileURLToPath(new URL('..', import.meta.url));

let built: string;
let root: string;
let places: LedgerPlaces;
const children: ChildProcess[] = [];

beforeAll(() => {
  built = mkdtempSync(join(tmpdir(), 'dp-built-'));
  for (const room of ['audit', 'platform', 'shared']) {
    const files = readdirSync(join(ROOMS, room), { recursive: true, encoding: 'utf8' });
    for (const file of files.filter((name) => /(?<!\.test)\.ts$/.test(name))) {
      const { outputText } = ts.transpileModule(readFileSync(join(ROOMS, room, file), 'utf8'), {
        compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
      });
      mkdirSync(dirname(join(built, room, file)), { recursive: true });
      writeFileSync(join(built, room, file.replace(/ts$/, 'js')), outputText);
    }
  }
  writeFileSync(join(built, 'package.json'), '{"type":"module"}');
  symlinkSync(join(ROOMS, '../node_modules'), join(built, 'node_modules'));
});
afterAll(() => rmSync(built, { recursive: true, force: true }));
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dp-proc-'));
  places = ledgerPlaces('desk', { HOME: root });
});
afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('close', resolve));
      child.kill('SIGKILL');
      await ended;
    }
  }
  rmSync(root, { recursive: true, force: true });
});

/** Runs a script that finds `openLedger`, `places`, `act(ledger)` and `say(line)`. */
function start(script: string, before: string[] = []): { child: ChildProcess; said: string[]; ended: Promise<void> } {
  const text = `
    import { ledgerPlaces, openLedger } from ${JSON.stringify(join(built, 'audit/index.js'))};
    import { writeSync } from 'node:fs';
    const places = ledgerPlaces('desk', { HOME: ${JSON.stringify(root)} });
    const options = { places, software: 'deskproof/test' };
    const say = (...words) => writeSync(1, words.join(' ') + '\\n');
    const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all', target: { role: 'button', name: 'Save' } };
    const done = { status: 'ok', delivered: 'yes', durationMs: 1 };
    ${script}`;
  const [program = process.execPath, ...args] = [...before, process.execPath, '--input-type=module', '-e', text];
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'], cwd: built });
  children.push(child);
  const said: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => said.push(line));
  return { child, said, ended: new Promise((resolve) => child.once('close', () => resolve())) };
}

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const kindsOf = () => [...readLog(places.logs)].map(({ record }) => record);
const patient = { timeout: 60_000, interval: 5 };

describe('a writer that is killed', () => {
  it(
    `leaves a log that continues and verifies, with every act that it reported (${KILLS} times)`,
    { timeout: 1_200_000 },
    async () => {
      const acted = new Set<string>();
      for (let round = 0; round < KILLS; round++) {
        // Intents, outcomes and reads at once, with small segments: the kill comes in the middle of anything.
        const { child, said, ended } = start(`
        const ledger = await openLedger({ ...options, limits: { segmentBytes: 6000, checkpointRecords: 8, groupMs: 5 } });
        say('open');
        const look = { tool: 'ui_snapshot', caller: 'cli', rule: 'private/all', status: 'ok' };
        for (;;) {
          ledger.call(look);
          const of = await ledger.intent(click);
          say('did', of);
          await ledger.outcome(of, done);
        }`);
        const enough = 1 + Math.floor(Math.random() * 40);
        await vi.waitFor(() => expect(said.length).toBeGreaterThan(enough), patient);
        child.kill('SIGKILL');
        await ended;
        for (const line of said) if (line.startsWith('did ')) acted.add(line.slice(4));
        const { verdict, ok } = verifyDesktop(places);
        expect([round, ok, verdict]).toEqual([round, true, verdict]);
      }
      await (await openLedger({ places, software: 'deskproof/test' })).close();
      const all = kindsOf();
      const intents = new Set(all.flatMap((record) => (record?.kind === 'intent' ? String(record.seq) : [])));
      expect([...acted].filter((seq) => !intents.has(seq))).toEqual([]);
      expect(all.filter((record) => record?.kind === 'recovered').length).toBeGreaterThanOrEqual(KILLS);
      expect(verifyDesktop(places).ok).toBe(true);
    },
  );

  it('writes nothing after it was stopped, lost its lock, and was continued', async () => {
    const { child, said } = start(`
      const ledger = await openLedger(options);
      await ledger.intent(click);
      say('open');
      process.stdin.once('data', () => ledger.intent(click).then(() => say('wrote'), (error) => say(error.code)));`);
    await vi.waitFor(() => expect(said).toContain('open'), patient);
    child.kill('SIGSTOP');
    // No process may take the lock of a living one; a user with rm can.
    unlinkSync(lockPath(places.logs));
    const ours = await openLedger({ places, software: 'deskproof/test' });
    const size = readFileSync(segmentPath(places.logs, 1)).length;
    child.kill('SIGCONT');
    child.stdin!.write('go\n');
    await vi.waitFor(() => expect(said.at(-1)).toBe('audit_unavailable'), patient);
    expect(readFileSync(segmentPath(places.logs, 1)).length).toBe(size);
    await ours.close();
    expect(verifyDesktop(places).ok).toBe(true);
  });
});

describe('a verifier', () => {
  // A pipe in place of the file that is read between head and log holds the other process there.
  it.runIf(has('mkfifo'))('that runs while a desktop starts does not report its lines as forged', async () => {
    const options = { places, software: 'deskproof/test' };
    await (await openLedger(options)).close();
    cpSync(root, `${root}-ended`, { recursive: true });
    const working = await openLedger(options);
    await working.intent({ tool: 'ui_click', caller: 'cli', rule: 'private/all' });
    const trust = join(places.state, working.id, 'trust.json');
    const head = join(places.state, working.id, 'head');
    const started = { trust: readFileSync(trust), head: readFileSync(head), log: readFileSync(working.path) };
    await working.close();
    cpSync(`${root}-ended`, root, { recursive: true });
    rmSync(`${root}-ended`, { recursive: true });
    unlinkSync(trust);
    spawnSync('mkfifo', [trust]);

    const { said, ended } = start(`
      const { verifyDesktop } = await import(${JSON.stringify(join(built, 'audit/index.js'))});
      say(verifyDesktop(places).verdict);`);
    const pipe = await open(trust, 'w'); // It has read the head when it gets here.
    unlinkSync(trust);
    writeFileSync(trust, started.trust);
    writeFileSync(head, started.head);
    writeFileSync(working.path, started.log);
    await pipe.writeFile(started.trust);
    await pipe.close();
    await ended;
    expect(said).toEqual([expect.stringMatching(/^ok 3 records/)]);
  });
});

describe('two writers', () => {
  it(
    `started together: one wins, also over the lock of a dead one (${RACES} times)`,
    { timeout: 1_200_000 },
    async () => {
      // Each child tries on request, and holds the lock until the next request.
      const script = `
      let ledger;
      process.stdin.on('data', async () => {
        if (ledger) { await ledger.close(); ledger = undefined; return say('closed'); }
        try { ledger = await openLedger(options); await ledger.intent(click); say('won'); }
        catch (error) { say(error.code, error.message); }
      });
      say('ready');`;
      const racers = [start(script), start(script), start(script)];
      for (const { said } of racers) await vi.waitFor(() => expect(said).toContain('ready'), patient);
      for (let round = 0; round < RACES; round++) {
        mkdirSync(places.logs, { recursive: true, mode: 0o700 });
        if (round % 2 === 1) writeFileSync(lockPath(places.logs), `{"pid":1,"start":"${round}","boot":"another"}`);
        for (const racer of racers) racer.said.length = 0;
        for (const { child } of racers) child.stdin!.write('go\n');
        for (const { said } of racers) await vi.waitFor(() => expect(said).toHaveLength(1), patient);
        const winners = racers.filter(({ said }) => said[0] === 'won');
        expect([round, winners.length, racers.map(({ said }) => said[0])]).toEqual([round, 1, expect.anything()]);
        for (const { child, said } of winners) {
          child.stdin!.write('end\n');
          await vi.waitFor(() => expect(said).toContain('closed'), patient);
        }
      }
      const left = readdirSync(places.logs).filter((file) => file.startsWith('lock'));
      expect(left).toEqual([]);
      expect(verifyDesktop(places).ok).toBe(true);
    },
  );
});

describe('a disk that is full', () => {
  // The limit of the process itself: the system stops a write at exactly that byte.
  it.runIf(has('prlimit'))(
    'at any byte of a record: refused, the log unchanged, and the outcome comes first when there is space',
    { timeout: 600_000 },
    async () => {
      const { said, ended } = start(`
      import { execFileSync } from 'node:child_process';
      import { statSync } from 'node:fs';
      const limit = (bytes) => execFileSync('prlimit', ['--pid', String(process.pid), '--fsize=' + bytes + ':unlimited']);
      const ledger = await openLedger(options);
      const size = () => statSync(ledger.path).size;
      for (let room = 0; room < 420; room += ${SOAK ? 1 : 20}) {
        const of = await ledger.intent(click);
        const before = size();
        limit(before + room);
        const kept = ledger.outcome(of, done).then(() => 'written', (error) => error.code);
        const first = await kept;
        if (first === 'written') { limit('unlimited'); continue; }
        const again = await ledger.intent(click).then(() => 'written', (error) => error.code);
        const same = size() === before;
        limit('unlimited');
        const then = await ledger.intent(click);
        say(first, again, same, then - of);
        await ledger.outcome(then, done);
      }
      await ledger.close();
      say('end');`);
      await ended;
      expect(said.at(-1)).toBe('end');
      // Refused twice, unchanged; then the outcome that was kept, and the intent after it.
      expect(new Set(said.slice(0, -1))).toEqual(new Set(['audit_unavailable audit_unavailable true 2']));
      expect(said.length).toBeGreaterThan(10);
      const all = kindsOf();
      const outcomes = all.flatMap((record) => (record?.kind === 'outcome' ? record.of : []));
      const intents = all.flatMap((record) => (record?.kind === 'intent' ? record.seq : []));
      expect(outcomes.sort((a, b) => a - b)).toEqual(intents);
      expect(verifyDesktop(places).ok).toBe(true);
    },
  );

  const mounted = (): boolean => {
    const probe = mkdtempSync(join(tmpdir(), 'dp-mount-'));
    const works = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'none', probe]).status === 0;
    if (works) spawnSync('umount', [probe]);
    rmSync(probe, { recursive: true });
    return works;
  };

  // Only a user who may mount can have a small disk, or a read-only one.
  it.runIf(process.getuid?.() === 0 && mounted())(
    'a small one: refused, and continued when there is space; a read-only one: refused',
    async () => {
      const disk = join(root, 'disk');
      mkdirSync(disk);
      expect(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k,mode=700', 'none', disk]).status).toBe(0);
      try {
        const small = { ...ledgerPlaces('desk', { HOME: root }), logs: join(disk, 'logs') };
        const ledger = await openLedger({ places: small, software: 'deskproof/test' });
        writeFileSync(join(disk, 'ballast'), Buffer.alloc(200 * 1024));
        const click = { tool: 'ui_click', caller: 'cli', rule: 'private/all' };
        let refused: unknown;
        for (let at = 0; at < 2_000 && !refused; at++) {
          await ledger.intent(click).catch((error: unknown) => (refused = error));
        }
        expect(refused).toMatchObject({
          code: 'audit_unavailable',
          message: expect.stringContaining('disk is full') as string,
        });
        expect(verifyDesktop(small).ok).toBe(true);
        unlinkSync(join(disk, 'ballast'));
        await ledger.intent(click);
        await ledger.close();
        expect(verifyDesktop(small).ok).toBe(true);
        expect(spawnSync('mount', ['-o', 'remount,ro', disk]).status).toBe(0);
        await expect(openLedger({ places: small, software: 'x' })).rejects.toMatchObject({
          code: 'audit_unavailable',
          message: expect.stringContaining('read-only') as string,
        });
        expect(verifyDesktop(small).ok).toBe(true);
      } finally {
        spawnSync('umount', [disk]);
      }
    },
  );
});

describe('the order of operations', () => {
  it.runIf(has('strace'))(
    'as the system saw it: written, synced, named by the head, and only then reported',
    async () => {
      const trace = join(root, 'trace');
      const { ended } = start(
        `const ledger = await openLedger(options);
      for (let at = 0; at < 5; at++) { const of = await ledger.intent(click); say('did', of); await ledger.outcome(of, done); }
      await ledger.close();`,
        ['strace', '-f', '-qq', '-s', '4000', '-e', 'trace=write,pwrite64,fdatasync', '-o', trace],
      );
      await ended;
      expect(existsSync(trace)).toBe(true);
      const events = readFileSync(trace, 'utf8')
        .split('\n')
        .flatMap((line) => {
          if (/write\(\d+, "\{.*\\"kind\\":\\"intent\\"/.test(line)) return 'intent';
          if (/fdatasync\(\d+\) += 0|fdatasync resumed.*= 0/.test(line)) return 'synced';
          if (/write\(1, "did /.test(line)) return 'reported';
          return /pwrite64\(\d+, "deskproof-ledger\/1/.test(line) ? 'named' : [];
        });
      const between = events
        .join(' ')
        .split(/(?=intent)/)
        .slice(1);
      expect(between).toHaveLength(5);
      for (const act of between) expect(act).toMatch(/^intent synced named reported/);
    },
  );
});
