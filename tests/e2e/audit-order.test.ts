// @module-tag safety

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ledgerPlaces, openLedger, verifyDesktop, type FileLedger, type LedgerPlaces } from '../../src/audit/index.js';
import { REAL_DISK, type Disk } from '../../src/audit/write/log-file.js';
import { openDesktop, type OpenDesktop } from '../../src/compose.js';
import { perform, type Performed } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { TOOLS } from '../../src/tools/index.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { SeatTraces } from './support/seat-traces.js';
import { until } from './support/seat-room.js';
import { openXSeat, type XSeat } from './support/x-seat.js';

/** Writes like any other; what is written reaches the disk when it is let. */
class HeldDisk implements Disk {
  private held: (() => void)[] | undefined;
  broken = false;

  write(fd: number, bytes: Buffer): number {
    return REAL_DISK.write(fd, bytes);
  }

  async sync(file: FileHandle): Promise<void> {
    if (this.held) await new Promise<void>((resolve) => this.held?.push(resolve));
    if (this.broken) throw Object.assign(new Error('i/o error'), { code: 'EIO' });
    await REAL_DISK.sync(file);
  }

  get waiting(): number {
    return this.held?.length ?? 0;
  }

  hold(): void {
    this.held ??= [];
  }

  letGo(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const resume of held) resume();
  }
}

let seat: XSeat;
let app: FixtureApp;
let server: SeatTraces;
let root: string;
let places: LedgerPlaces;
let disk: HeldDisk;
let ledger: FileLedger;
let open: OpenDesktop;
beforeAll(async () => {
  seat = await openXSeat();
  app = await FixtureApp.start('act-gtk3.py', seat.env);
  server = await SeatTraces.open(seat.env);
});
afterAll(async () => {
  server?.close();
  await app?.end();
  await seat?.stop();
});
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'dp-order-'));
  places = ledgerPlaces('desk', { HOME: root });
  disk = new HeldDisk();
  ledger = await openLedger({ places, software: 'deskproof/test', disk });
  const policy = { decide: () => ({ answer: 'allow', rule: 'all' }) as const };
  open = await openDesktop({ kind: 'user', env: seat.env }, undefined, { policy, ledger });
});
afterEach(async () => {
  disk.letGo();
  await open.close();
  // One that was broken on purpose cannot be closed well.
  await ledger.close().catch((error: unknown) => expect(error).toMatchObject({ code: 'audit_unavailable' }));
  rmSync(root, { recursive: true, force: true });
});

const APP = 'window="Acted on" >> ';

function act(tool: string, args: Record<string, unknown>, timeoutMs = 20_000): Promise<Performed> {
  return perform(open.desktop, TOOLS, { tool, args: { ...args }, caller: 'test', timeoutMs });
}

/** The records of the read are on the disk: the next record that waits for the disk is the intent. */
async function appThere(): Promise<void> {
  await act('ui_wait', { until: 'textbox:Name' });
  await ledger.checkpoint();
}

const intents = (): number => readFileSync(ledger.path, 'utf8').split('"kind":"intent"').length - 1;

/** What the app noticed since; a command of ours comes after all that was sent to it before. */
async function noticed(from: number): Promise<DiaryLine[]> {
  for (let again = 0; again < 2; again++) await app.command('enable Save');
  return app.diary.slice(from).filter((line) => !('done' in line));
}

const SAVED = (line: DiaryLine): boolean => line.clicked === 'Save';
type Row = [string, string, Record<string, unknown>, (line: DiaryLine) => boolean];
const ACTS: Row[] = [
  ['a click by pattern', 'ui_click', { target: `${APP}button:Save`, method: 'pattern' }, SAVED],
  ['a click by the mouse', 'ui_click', { target: `${APP}button:Save`, method: 'input' }, SAVED],
  ['a step of a batch', 'ui_batch', { steps: [{ tool: 'ui_click', target: `${APP}button:Save` }] }, SAVED],
  [
    'a value',
    'ui_set_value',
    { target: `${APP}textbox:Name`, value: 'held back' },
    ({ text, value }) => text === 'Name' && value === 'held back',
  ],
  [
    'letters',
    'ui_type',
    { target: `${APP}textbox:"Notes General"`, text: 'held back', method: 'input' },
    ({ text, value }) => text === 'Notes General' && String(value).includes('held back'),
  ],
  ['keys', 'ui_key', { keys: 'ctrl+s', window: 'Acted on' }, ({ shortcut }) => shortcut === 'ctrl+s'],
  ['a drag', 'ui_drag', { from: `${APP}Pad`, dx: 40, dy: 5 }, ({ dragged }) => dragged === 'Pad'],
  ['a menu', 'ui_click', { target: `${APP}Pad`, button: 'right' }, ({ menu }) => menu === 'Pad'],
];

describe('an act waits until its intent is on the disk', () => {
  it.each(ACTS)('%s', async (_, tool, args, fits) => {
    await appThere();
    const from = app.diary.length;
    const before = await server.read();
    disk.hold();
    const doing = act(tool, { ...args, ...(tool !== 'ui_batch' && { settleMs: 0 }) });
    await until('the intent to be written, and not safe', () => intents() === 1 && disk.waiting > 0);
    expect(await noticed(from)).toEqual([]);
    expect(await server.read()).toEqual(before);
    disk.letGo();
    await doing;
    await until('the app to notice', () => app.diary.slice(from).some(fits));
    expect(intents()).toBe(1);
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
    if (args.button === 'right') await act('ui_key', { keys: 'Escape', window: 'Acted on' });
  });
});

async function failure(work: Promise<unknown>): Promise<DesktopError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw error;
}

describe('an act whose intent does not reach the disk is not done', () => {
  it('in time: not later either, when the disk is well again', async () => {
    const from = app.diary.length;
    await appThere();
    disk.hold();
    const doing = failure(act('ui_click', ACTS[0]![2], 3_000));
    await until('the intent to be written', () => intents() === 1);
    expect(await doing).toMatchObject({ code: 'timeout', delivered: 'no' });
    disk.letGo();
    // The next one is done: nothing of the one before is left over.
    await act('ui_set_value', { target: `${APP}textbox:Name`, value: 'afterwards' });
    const seen = await noticed(from);
    expect(seen.filter(SAVED)).toEqual([]);
    expect(seen).toContainEqual({ text: 'Name', value: 'afterwards' });
    expect(verifyDesktop(places)).toMatchObject({ ok: true });
  });

  it('at all', async () => {
    const from = app.diary.length;
    await appThere();
    disk.broken = true;
    for (const [, tool, args] of ACTS) {
      if (tool === 'ui_batch') continue;
      expect(await failure(act(tool, args))).toMatchObject({ code: 'audit_unavailable', delivered: 'no' });
    }
    expect(await noticed(from)).toEqual([]);
  });
});
