import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { changedLines } from './changed-lines.js';
import { knownClients, type McpClient } from './clients.js';
import { withServer } from './config-text.js';
import { serverCommand } from './server-command.js';

const [desktop, , code] = knownClients({ HOME: '/home/ada' }, 'linux') as [McpClient, McpClient, McpClient];
const SERVER = { command: '/usr/bin/node', args: ['/opt/deskwright.js', 'mcp'] };

const put = (text: string, client: McpClient): string => withServer(text, client, SERVER).text;

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
    expect(JSON.parse(put(text, client))).toEqual(whole);
  });

  it('leaves every other letter, comments and tabs as they are', () => {
    const before = '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "b" }, // keep\n\t},\n}\n';
    const after = put(before, code);
    for (const line of ['\t// mine', '"a": { "command": "b" }, // keep']) expect(after).toContain(line);
    expect(after).toContain('\n\t\t"deskwright": {\n\t\t\t"type": "stdio",');
    expect(put(after, code)).toBe(after);
  });

  it('changes only how ours is started when it is there: what was added to it stays', () => {
    const before = '{ "mcpServers": { "deskwright": { "command": "npx", "args": [], "env": { "A": "1" } } } }';
    expect(JSON.parse(put(before, desktop))).toEqual({
      mcpServers: { deskwright: { ...SERVER, env: { A: '1' } } },
    });
  });

  it('leaves the mark that some editors begin a file with, and its line ends', () => {
    const after = put('\uFEFF{\r\n  "x": 1\r\n}\r\n', desktop);
    expect(after.startsWith('\uFEFF{\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(JSON.parse(after.slice(1))).toEqual({ mcpServers: { deskwright: SERVER }, x: 1 });
    expect(put(after, desktop)).toBe(after);
  });

  it('that was one by HTTP is one that is started', () => {
    const before = '{ "servers": { "deskwright": { "type": "http", "command": "x" } } }';
    expect(JSON.parse(put(before, code))).toEqual({
      servers: { deskwright: { type: 'stdio', ...SERVER } },
    });
  });

  it.each([
    ['no JSON', '{\n  "a": 1\n  "b": 2\n}', /\(line 3 is no JSON\)/],
    ['cut off', '{ "mcpServers": {', /is not what Claude Desktop reads/],
    ['a list', '[]', /is not what/],
    ['servers that are none', '{ "mcpServers": [] }', /is not what/],
    ['two lists of servers', '{ "mcpServers": {}, "mcpServers": { "a": {} } }', /has "mcpServers" twice/],
    ['two of ours', '{ "mcpServers": { "deskwright": {}, "deskwright": {} } }', /has "deskwright" twice/],
    ['two ways to start ours', '{ "mcpServers": { "deskwright": { "args": [], "args": [1] } } }', /has "args" twice/],
  ])('refuses %s and says where', (_, text, words) => {
    expect(() => put(text, desktop)).toThrow(words);
    expect(() => put(text, desktop)).toThrow(DesktopError);
  });
});

const OURS = '"deskwright":{"command":"/usr/bin/node","args":["/opt/deskwright.js","mcp"]}';
const KEY = '"k":{"env":{"TOKEN":"tk-1"}}';

describe('a file in one line stays one, and nothing but the change is shown', () => {
  it.each([
    ['among others', `{"mcpServers":{${KEY}}}`, `{"mcpServers":{${OURS},${KEY}}}`, [`+ ${OURS},`]],
    [
      'without servers',
      `{ "x": "tk-2" }\n`,
      `{ "mcpServers": {${OURS}}, "x": "tk-2" }\n`,
      [`+ "mcpServers": {${OURS}},`],
    ],
    ['with none yet', `{"mcpServers":{},${KEY}}`, `{"mcpServers":{${OURS}},${KEY}}`, [`+ ${OURS}`]],
    [
      'with an old one',
      `{"mcpServers":{"deskwright":{"command":"npx","args":["/opt/deskwright.js","mcp"],"env":{"A":"tk-3"}}}}`,
      `{"mcpServers":{"deskwright":{"command":"/usr/bin/node","args":["/opt/deskwright.js","mcp"],"env":{"A":"tk-3"}}}}`,
      ['- "command":"npx"', '+ "command":"/usr/bin/node"'],
    ],
    [
      'with a null',
      `{"mcpServers":{"deskwright":null,${KEY}}}`,
      `{"mcpServers":{${OURS},${KEY}}}`,
      ['- "deskwright":null', `+ ${OURS}`],
    ],
    ['with it', `{"mcpServers":{${OURS},${KEY}}}`, `{"mcpServers":{${OURS},${KEY}}}`, []],
  ])('%s', (_, before, after, lines) => {
    const result = withServer(before, desktop, SERVER);
    expect(result.text).toBe(after);
    expect(changedLines(result)).toEqual(lines);
  });
});

describe('a file in lines gets lines like its own, and nothing but the change is shown', () => {
  const entry = (indent: string): string[] => [
    `${indent}"deskwright": {`,
    `${indent}  "command": "/usr/bin/node",`,
    `${indent}  "args": [`,
    `${indent}    "/opt/deskwright.js",`,
    `${indent}    "mcp"`,
    `${indent}  ]`,
    `${indent}}`,
  ];
  const shown = (lines: readonly string[]): string[] => lines.map((line) => `+ ${line}`);
  const within = (indent: string): string[] => [`${indent}"mcpServers": {`, ...entry(`${indent}  `), `${indent}}`];

  it.each<[string, string, (ours: string) => string, string[]]>([
    ['a new one', '', (ours) => `{\n${ours}\n}\n`, within('  ')],
    ['without servers', '{\n  "x": 1\n}\n', (ours) => `{\n${ours},\n  "x": 1\n}\n`, within('  ')],
    ['with none yet', '{\n  "mcpServers": {}\n}', (ours) => `{\n  "mcpServers": {\n${ours}\n  }\n}`, entry('    ')],
    [
      'with a comment only',
      '{\n  "mcpServers": {\n    // none\n  },\n}',
      (ours) => `{\n  "mcpServers": {\n${ours}\n    // none\n  },\n}`,
      entry('    '),
    ],
    [
      'with others',
      '{\n  "mcpServers": {\n    "k": {"env":{"A":"tk-1"}}, // k\n  },\n}',
      (ours) => `{\n  "mcpServers": {\n${ours},\n    "k": {"env":{"A":"tk-1"}}, // k\n  },\n}`,
      entry('    '),
    ],
  ])('%s', (_, before, after, ours) => {
    const result = withServer(before, desktop, SERVER);
    expect(result.text).toBe(after(ours.join('\n')));
    expect(changedLines(result).map((line) => line.replace(/,$/, ''))).toEqual(
      shown(ours).map((line) => line.replace(/,$/, '')),
    );
    expect(put(result.text, desktop)).toBe(result.text);
  });
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
