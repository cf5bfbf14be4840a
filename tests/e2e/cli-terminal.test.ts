import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pathWith } from './support/never-ready.js';
import { terminalForEach } from './support/terminal-for-each.js';

const here = terminalForEach();

const screen = (...options: string[]): string => here.terminal.screen(...options);
const press = (...keys: string[]): void => here.terminal.press(...keys);
const type = (line: string, ...options: string[]): Promise<string> => here.terminal.type(line, ...options);

describe('on a terminal', () => {
  it('answers without marks, in colour, and names the private desktop', async () => {
    await here.room.ok('desktop', 'start', '--name', 'work');
    await here.room.ok('desktop', 'launch', '--', 'xclock', '-title', 'Clock');
    const plain = await type('deskproof list-windows');
    expect(plain).toMatch(/^desktop work\n/);
    expect(plain).toMatch(/w1 .*Clock.*xclock/);
    expect(plain).not.toContain('<ui ');
    expect(await type('deskproof list-windows', '-e')).toMatch(/\x1b\[36mw1\x1b/);
    expect(await type('NO_COLOR=1 deskproof list-windows', '-e')).not.toMatch(/\x1b\[36m/);
    expect(await type('deskproof list-windows | cat')).toMatch(/<ui [0-9a-f]{8}: app text/);
    expect(await type('deskproof snapshot Nothing')).toMatch(/^deskproof: .+\n(.+\n)* {2}next: /);
  });

  it('is quiet when its reader leaves', async () => {
    expect(await type('deskproof --help | head -n 1; echo ${PIPESTATUS[0]}')).toMatch(/^Deskproof: see .*\n0\n/);
  });

  it('shows the demo, and Ctrl-C in the middle of it leaves nothing', async () => {
    // Its first app never shows a window, so that it is in the middle for as long as we need.
    const path = pathWith(join(here.room.base, 'bin'), 'gnome-calculator');
    press(`clear; PATH='${path}' deskproof demo`, 'Enter');
    await expect.poll(() => screen(), { timeout: 60_000 }).toMatch(/1 desktop {3}"demo-[0-9a-f]{4}" up in/);
    press('C-c');
    await expect.poll(() => screen(), { timeout: 60_000 }).toMatch(/Stopped\. Nothing is left running\./);
    const hosts = () =>
      here.room.processes().filter(({ command }) => /host\/main\.js|Xvfb|dbus-daemon|openbox/.test(command));
    await expect.poll(hosts, { timeout: 60_000 }).toEqual([]);
    expect(here.room.files()).toEqual([]);
  });

  it('plays the whole demo, and no line of it is too long', async () => {
    here.terminal.narrow();
    const shown = await type('deskproof demo');
    const steps = [
      /^Deskproof demo: a private desktop, two real apps\. Your desktop is not touched\.$/m,
      /^1 desktop {3}"demo-[0-9a-f]{4}" up in \d+\.\d s \(1280x800, own display, bus and home\)$/m,
      /^2 look {6}Calculator: \d+ elements, \d+ tokens, \d+ ms$/m,
      /button e\d+ "7", e\d+ "8", e\d+ "9"/,
      /^3 act {7}Calculator: 1 2 \. 5 × 8 = {4}7 clicks by pattern, no mouse, \d+\.\d s$/m,
      /^ {12}the calculator shows 100$/m,
      /^4 act {7}Mousepad: a note, File > Save As, notes\.txt {4}4 acts, \d+\.\d s$/m,
      /^ {12}the file on disk has the same 41 bytes$/m,
      /^5 refuse {4}Mousepad: delete a line {4}guarded policy, needs approval: refused$/m,
      /^ {14}be asked here\. Delivered: no\. Retry: after they answer\.$/m,
      /^ {12}the editor still shows the whole note$/m,
      /^6 log {7}\d+ records: 15 acts, 1 refused {4}chain and signature verify$/m,
      /^ {14}ok \d+ records, /m,
      /screenshot of the desktop: demo-[0-9a-f]{4}\.png$/m,
      /^Done in \d+ s\. The desktop is stopped, and nothing is left running\.$/m,
    ];
    for (const step of steps) expect(shown).toMatch(step);
    expect(readdirSync(here.room.base).filter((name) => name.endsWith('.png'))).toHaveLength(1);
    expect(here.room.files()).toEqual([]);
  });
});
