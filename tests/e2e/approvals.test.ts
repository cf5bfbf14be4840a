// @module-tag safety

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliRoom, type Outcome } from './cli-room.js';
import { UserTerminal } from './support/user-terminal.js';

const POLICY = `version: 1
approvals: { seconds: 30 }
rules:
  - name: ask-first
    when: { app: "/usr/bin/gnome-calculator", class: act }
    decision: ask
`;

let room: CliRoom;
let user: UserTerminal;
let other: UserTerminal;
beforeAll(async () => {
  room = new CliRoom();
  mkdirSync(join(room.base, '.config/deskproof'), { recursive: true, mode: 0o700 });
  writeFileSync(join(room.base, '.config/deskproof/policy.yaml'), POLICY, { mode: 0o600 });
  await room.ok('desktop', 'start', '--name', 'work');
  await room.ok('desktop', 'launch', '--', 'gnome-calculator');
  user = UserTerminal.open(room, 'user');
  other = UserTerminal.open(room, 'other');
});
afterAll(async () => {
  user?.end();
  other?.end();
  await room?.close();
});

const SEVEN = 'app=gnome-calculator >> button:"7"';
/** Whose standard input is no terminal: a script, or a model with a shell. */
const click = (): Promise<Outcome> => room.run(['click', SEVEN]);
/** What the calculator shows, by its own word. */
async function shown(): Promise<string> {
  const { text } = await room.json<{ text: string }>('read', 'app=gnome-calculator >> role=textbox && focused=true');
  return text;
}

/** A user reads first: keys that come sooner were not meant for this question. */
async function answer(terminal: UserTerminal, ...keys: string[]): Promise<void> {
  await pause(800);
  terminal.press(...keys);
}

describe('an act that needs approval', () => {
  it('is refused where none can be asked, and nothing is done', async () => {
    const { code, out, err } = await click();
    expect(code).toBe(3);
    expect(`${out}${err}`).toMatch(
      /^failed: approval_required\. click e\d+ button "7" in w1 needs a person \(risk medium, rule ask-first\)/m,
    );
    expect(`${out}${err}`).toMatch(/next: tell the person to run: deskproof approvals/);
    expect(await shown()).toBe('');
  });

  it('is not performed if the user ends the command at the question', async () => {
    user.press(`clear; deskproof click '${SEVEN}'; echo "ended with $?"`, 'Enter');
    await user.shows(/\[n\]o/);
    user.press('C-c');
    await user.shows(/^ended with 130$/m);
    expect(await shown()).toBe('');
  });

  it('is asked about in the terminal of the command itself, and done after a yes', async () => {
    user.press(`clear; deskproof click '${SEVEN}'`, 'Enter');
    const question = await user.shows(/\[n\]o/);
    expect(question).toMatch(/May cli do this\?/);
    expect(question).toMatch(/what +click e\d+ button "7" in w1/);
    expect(question).toMatch(/program +\/usr\/bin\/gnome-calculator \(pid \d+\), reported by the OS/);
    expect(question).toMatch(/why +risk medium, rule ask-first/);
    expect(await shown()).toBe('');
    await answer(user, 'y', 'Enter');
    await user.shows(/^ok: click e\d+ button "7"/m);
    expect(await shown()).toBe('7');
  });

  it('is answered from another terminal, with the reason for a no', async () => {
    other.press('clear; deskproof approvals', 'Enter');
    await other.shows(/Approval requests of desktop work appear here/);
    const refused = click();
    await other.shows(/what +click e\d+ button "7"/);
    await answer(other, 'n', 'Space', 'not', 'Space', 'now', 'Enter');
    const { code, out, err } = await refused;
    expect(code).toBe(3);
    expect(`${out}${err}`).toMatch(
      /^failed: approval_denied\. The person refused click e\d+ button "7" in w1 \(risk medium, rule ask-first\)\./m,
    );
    expect(`${out}${err}`).toMatch(/^person: not now$/m);
    expect(await shown()).toBe('7');
  });

  it('shows long arguments page by page before it is answered', async () => {
    other.wipe();
    const text = `${'1+'.repeat(2_000)}4242`;
    const field = 'app=gnome-calculator >> role=textbox && focused=true';
    const waiting = room.run(['type', text, '--target', field]);
    await other.shows(/more +\d+ pages of the arguments not shown yet\. Type m to read them/);
    await answer(other, 'y', 'Enter');
    await other.shows(/not shown yet\. Type m to read on, or answer again to allow it unread/);
    for (let page = 0; page < 3; page++) {
      other.wipe();
      other.press('m', 'Enter');
      await other.shows(page < 2 ? /1\+1\+1\+|\d more pages/ : /You have seen everything|0 more pages/);
    }
    expect(await shown()).toBe('7');
    other.press('n', 'Enter');
    expect((await waiting).code).toBe(3);
    expect(await shown()).toBe('7');
  });

  it('is still performed if the user works elsewhere on the desktop meanwhile', async () => {
    other.wipe();
    const waiting = click();
    await other.shows(/what +click e\d+ button "7"/);
    // Not `desktop launch`: that would wait for its turn, as acts do.
    const { env } = await room.json<{ env: Record<string, string> }>('desktop', 'env');
    const elsewhere = spawn('xclock', ['-title', 'Elsewhere'], { env: { ...room.env, ...env }, stdio: 'ignore' });
    await expect.poll(() => room.ok('list-windows'), { timeout: 30_000 }).toContain('Elsewhere');
    await answer(other, 'o', 'Enter');
    expect((await waiting).code).toBe(0);
    expect(await shown()).toBe('77');
    elsewhere.kill();
  });

  it('granted for the app is not asked again, until it is taken back', async () => {
    other.wipe();
    const first = click();
    await other.shows(/what +click e\d+ button "7"/);
    await answer(other, 'a', 'Enter');
    expect((await first).code).toBe(0);
    expect((await click()).code).toBe(0);
    expect(await shown()).toBe('7777');
    const list = await room.ok('grants');
    expect(list).toMatch(
      /^[0-9a-f]{8} {2}app +cli: every act in \/usr\/bin\/gnome-calculator, up to medium risk, until \d\d:\d\d\n$/,
    );
    await room.ok('grants', 'revoke', list.slice(0, 8));
    other.press('C-c');
    await other.shows(/^\$ ?$/m);
    expect((await click()).code).toBe(3);
    expect(await shown()).toBe('7777');
  });

  it('stands in the log with its question and its answer', async () => {
    const log = await room.ok('audit', 'show');
    for (const line of [
      /ask +ui_click/,
      /answer .*allowed/,
      /answer .*denied.*not now/,
      /grant .*given/,
      /grant .*revoked/,
    ]) {
      expect(log).toMatch(line);
    }
    expect((await room.run(['audit', 'verify'])).code).toBe(0);
  });
});

describe('the user', () => {
  it('enables a desktop only at a terminal', async () => {
    const { code, err } = await room.run(['enable']);
    expect(code).toBe(3);
    expect(err).toMatch(/Only the user at a terminal can enable a desktop/);
    expect(await user.type('deskproof enable')).toMatch(/Enabled until the host of this desktop ends/);
    expect(await room.ok('disable')).toMatch(/Disabled\. All grants were revoked/);
  });

  it('stops everything, and that outlives the host', async () => {
    await room.ok('stop');
    const { pid } = await room.json<{ pid: number }>('desktop', 'list').then((list) => {
      const { desktops } = list as unknown as { desktops: { name: string; pid: number }[] };
      return desktops.find(({ name }) => name === 'work')!;
    });
    process.kill(pid, 'SIGKILL');
    await expect
      .poll(async () => (await room.run(['desktop', 'start', '--name', 'work'])).code, { timeout: 60_000 })
      .toBe(0);
    const { code, out, err } = await room.run(['list-windows']);
    expect(code).toBe(3);
    expect(`${out}${err}`).toMatch(/everything was stopped at \d\d:\d\d:\d\d, because the user ran deskproof stop/);
    expect((await room.inTerminal('resume')).code).toBe(0);
    expect((await room.run(['list-windows'])).code).toBe(0);
  });
});
