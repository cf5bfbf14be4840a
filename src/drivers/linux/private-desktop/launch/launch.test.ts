import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { LaunchOptions } from '../../../contract/index.js';
import { launchProgram } from './launch.js';
import { resolveCommand } from './resolve-command.js';

let root: string;
const at = (...parts: string[]): string => join(root, ...parts);
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'dp-launch-')));
  for (const folder of ['one', 'two']) {
    mkdirSync(at(folder));
    writeFileSync(at(folder, 'tool'), `#!/bin/sh\necho ${folder} $0\n`, { mode: 0o755 });
  }
  symlinkSync(at('one', 'tool'), at('tool'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

async function outputOf(command: string, options: LaunchOptions): Promise<string> {
  const started = await launchProgram({ PATH: at('two'), HOME: root }, command, [], { output: 'pipe', ...options });
  return `${started.program} ${await text(started.stdout!)}`;
}
const authorized = (command: string) =>
  resolveCommand(command, [], { path: '', cwd: root, apps: { has: () => false, opensWeb: () => false } })!;

it('starts the authorized program by its path, even if the name now leads elsewhere', async () => {
  expect(await outputOf('tool', {})).toBe(`${at('two', 'tool')} two ${at('two', 'tool')}\n`);
  expect(await outputOf('tool', { authorized: authorized('./tool') })).toBe(`${at('one', 'tool')} one ${at('tool')}\n`);
  const elsewhere = { cwd: at('two'), env: { PATH: at('two') } };
  expect(await outputOf('./tool', { ...elsewhere, authorized: authorized('./tool') })).toMatch(/ one /);
});

it('refuses to start a path that leads to another program than the authorized one', async () => {
  const before = authorized('./tool');
  rmSync(at('tool'));
  await expect(outputOf('./tool', { authorized: before })).rejects.toMatchObject({ code: 'command_failed' });
  symlinkSync(at('two', 'tool'), at('tool'));
  await expect(outputOf('./tool', { authorized: before })).rejects.toMatchObject({
    code: 'target_changed',
    delivered: 'no',
  });
});
