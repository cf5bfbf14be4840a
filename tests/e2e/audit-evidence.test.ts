// @module-tag safety

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditRecord } from '../../src/audit/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { HostRoom } from './support/host-room.js';

/** Letters only, so that no number or id can look like it. */
const SECRET = 'qwvzkjxmpbry';
const MAIL = 'ada.lovelace@example.org';
const POLICY = `version: 1
masks: [email]
secrets:
  pin: { env: DP_TEST_PIN, into: { window: "Secrets in gtk3" } }
audit: { evidence: blobs, keepDays: 30 }
`;

let room: HostRoom;
beforeAll(async () => {
  room = await HostRoom.open({ DP_TEST_PIN: SECRET }, '1280x900', POLICY);
});
afterAll(() => room?.close());

const folder = (): string => join(room.base, '.local/share/deskproof/audit/room/evidence');

async function intents(): Promise<Extract<AuditRecord, { kind: 'intent' }>[]> {
  const { lines } = await room.json<{ lines: { record: AuditRecord }[] }>('audit', 'show', '--last', '500');
  return lines.flatMap(({ record }) => (record.kind === 'intent' ? record : []));
}

/** The lines about elements: without our own first line, the markers and the line of the window. */
const elementLines = (text: string): string[] =>
  text.split('\n').filter((line) => /\be\d+\b/.test(line) && !line.startsWith('snapshot '));

const all = { maxTokens: 50_000 };

describe('with audit.evidence: blobs', () => {
  it('the stored snapshots are what the app showed before and after the act', async () => {
    await room.ok('desktop', 'launch', '--', 'gnome-calculator');
    await room.ok('wait', '{"window":"Calculator"}');
    const before = (await room.call('ui_snapshot', { window: 'Calculator', ...all })).text;
    await room.ok('click', 'app=gnome-calculator >> button:"7"');
    const after = (await room.call('ui_snapshot', { window: 'Calculator', ...all })).text;
    const seq = String((await intents()).at(-1)!.seq);
    const opened = await room.ok('audit', 'evidence', seq);
    expect(opened).toMatch(/^snapshot before record \d+ \(ui_click, .*\): matches the log, complete\n/);
    expect(elementLines(opened).length).toBeGreaterThan(5);
    expect(elementLines(opened)).toEqual(elementLines(before));
    const later = await room.ok('audit', 'evidence', seq, '--after');
    expect(elementLines(later)).toEqual(elementLines(after));
    expect(elementLines(later)).not.toEqual(elementLines(opened));
  });

  it('the file is private, is not overwritten, and the disk has no plain text', async () => {
    const seq = String((await intents()).at(-1)!.seq);
    await room.ok('audit', 'evidence', seq, '-o', 'before.txt');
    const file = join(room.base, 'before.txt');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).toBe(await withoutNonce(['audit', 'evidence', seq], file));
    const again = await room.run(['audit', 'evidence', seq, '-o', 'before.txt']);
    expect([again.code, again.err]).toEqual([2, expect.stringContaining('before.txt already exists.')]);
    expect(readdirSync(folder())).toHaveLength(2);
    for (const name of readdirSync(folder())) expect(readFileSync(join(folder(), name)).includes('Calc')).toBe(false);
  });

  /** Each output has markers of its own; the ones of the file are put in. */
  async function withoutNonce(words: string[], file: string): Promise<string> {
    const nonce = (text: string): string => /<ui ([0-9a-f]{8})/.exec(text)![1]!;
    const text = await room.ok(...words);
    return text.replaceAll(nonce(text), nonce(readFileSync(file, 'utf8')));
  }

  it('a typed secret and a masked e-mail address are in no stored snapshot', async () => {
    const app = await FixtureApp.start('secrets.py', room.seatEnv, ['gtk3']);
    const window = 'Secrets in gtk3';
    const name = `window="${window}" >> textbox:Name`;
    await room.ok('wait', JSON.stringify({ window }));
    const holds = async (text: string): Promise<void> => {
      const from = app.diary.length;
      await app.command('tell Name');
      expect(await app.wait('its text', (line) => line.holds === 'Name', from)).toMatchObject({ text });
    };
    await room.ok('set-value', name, MAIL);
    await holds(MAIL);
    await room.ok('set-value', name, '--secret', 'pin');
    await holds(SECRET);
    // The app shows the secret in its title and in a label.
    await app.command('echo Name');
    await room.ok('click', 'textbox:Name');
    await app.end();
    const texts: string[] = [];
    for (const { seq } of await intents())
      for (const side of [[], ['--after']]) {
        const { out, err } = await room.run(['audit', 'evidence', String(seq), '--json', ...side]);
        texts.push(`${out}${err}`);
      }
    const whole = texts.join('\n');
    expect(whole).toContain('‹masked:email›');
    expect(whole).toContain('‹secret:pin›');
    expect(whole).not.toContain(MAIL);
    expect(whole).not.toContain('lovelace');
    expect(whole).not.toContain(SECRET.slice(0, 8));
    expect(whole).toMatch(/The snapshot after record \d+ was not stored\./);
  });

  it('verify counts them, and a changed one is not opened', async () => {
    expect(await room.ok('audit', 'verify')).toMatch(/note: stored snapshots: \d+ present, 0 expired, 0 missing\n/);
    const { seq } = (await intents()).find(({ evidence }) => evidence?.blob?.hash)!;
    const file = join(
      folder(),
      readdirSync(folder()).find((name) => name.includes(`-${String(seq).padStart(6, '0')}-before`))!,
    );
    const bytes = readFileSync(file);
    bytes[bytes.length - 1]! ^= 1;
    writeFileSync(file, bytes);
    const { code, out, err } = await room.run(['audit', 'evidence', String(seq)]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(`The snapshot before record ${seq} was changed after it was stored.`);
  });
});
