// @module-tag safety

import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type AuditRecord,
  currentLog,
  type LedgerPlaces,
  readLog,
  type RecordOf,
  verifyDesktop,
} from '../../src/audit/index.js';
import { holderOf } from '../../src/platform/file-lock.js';
import { childrenOf, identityOf, waitForExit } from '../../src/platform/processes.js';
import { desktopPaths } from '../../src/platform/runtime-directory.js';
import { DesktopError } from '../../src/shared/index.js';
import { noteSeed } from '../evidence.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { SessionRoom } from './support/session-room.js';
import { SeatTraces, type Traces } from './support/seat-traces.js';
import { until } from './support/seat-room.js';
import { eventually } from './support/x-seat.js';

const ROUNDS = process.env.SOAK ? 200 : 6;
const CLIENTS = 3;
const IN_APP = 'window="Acted on" >> ';
/** One in so many is killed while it begins. */
const EARLY = 5;

let room: SessionRoom;
let app: FixtureApp;
let seat: SeatTraces;
let clean: Traces;
beforeAll(async () => {
  room = await SessionRoom.open();
  app = await FixtureApp.start('act-gtk3.py', room.seat.env);
  seat = await SeatTraces.open(room.seat.env);
  clean = await seat.read();
});
afterAll(async () => {
  seat?.close();
  await app?.end();
  await room?.close();
});

/** The same sequence every time, so that a failure can be reproduced. */
function* dice(seed: number): Generator<number, never> {
  for (let state = noteSeed(seed); ;) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    yield state / 2 ** 32;
  }
}

interface ActCall {
  tool: string;
  args: Record<string, unknown>;
}

/** `word` is in no other act. */
const ACTS: ((word: string) => ActCall)[] = [
  (word) => ({ tool: 'ui_set_value', args: { target: `${IN_APP}textbox:Name`, value: word } }),
  () => ({ tool: 'ui_click', args: { target: `${IN_APP}button:Save` } }),
  (word) => ({
    tool: 'ui_type',
    args: { target: `${IN_APP}textbox:"Notes General"`, text: `${word};`, method: 'input' },
  }),
  () => ({ tool: 'ui_click', args: { target: `${IN_APP}checkbox:Wrap`, method: 'input' } }),
];

/** Acts one after the other until the host is gone. */
async function work(round: number, client: number): Promise<void> {
  const host = await room.connect();
  try {
    for (let act = 0; ; act++) {
      const { tool, args } = ACTS[(act + client + round) % ACTS.length]!(`r${round}c${client}a${act}`);
      const request = { tool, args: { ...args, settleMs: 0 }, want: 'json', caller: `test:${client}` };
      await host.request('call', request).catch(endOnly);
    }
  } catch (error) {
    if (!(error instanceof HostGone)) throw error;
  } finally {
    host.close();
  }
}

class HostGone extends Error {}

/** What an act meets when others act at the same time is its own affair; what was done counts. */
function endOnly(error: unknown): void {
  if (!(error instanceof DesktopError)) throw error;
  if (error.code === 'driver_unavailable') throw new HostGone();
}

const hostPid = (): number | undefined => holderOf(desktopPaths(room.desktops.base, room.key).lock)?.pid;

/** The watcher goes when the server has heard the last of its host: nothing follows after this. */
async function kill(): Promise<void> {
  const pid = hostPid()!;
  const family = [identityOf(pid), ...childrenOf(pid)];
  process.kill(pid, 'SIGKILL');
  for (const one of family) expect(await waitForExit(one, 20_000)).toBe(true);
  await app.command('enable Save');
}

/** As quickly as can be: it is asked again and again. */
const intentsIn = (places: LedgerPlaces): string[] => {
  const path = currentLog(places);
  return existsSync(path) ? (readFileSync(path, 'utf8').match(/"kind":"intent"/g) ?? []) : [];
};

/** What happened between two kills, in the log and in the app's own diary. */
interface Life {
  records: AuditRecord[];
  diary: DiaryLine[];
}

describe(`${ROUNDS} hosts killed at random moments while several clients act`, () => {
  const lives: Life[] = [];

  test(
    'each leaves a log that verifies and that the next one goes on with',
    async () => {
      const random = dice(5);
      const places = await room.places();
      let seq = 0;
      let intents = 0;
      for (let round = 0; round < ROUNDS; round++) {
        const from = app.diary.length;
        const early = round % EARLY === EARLY - 1;
        const starting = room.startHost().catch((error: unknown) => early || Promise.reject(error as Error));
        let clients: Promise<unknown>[] = [];
        if (early) await until('a host', hostPid);
        else {
          await starting;
          clients = Array.from({ length: CLIENTS }, (_, client) => work(round, client));
          if (round % EARLY === 0) clients.push(room.run(['click', `${IN_APP}button:Save`]));
          const acts = 1 + Math.floor(random.next().value * 4);
          await until(`${acts} acts`, () => intentsIn(places).length >= intents + acts);
        }
        // Not a wait for something: the moment of the end is the test's input.
        await new Promise((wake) => setTimeout(wake, random.next().value * (early ? 400 : 250)));
        await kill();
        await Promise.all([starting, ...clients]);
        // A command that met its end may have started another.
        if (hostPid()) await kill();
        const verified = verifyDesktop(places);
        expect(verified, `round ${round}`).toMatchObject({ ok: true });
        for (const note of verified.notes)
          expect(note).toMatch(/^(unsigned after crash: \d+|acts whose outcome|only an)/);
        const records = [...readLog(places.logs)].flatMap(({ record }) => record ?? []);
        lives.push({ records: records.filter((record) => record.seq > seq), diary: app.diary.slice(from) });
        seq = records.at(-1)?.seq ?? 0;
        intents = intentsIn(places).length;
        await eventually(async () => expect(await seat.pressed()).toEqual({ keys: [], buttons: 0 }));
      }
      const { code, out } = await room.run(['audit', 'verify']);
      expect([code, out]).toEqual([0, expect.stringMatching(/\nok [\d,]+ records/)]);
      await eventually(async () => expect(await seat.read()).toEqual(clean));
    },
    ROUNDS * 30_000,
  );

  test('every act that the app saw has one intent, written before it', () => {
    let done = 0;
    let cutOff = 0;
    for (const [round, life] of lives.entries()) {
      const acts = actsOf(life.records);
      // Acts take turns: at most one was under way.
      const open = acts.filter(({ outcome }) => outcome === undefined);
      expect(open.length, `round ${round}`).toBeLessThanOrEqual(1);
      cutOff += open.length;
      done += acts.length - open.length;
      const about = `round ${round}: ${JSON.stringify(life.diary)}`;
      for (const [fits, seen] of [
        [isClickOf('Save'), ({ clicked }: DiaryLine) => clicked === 'Save'],
        [isClickOf('Wrap'), ({ toggled }: DiaryLine) => toggled === 'Wrap'],
      ] as const) {
        const mine = acts.filter(({ intent }) => fits(intent));
        const { length } = life.diary.filter(seen);
        expect(length, about).toBeGreaterThanOrEqual(mine.filter(wasDone).length);
        expect(length, about).toBeLessThanOrEqual(mine.filter(mayBeDone).length);
      }
      const values = life.diary.filter(({ text, value }) => text === 'Name' && value !== '');
      for (const { value } of values) {
        const same = acts.filter(({ intent }) => intent.args?.value === value);
        expect([value, same.length], about).toEqual([value, 1]);
      }
    }
    // If not, this test would not check anything.
    expect(done).toBeGreaterThan(ROUNDS);
    expect(cutOff).toBeGreaterThanOrEqual(ROUNDS / 5);
  });

  test('what was typed is what intents say, in their order, and nothing else', () => {
    const typed = lives
      .flatMap(({ records }) => actsOf(records))
      .filter(({ intent }) => intent.tool === 'ui_type')
      .map((act) => {
        const text = act.intent.args!.text as string;
        return wasDone(act) ? text : beginningOf(text);
      });
    const written = app.diary.findLast(({ text }) => text === 'Notes General')!.value as string;
    expect(written).toMatch(new RegExp(`^(one two)?${typed.join('')}(one two)?$`));
    expect(written.split(';').length).toBeGreaterThan(ROUNDS / 5);
  });
});

interface Act {
  intent: RecordOf<'intent'>;
  outcome?: RecordOf<'outcome'>;
}

function actsOf(records: readonly AuditRecord[]): Act[] {
  const outcomes = new Map(records.flatMap((record) => (record.kind === 'outcome' ? [[record.of, record]] : [])));
  return records.flatMap((record) =>
    record.kind === 'intent' ? [{ intent: record, ...{ outcome: outcomes.get(record.seq) } }] : [],
  );
}

const isClickOf =
  (name: string) =>
  ({ tool, target }: Act['intent']): boolean =>
    tool === 'ui_click' && target?.name === name;
const wasDone = ({ outcome }: Act): boolean => outcome?.status === 'ok' && outcome.delivered === 'yes';
const mayBeDone = ({ outcome }: Act): boolean => outcome?.delivered !== 'no';

/** Any beginning of it, or nothing. */
const beginningOf = (text: string): string => [...text].reduceRight((rest, letter) => `(?:${letter}${rest})?`, '');
