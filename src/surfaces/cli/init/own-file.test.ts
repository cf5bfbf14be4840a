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
import { readOwn, writeOwn } from './own-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dp-own-'));
  file = join(folder, 'mcp.json');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file of a person's own", () => {
  it('is refused where reading and writing it again would lose bytes', () => {
    writeFileSync(file, Buffer.from([...Buffer.from('{"x":"'), 0xe9, ...Buffer.from('"}')]));
    expect(() => readOwn(file)).toThrow(/mcp\.json is not written in UTF-8\./);
    writeFileSync(file, '\uFEFF{"x":"é"}');
    expect(readOwn(file)).toBe('\uFEFF{"x":"é"}');
  });

  it('is made where there is none, with its folder, for them alone', () => {
    const deep = join(folder, 'a', 'b.json');
    expect(readOwn(deep)).toBe('');
    writeOwn(deep, '{}');
    expect([readOwn(deep), statSync(deep).mode & 0o777]).toEqual(['{}', 0o600]);
  });

  it('keeps its rights', () => {
    writeFileSync(file, '{}');
    chmodSync(file, 0o640);
    writeOwn(file, '{"a":1}');
    expect([readOwn(file), statSync(file).mode & 0o777]).toEqual(['{"a":1}', 0o640]);
    expect(readdirSync(folder)).toEqual(['mcp.json']);
  });

  it.each([true, false])('is written where a link leads to (there already: %s)', (there) => {
    mkdirSync(join(folder, 'dotfiles'));
    if (there) writeFileSync(join(folder, 'dotfiles/mcp.json'), '{}');
    symlinkSync('dotfiles/mcp.json', file);
    writeOwn(file, '{"a":1}');
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'dotfiles/mcp.json'), 'utf8')).toBe('{"a":1}');
  });

  it('that cannot be written stays as it is, and so does a link that leads nowhere', () => {
    symlinkSync(join(folder, 'nowhere', 'mcp.json'), file);
    expect(() => writeOwn(file, '{}')).toThrow(/cannot be written \(ENOENT\)/);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(() => readOwn(folder)).toThrow(/cannot be read \(EISDIR\)/);
  });
});
