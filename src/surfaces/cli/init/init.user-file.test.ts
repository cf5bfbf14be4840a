import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readUserFile, writeUserFile } from './init.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-own-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('a file of the user', () => {
  it('is refused if reading and writing it would lose bytes', () => {
    writeFileSync(file, Buffer.from([...Buffer.from('{"x":"'), 0xe9, ...Buffer.from('"}')]));
    expect(() => readUserFile(file)).toThrow(/mcp\.json is not encoded in UTF-8\./);
    writeFileSync(file, '\uFEFF{"x":"é"}');
    expect(readUserFile(file)).toBe('\uFEFF{"x":"é"}');
  });

  it('is created with its directory, private to the user', () => {
    const deep = join(folder, 'a', 'b.json');
    expect(readUserFile(deep)).toBe('');
    writeUserFile(deep, '{}');
    expect([readUserFile(deep), statSync(deep).mode & 0o777]).toEqual(['{}', 0o600]);
  });

  it('keeps its permissions', () => {
    writeFileSync(file, '{}');
    chmodSync(file, 0o640);
    writeUserFile(file, '{"a":1}');
    expect([readUserFile(file), statSync(file).mode & 0o777]).toEqual(['{"a":1}', 0o640]);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it.each([true, false])('is written through a link (target exists: %s)', (existing) => {
    mkdirSync(join(folder, 'dotfiles'));
    if (existing) writeFileSync(join(folder, 'dotfiles/mcp.json'), '{}');
    symlinkSync('dotfiles/mcp.json', file);
    writeUserFile(file, '{"a":1}');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles/mcp.json'), 'utf8')).toBe('{"a":1}');
  });

  it('stays unchanged if it cannot be written, and so does a dangling link', () => {
    symlinkSync(join(folder, 'nowhere', 'mcp.json'), file);
    expect(() => writeUserFile(file, '{}')).toThrow(/cannot be written \(ENOENT\)/);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(() => readUserFile(folder)).toThrow(/cannot be read \(EISDIR\)/);
  });
});
