import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { serverCommand } from './init.js';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'deskproof-npx-')));
  mkdirSync(join(base, '_npx/3c'), { recursive: true });
  mkdirSync(join(base, 'clone'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

it.each([
  ['clone', '/n'],
  ['_npx/3c', 'npx'],
])('with npx and the program in %s, the command starts %s', (folder, command) => {
  const file = join(base, folder, 'deskproof.js');
  const link = join(base, '_npx/3c/deskproof');
  writeFileSync(file, '');
  symlinkSync(file, link);
  const server = serverCommand(undefined, { node: '/n', script: link });
  expect(server.command).toBe(command);
  expect(server.args.includes(file)).toBe(command === '/n');
});
