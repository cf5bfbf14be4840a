// @module-tag safety

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { WindowInfo } from '../../src/tree/index.js';
import { FixtureApp } from '../conformance/fixture-app.js';
import { GovernedDesktop, type Said } from './support/governed-desktop.js';
import { OwnProgram } from './support/own-program.js';
import { until } from './support/seat-room.js';

const CALCULATOR = '/usr/bin/gnome-calculator';
const POLICY = `version: 1
limits: { actsPerMinute: 1000 }
rules:
  - name: calculator-free
    when: { app: "${CALCULATOR}", class: act }
    decision: allow
  - name: nothing-else
    when: { class: act }
    decision: deny
`;
const SCRIPT = fileURLToPath(new URL('../fixture-apps/claimant.py', import.meta.url));

const directory = mkdtempSync(join(tmpdir(), 'dp-impostor-'));
let room: GovernedDesktop;
let calculator: WindowInfo;
let impostor: FixtureApp | undefined;

beforeAll(async () => {
  room = await GovernedDesktop.open(POLICY);
  await room.seat.launch(CALCULATOR, []);
  calculator = await until('the calculator', async () =>
    (await windows()).find(({ title, visible }) => visible && title === 'Calculator'),
  );
});
afterEach(async () => {
  await impostor?.end();
  impostor = undefined;
});
afterAll(async () => {
  await room?.close();
  rmSync(directory, { recursive: true, force: true });
});

async function windows(): Promise<WindowInfo[]> {
  return (await room.call('ui_list_windows')).json.windows as WindowInfo[];
}

async function windowOf(pid: number): Promise<WindowInfo> {
  return until('its window', async () => (await windows()).find((window) => window.pid === pid && window.visible));
}

const clickNine = (window: string): Promise<Said> =>
  room.call('ui_click', { target: 'button:"9"', window, settleMs: 50, timeoutMs: 5_000 });

/** By the program that it is started as. */
type Start = (title: string) => Promise<FixtureApp>;

const byPython: Start = (title) => startAs('/usr/bin/python3', title);
const startAs = (program: string, title: string): Promise<FixtureApp> =>
  FixtureApp.startPath(SCRIPT, { ...room.seat.env, PYTHONHOME: '/usr' }, [title], program);

const copied: Start = (title) => {
  mkdirSync(join(directory, 'usr/bin'), { recursive: true });
  return startAs(OwnProgram.in(join(directory, 'usr/bin'), 'gnome-calculator').path, title);
};
/** By a shell, which stays the same process when it becomes another program. */
function script(name: string, body: string): string {
  const path = join(directory, name);
  writeFileSync(path, `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  return path;
}
const byFirstWord: Start = (title) =>
  startAs(script('first-word', `exec -a ${CALCULATOR} /usr/bin/python3 "$@"`), title);
/** To this process, and to no other, its own program is the file at the calculator's path. */
const amongOtherFiles: Start = (title) => {
  const own = OwnProgram.in(directory, 'mounted').path;
  const inside = `mount --bind ${own} ${CALCULATOR} && exec ${CALCULATOR} "$@"`;
  return startAs(script('mounts', `exec unshare --map-root-user --mount /bin/bash -c '${inside}' x "$@"`), title);
};
const linked: Start = (title) => {
  const link = join(directory, 'gnome-calculator');
  symlinkSync(OwnProgram.in(directory, 'other').path, link);
  return startAs(link, title);
};

describe('an app that calls itself the calculator', () => {
  it.each<[string, Start, (app: FixtureApp) => Promise<unknown>]>([
    ['by title, class and name', byPython, () => Promise.resolve()],
    ['by the process that it names as its own', byPython, (app) => app.command(`pid ${calculator.pid}`)],
    ["as the calculator's dialog", byPython, (app) => app.command(`of ${Number(calculator.id.slice(2))}`)],
    ['as a program of the same name elsewhere', copied, () => Promise.resolve()],
    ['through a link of that name', linked, () => Promise.resolve()],
    ['by the first word of its command', byFirstWord, () => Promise.resolve()],
    ['by other files than ours at that path', amongOtherFiles, () => Promise.resolve()],
  ])('%s, is not allowed what the calculator is', async (_, start, claim) => {
    impostor = await start('Calculator');
    await claim(impostor);
    const { ref, program } = await windowOf(impostor.pid);
    expect(program).not.toBe(CALCULATOR);
    const { code, text } = await clickNine(ref);
    expect(code, text).toBe('policy_denied');
    expect(text).toContain('nothing-else');
    expect(impostor.diary.filter((line) => 'clicked' in line)).toEqual([]);
  });

  it('while the calculator itself is', async () => {
    const { code, text } = await clickNine(calculator.ref);
    expect(code, text).toBeUndefined();
    const expected = 'role=textbox && focused=true && value="9"';
    const shown = await room.call('ui_wait', { until: expected, window: calculator.ref, timeoutMs: 20_000 });
    expect(shown.code, shown.text).toBeUndefined();
  });
});

describe('a name that is not what it seems', () => {
  /** As it was written down when the click was refused. */
  async function scoreOf(label: string): Promise<unknown> {
    await impostor!.command(`name ${JSON.stringify(label)}`);
    const { ref } = await windowOf(impostor!.pid);
    // The app has the new name before its accessibility event has arrived.
    await room.call('ui_wait', { until: { stableMs: 300 }, window: ref, timeoutMs: 20_000 });
    const { code, text } = await room.call('ui_click', { target: 'role=button', window: ref, timeoutMs: 5_000 });
    expect(code, text).toBe('policy_denied');
    expect(impostor!.diary.filter((line) => 'clicked' in line)).toEqual([]);
    const { decision } = room.ledger.records.at(-1) as { decision?: { risk?: unknown } };
    return decision?.risk;
  }
  const LONG = 'A'.repeat(1_000_000);

  it('is as risky as the plain one', async () => {
    impostor = await byPython('Names');
    const plain = await scoreOf('Delete');
    expect(plain).toMatchObject({ score: expect.any(Number) as number });
    expect(await scoreOf('Keep')).not.toEqual(plain);
    const disguised = ['Del\u200bete', 'Ｄｅｌｅｔｅ', '\u202eeteleD\u202c', `Delete ${LONG}`, `${LONG} Delete`];
    for (const label of disguised) expect(await scoreOf(label), label.slice(0, 20)).toEqual(plain);
  });
});
