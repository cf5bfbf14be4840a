import { chmodSync, lstatSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliRoom } from './cli-room.js';
import { UserTerminal } from './support/user-terminal.js';

let room: CliRoom;
beforeEach(() => (room = new CliRoom()));
afterEach(() => room.close());

const cursor = (): string => join(room.base, '.cursor', 'mcp.json');
const claude = (): string => join(room.base, '.claude.json');
const OTHER = '{\n    "mcpServers": {\n        "other": { "command": "x" }\n    }\n}\n';

function installed(): void {
  mkdirSync(join(room.base, '.cursor'));
  writeFileSync(claude(), OTHER);
  chmodSync(claude(), 0o640);
}

describe('connecting clients', () => {
  it('says that there is none, and what to do then', async () => {
    const { code, err } = await room.run(['init']);
    expect(code).toBe(1);
    expect(err).toMatch(/No supported client was found.*\n.*deskproof init --print/);
  });

  it('touches no file with --print, or without a terminal to confirm', async () => {
    installed();
    expect(await room.ok('init', '--print')).toMatch(/Cursor, in .*mcp\.json:\n\{\n {2}"mcpServers"/);
    expect(await room.ok('init')).toMatch(/not written: run this command in a terminal/);
    const { clients } = await room.json<{ clients: { client: string; installed: boolean }[] }>('init');
    expect(clients.filter((one) => one.installed).map((one) => one.client)).toEqual(['Claude Code', 'Cursor']);
    expect(readFileSync(claude(), 'utf8')).toBe(OTHER);
    expect(() => statSync(cursor())).toThrow('ENOENT');
  });

  it('shows the change, writes only where the user agrees; what is written starts the server', async () => {
    installed();
    const elsewhere = join(room.base, 'dotfiles.json');
    writeFileSync(elsewhere, '{}');
    symlinkSync(elsewhere, cursor());
    const terminal = UserTerminal.open(room);
    try {
      terminal.press('clear; deskproof init', 'Enter');
      await terminal.shows(/Claude Code .*\n[^]*\+ +"deskproof": \{\n[^]*Write this change\? \[y\/N\]/);
      terminal.press('n', 'Enter');
      await terminal.shows(/not written\n[^]*Cursor[^]*Write this change\? \[y\/N\]/);
      terminal.press('y', 'Enter');
      await terminal.shows(/written; in Cursor: /);
    } finally {
      terminal.end();
    }
    expect(readFileSync(claude(), 'utf8')).toBe(OTHER);
    expect(lstatSync(cursor()).isSymbolicLink()).toBe(true);
    const { mcpServers } = JSON.parse(readFileSync(elsewhere, 'utf8')) as {
      mcpServers: { deskproof: { command: string; args: string[] } };
    };
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(
      new StdioClientTransport({ ...mcpServers.deskproof, env: room.env as Record<string, string> }),
    );
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('ui_click');
    await client.close();
  });

  it('ends at Ctrl-C, and asks nothing more', async () => {
    installed();
    const terminal = UserTerminal.open(room);
    try {
      terminal.press('clear; deskproof init; echo "ended with $?"', 'Enter');
      await terminal.shows(/Write this change\? \[y\/N\]/);
      terminal.press('C-c');
      expect(await terminal.shows(/ended with \d+/)).toMatch(/ended with 130/);
      expect(terminal.screen()).not.toMatch(/Cursor/);
    } finally {
      terminal.end();
    }
    expect(readFileSync(claude(), 'utf8')).toBe(OTHER);
  });

  it('refuses an invalid desktop name before it is written to any file', async () => {
    const { code, err } = await room.run(['init', '--print', '--desktop', 'My Desk']);
    expect([code, err]).toEqual([2, expect.stringMatching(/letters without accents, digits and dashes/)]);
  });

  it.each<[string, Buffer | string, RegExp]>([
    [
      'another encoding',
      Buffer.from([0x7b, 0x22, 0xe9, 0x22, 0x3a, 0x31, 0x7d]),
      /mcp\.json is not encoded in UTF-8\./,
    ],
    [
      'two lists of servers',
      '{"mcpServers":{},"mcpServers":{}}',
      /mcp\.json contains "mcpServers" twice in the same object\./,
    ],
  ])('a file with %s is left as it is', async (_, content, says) => {
    installed();
    writeFileSync(cursor(), content);
    const { code, out } = await room.run(['init']);
    expect(code).toBe(1);
    expect(out).toMatch(says);
    expect(out).toMatch(/The file was not changed\.[^]*deskproof init --print/);
    expect(readFileSync(cursor())).toEqual(Buffer.from(content));
  });

  it('a file in one line stays one, and keys of other servers are not shown', async () => {
    installed();
    const other = '"other":{"command":"x","env":{"TOKEN":"tk-secret"}}';
    writeFileSync(cursor(), `{"mcpServers":{${other}}}`);
    const terminal = UserTerminal.open(room);
    try {
      terminal.press('clear; deskproof init', 'Enter');
      await terminal.shows(/Write this change\? \[y\/N\]/);
      terminal.press('n', 'Enter');
      await terminal.shows(/Cursor[^]*Write this change\? \[y\/N\]/);
      terminal.press('y', 'Enter');
      await terminal.shows(/written; in Cursor: /);
      expect(terminal.screen()).not.toMatch(/tk-secret|TOKEN/);
    } finally {
      terminal.end();
    }
    const written = readFileSync(cursor(), 'utf8');
    expect(written).toMatch(/^\{"mcpServers":\{"deskproof":\{[^\n]*\},"other":[^\n]*\}$/);
    expect(written).toContain(other);
  });

  it('a file that is no JSON is left as it is; the others are offered all the same', async () => {
    installed();
    writeFileSync(cursor(), '{ broken');
    const { code, out } = await room.run(['init']);
    expect(code).toBe(1);
    expect(out).toMatch(/Claude Code[^]*\+ +"deskproof"[^]*Cursor[^]*line 1 is not valid JSON/);
    expect(readFileSync(cursor(), 'utf8')).toBe('{ broken');
  });
});
