import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LaunchOptions } from '../../../contract/index.js';
import { launchProgram } from './launch.js';
import { startOf } from './resolve-command.js';

let room: string;
const at = (...parts: string[]): string => join(room, ...parts);
beforeEach(() => {
  room = realpathSync(mkdtempSync(join(tmpdir(), 'dp-launch-')));
  for (const folder of ['one', 'two']) {
    mkdirSync(at(folder));
    writeFileSync(at(folder, 'tool'), `#!/bin/sh\necho ${folder} $0\n`, { mode: 0o755 });
  }
  symlinkSync(at('one', 'tool'), at('tool'));
});
afterEach(() => rmSync(room, { recursive: true, force: true }));

async function said(command: string, options: LaunchOptions): Promise<string> {
  const started = await launchProgram({ PATH: at('two'), HOME: room }, command, [], { output: 'pipe', ...options });
  return `${started.program} ${await text(started.stdout!)}`;
}
const judged = (command: string) => startOf(command, [], { path: '', cwd: room, apps: { has: () => false } })!;

it('what was judged is started, by the path that it was found by, wherever else the name leads', async () => {
  expect(await said('tool', {})).toBe(`${at('two', 'tool')} two ${at('two', 'tool')}\n`);
  expect(await said('tool', { judged: judged('./tool') })).toBe(`${at('one', 'tool')} one ${at('tool')}\n`);
  const elsewhere = { cwd: at('two'), env: { PATH: at('two') } };
  expect(await said('./tool', { ...elsewhere, judged: judged('./tool') })).toMatch(/ one /);
});

it('what leads to another program by then is not started', async () => {
  const before = judged('./tool');
  rmSync(at('tool'));
  await expect(said('./tool', { judged: before })).rejects.toMatchObject({ code: 'command_failed' });
  symlinkSync(at('two', 'tool'), at('tool'));
  await expect(said('./tool', { judged: before })).rejects.toMatchObject({ code: 'target_changed', delivered: 'no' });
});
