import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { changedLines } from './changed-lines.js';
import { knownClients, type McpClient } from './clients.js';
import { withServer } from './config-text.js';
import { serverCommand } from './server-command.js';

const [desktop, , code] = knownClients({ HOME: '/home/ada' }, 'linux') as [McpClient, McpClient, McpClient];
const SERVER = { command: '/usr/bin/node', args: ['/opt/deskwright.js', 'mcp'] };

describe('Deskwright in a file of a client', () => {
  it.each([
    ['no file yet', '', desktop, { mcpServers: { deskwright: SERVER } }],
    ['an empty object', '{}', code, { servers: { deskwright: { type: 'stdio', ...SERVER } } }],
    [
      'others',
      '{"mcpServers":{"a":{"command":"b"}},"x":1}',
      desktop,
      { mcpServers: { a: { command: 'b' }, deskwright: SERVER }, x: 1 },
    ],
  ])('is put in: %s', (_, text, client, whole) => {
    expect(JSON.parse(withServer(text, client, SERVER))).toEqual(whole);
  });

  it('leaves every other letter, comments and tabs as they are', () => {
    const before = '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "b" }, // keep\n\t},\n}\n';
    const after = withServer(before, code, SERVER);
    for (const line of ['\t// mine', '"a": { "command": "b" }, // keep']) expect(after).toContain(line);
    expect(after).toContain('\n\t\t"deskwright": {\n\t\t\t"type": "stdio",');
    expect(withServer(after, code, SERVER)).toBe(after);
  });

  it('changes only how ours is started when it is there: what was added to it stays', () => {
    const before = '{ "mcpServers": { "deskwright": { "command": "npx", "args": [], "env": { "A": "1" } } } }';
    expect(JSON.parse(withServer(before, desktop, SERVER))).toEqual({
      mcpServers: { deskwright: { ...SERVER, env: { A: '1' } } },
    });
  });

  it('leaves the mark that some editors begin a file with, and its line ends', () => {
    const after = withServer('\uFEFF{\r\n  "x": 1\r\n}\r\n', desktop, SERVER);
    expect(after.startsWith('\uFEFF{\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(JSON.parse(after.slice(1))).toEqual({ mcpServers: { deskwright: SERVER }, x: 1 });
    expect(withServer(after, desktop, SERVER)).toBe(after);
  });

  it('that was one by HTTP is one that is started', () => {
    const before = '{ "servers": { "deskwright": { "type": "http", "command": "x" } } }';
    expect(JSON.parse(withServer(before, code, SERVER))).toEqual({
      servers: { deskwright: { type: 'stdio', ...SERVER } },
    });
  });

  it.each([
    ['no JSON', '{\n  "a": 1\n  "b": 2\n}', /\(line 3 is no JSON\)/],
    ['cut off', '{ "mcpServers": {', /is not what Claude Desktop reads/],
    ['a list', '[]', /is not what/],
    ['servers that are none', '{ "mcpServers": [] }', /is not what/],
  ])('refuses %s and says where', (_, text, words) => {
    expect(() => withServer(text, desktop, SERVER)).toThrow(words);
    expect(() => withServer(text, desktop, SERVER)).toThrow(DesktopError);
  });
});

it.each([
  ['nothing', 'a\nb\n', 'a\nb\n', []],
  ['a line put in', 'a\nb\n', 'a\nx\nb\n', ['+ x']],
  ['a line changed', 'a\nb\nc\n', 'a\nB\nc\n', ['- b', '+ B']],
  ['the same line again', 'a\na\n', 'a\na\na\n', ['+ a']],
  ['a new file', '', 'a\nb\n', ['+ a', '+ b']],
  [
    'of one long line only what is changed',
    `{"key":"${'k'.repeat(100)}","a":{"x":1},"key":"${'k'.repeat(100)}"}`,
    `{"key":"${'k'.repeat(100)}","a":{"x":2,\n"y":3},"key":"${'k'.repeat(100)}"}`,
    ['- …1…', '+ …2,', '+ "y":3…'],
  ],
])('shows %s', (_, before, after, lines) => {
  expect(changedLines(before, after)).toEqual(lines);
});

it.each([
  [
    'installed',
    '/usr/lib/node_modules/deskwright/dist/x.js',
    undefined,
    '/n',
    ['/usr/lib/node_modules/deskwright/dist/x.js', 'mcp'],
  ],
  ['with a desktop', '/d.js', 'virtual', '/n', ['/d.js', 'mcp', '--desktop', 'virtual']],
  [
    'by npx',
    '/home/ada/.npm/_npx/3c/node_modules/.bin/deskwright',
    undefined,
    'npx',
    ['-y', expect.stringMatching(/^deskwright@\d/), 'mcp'],
  ],
])('is started as it was started now: %s', (_, script, name, command, args) => {
  expect(serverCommand(name, { node: '/n', script })).toEqual({ command, args });
});

it.each([
  [
    'linux',
    { HOME: '/h' },
    [
      '/h/.config/Claude/claude_desktop_config.json',
      '/h/.claude.json',
      '/h/.config/Code/User/mcp.json',
      '/h/.cursor/mcp.json',
    ],
  ],
  [
    'linux',
    { HOME: '/h', XDG_CONFIG_HOME: '/c' },
    ['/c/Claude/claude_desktop_config.json', '/h/.claude.json', '/c/Code/User/mcp.json', '/h/.cursor/mcp.json'],
  ],
  [
    'darwin',
    { HOME: '/h' },
    [
      '/h/Library/Application Support/Claude/claude_desktop_config.json',
      '/h/.claude.json',
      '/h/Library/Application Support/Code/User/mcp.json',
      '/h/.cursor/mcp.json',
    ],
  ],
] as const)('knows where the files are on %s', (platform, env, files) => {
  expect(knownClients(env, platform).map(({ file }) => file)).toEqual(files);
});
