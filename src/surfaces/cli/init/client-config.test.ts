import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { changedLines, serverCommand } from './init.js';
import { knownClients, type McpClient } from './clients.js';
import { addServer } from './client-config.js';

const [desktop, , code] = knownClients({ HOME: '/home/ada' }, 'linux') as [McpClient, McpClient, McpClient];
const SERVER = { command: '/usr/bin/node', args: ['/opt/deskproof.js', 'mcp'] };

const put = (text: string, client: McpClient): string => addServer(text, client, SERVER).text;

describe("adding Deskproof to a client's file", () => {
  it.each([
    ['no file yet', '', desktop, { mcpServers: { deskproof: SERVER } }],
    ['an empty object', '{}', code, { servers: { deskproof: { type: 'stdio', ...SERVER } } }],
    [
      'others',
      '{"mcpServers":{"a":{"command":"b"}},"x":1}',
      desktop,
      { mcpServers: { a: { command: 'b' }, deskproof: SERVER }, x: 1 },
    ],
  ])('adds the entry: %s', (_, text, client, whole) => {
    expect(JSON.parse(put(text, client))).toEqual(whole);
  });

  it('leaves all other characters, comments and tabs unchanged', () => {
    const before = '{\n\t// mine\n\t"servers": {\n\t\t"a": { "command": "b" }, // keep\n\t},\n}\n';
    const after = put(before, code);
    for (const line of ['\t// mine', '"a": { "command": "b" }, // keep']) expect(after).toContain(line);
    expect(after).toContain('\n\t\t"deskproof": {\n\t\t\t"type": "stdio",');
    expect(put(after, code)).toBe(after);
  });

  it('changes only the start command of an existing entry and keeps what was added to it', () => {
    const before = '{ "mcpServers": { "deskproof": { "command": "npx", "args": [], "env": { "A": "1" } } } }';
    expect(JSON.parse(put(before, desktop))).toEqual({
      mcpServers: { deskproof: { ...SERVER, env: { A: '1' } } },
    });
  });

  it('keeps the byte order mark and the line ends', () => {
    const after = put('\uFEFF{\r\n  "x": 1\r\n}\r\n', desktop);
    expect(after.startsWith('\uFEFF{\r\n')).toBe(true);
    expect(after.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(JSON.parse(after.slice(1))).toEqual({ mcpServers: { deskproof: SERVER }, x: 1 });
    expect(put(after, desktop)).toBe(after);
  });

  it('turns an HTTP entry into a stdio entry', () => {
    const before = '{ "servers": { "deskproof": { "type": "http", "command": "x" } } }';
    expect(JSON.parse(put(before, code))).toEqual({
      servers: { deskproof: { type: 'stdio', ...SERVER } },
    });
  });

  it.each([
    ['no JSON', '{\n  "a": 1\n  "b": 2\n}', /\(line 3 is not valid JSON\)/],
    ['cut off', '{ "mcpServers": {', /is not a valid configuration of Claude Desktop/],
    ['a list', '[]', /is not a valid configuration of Claude Desktop\.$/],
    ['servers that are not an object', '{ "mcpServers": [] }', /is not a valid configuration of Claude Desktop\.$/],
    ['two server lists', '{ "mcpServers": {}, "mcpServers": { "a": {} } }', /contains "mcpServers" twice/],
    ['two entries of ours', '{ "mcpServers": { "deskproof": {}, "deskproof": {} } }', /contains "deskproof" twice/],
    [
      'two start commands of ours',
      '{ "mcpServers": { "deskproof": { "args": [], "args": [1] } } }',
      /contains "args" twice/,
    ],
  ])('refuses %s and reports where', (_, text, words) => {
    expect(() => put(text, desktop)).toThrow(words);
    expect(() => put(text, desktop)).toThrow(DesktopError);
  });
});

const OURS = '"deskproof":{"command":"/usr/bin/node","args":["/opt/deskproof.js","mcp"]}';
const KEY = '"k":{"env":{"TOKEN":"tk-1"}}';

describe('keeps a one-line file on one line, and shows only the change', () => {
  it.each([
    ['among others', `{"mcpServers":{${KEY}}}`, `{"mcpServers":{${OURS},${KEY}}}`, [`+ ${OURS},`]],
    [
      'without servers',
      `{ "x": "tk-2" }\n`,
      `{ "mcpServers": {${OURS}}, "x": "tk-2" }\n`,
      [`+ "mcpServers": {${OURS}},`],
    ],
    ['with an empty list', `{"mcpServers":{},${KEY}}`, `{"mcpServers":{${OURS}},${KEY}}`, [`+ ${OURS}`]],
    [
      'with an old entry',
      `{"mcpServers":{"deskproof":{"command":"npx","args":["/opt/deskproof.js","mcp"],"env":{"A":"tk-3"}}}}`,
      `{"mcpServers":{"deskproof":{"command":"/usr/bin/node","args":["/opt/deskproof.js","mcp"],"env":{"A":"tk-3"}}}}`,
      ['- "command":"npx"', '+ "command":"/usr/bin/node"'],
    ],
    [
      'with a null',
      `{"mcpServers":{"deskproof":null,${KEY}}}`,
      `{"mcpServers":{${OURS},${KEY}}}`,
      ['- "deskproof":null', `+ ${OURS}`],
    ],
    ['with the current entry', `{"mcpServers":{${OURS},${KEY}}}`, `{"mcpServers":{${OURS},${KEY}}}`, []],
  ])('%s', (_, before, after, lines) => {
    const result = addServer(before, desktop, SERVER);
    expect(result.text).toBe(after);
    expect(changedLines(result)).toEqual(lines);
  });
});

describe('writes lines in the style of a multi-line file, and shows only the change', () => {
  const entry = (indent: string): string[] => [
    `${indent}"deskproof": {`,
    `${indent}  "command": "/usr/bin/node",`,
    `${indent}  "args": [`,
    `${indent}    "/opt/deskproof.js",`,
    `${indent}    "mcp"`,
    `${indent}  ]`,
    `${indent}}`,
  ];
  const shown = (lines: readonly string[]): string[] => lines.map((line) => `+ ${line}`);
  const within = (indent: string): string[] => [`${indent}"mcpServers": {`, ...entry(`${indent}  `), `${indent}}`];

  it.each<[string, string, (ours: string) => string, string[]]>([
    ['a new file', '', (ours) => `{\n${ours}\n}\n`, within('  ')],
    ['without servers', '{\n  "x": 1\n}\n', (ours) => `{\n${ours},\n  "x": 1\n}\n`, within('  ')],
    [
      'with an empty list',
      '{\n  "mcpServers": {}\n}',
      (ours) => `{\n  "mcpServers": {\n${ours}\n  }\n}`,
      entry('    '),
    ],
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
    const result = addServer(before, desktop, SERVER);
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
    '/usr/lib/node_modules/deskproof/dist/x.js',
    undefined,
    '/n',
    ['/usr/lib/node_modules/deskproof/dist/x.js', 'mcp'],
  ],
  ['with a desktop', '/d.js', 'virtual', '/n', ['/d.js', 'mcp', '--desktop', 'virtual']],
  [
    'by npx',
    '/home/ada/.npm/_npx/3c/node_modules/.bin/deskproof',
    undefined,
    'npx',
    ['-y', expect.stringMatching(/^deskproof@\d/), 'mcp'],
  ],
])('uses the command that is running now: %s', (_, script, name, command, args) => {
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
