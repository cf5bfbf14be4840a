import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { officeSpec } from '../../../tests/scenes/office.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import type { CallAnswer } from '../../host/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { TOOLS } from '../../tools/index.js';
import { printJson, printText } from '../cli/call-tool.js';
import type { Context } from '../cli/context.js';
import type { DesktopLink } from './desktop-link.js';
import { createMcpServer } from './server.js';
import { TOOL_MANIFEST } from './tool-manifest.js';

let desktop: Desktop;
let client: Client;
let given: CallAnswer;

beforeAll(async () => {
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fakeDesktop(officeSpec()).driver });
  const host = {
    hello: { desktop: 'office' },
    request: async (what: string, { tool, args }: { tool: string; args: unknown }) => {
      if (what === 'call') given = await perform(desktop, TOOLS, { tool, args, caller: 'mcp:a' });
      return given;
    },
  };
  const link = {
    host: async () => host,
    offeredTools: () => undefined,
    loadOfferedTools: () => Promise.resolve(),
    onOfferedToolsChange: () => () => undefined,
    endSession: () => undefined,
  };
  const options = { session: 'a', structured: true, printLine: () => undefined, tools: TOOL_MANIFEST };
  const server = createMcpServer({ ...options, link: link as unknown as DesktopLink });
  client = new Client({ name: 'y', version: '1' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  // From here on the client validates each answer against the tool's output schema.
  const { tools } = await client.listTools();
  expect(tools.every(({ outputSchema }) => outputSchema)).toBe(true);
});
afterAll(async () => {
  await client.close();
  await desktop.close();
});

/** What the CLI writes into a pipe for the same answer. */
function piped(write: (context: Context) => void): string {
  let out = '';
  write({ terminal: { isTerminal: false, out: (text: string) => (out += text) } } as unknown as Context);
  return out;
}

const CALLS: [string, Record<string, unknown>][] = [
  ['ui_list_windows', {}],
  ['ui_snapshot', { window: 'w1' }],
  ['ui_query', { target: 'role=button', window: 'w1' }],
  ['ui_describe', { target: 'textbox:Document', window: 'w1' }],
  ['ui_read', { target: 'textbox:Document', window: 'w1' }],
  ['ui_capture', { maxSize: 100 }],
  ['ui_events', {}],
  ['ui_wait', { until: { stableMs: 50 } }],
  ['ui_assert', { condition: 'textbox:Document', window: 'w1' }],
  ['ui_click', { target: 'textbox:Document', window: 'w1' }],
  ['ui_type', { text: 'a', target: 'textbox:Document', window: 'w1' }],
  ['ui_key', { keys: 'a', target: 'textbox:Document', window: 'w1' }],
  ['ui_set_value', { value: 'b', target: 'textbox:Document', window: 'w1' }],
  ['ui_act', { action: 'focus', target: 'textbox:Document', window: 'w1' }],
  ['ui_scroll', { target: 'textbox:Document', window: 'w1' }],
  ['ui_drag', { from: 'textbox:Document', window: 'w1', dx: 1, dy: 1 }],
  ['ui_click_xy', { x: 20, y: 20 }],
  ['ui_clipboard', { action: 'write', text: 'c' }],
  ['ui_window', { action: 'focus', window: 'w1' }],
  ['ui_launch', { command: 'nothing-like-this' }],
  ['ui_batch', { steps: [{ tool: 'ui_list_windows' }] }],
  ['ui_capabilities', {}],
];

const FAILING = ['ui_launch'];

test('covers every tool', () => {
  expect(CALLS.map(([name]) => name)).toEqual(TOOLS.map(({ name }) => name));
});

test.each(CALLS)('%s: same text as in a pipe, same data as with --json', async (name, args) => {
  given = {};
  const answer = (await client.callTool({ name, arguments: args })) as CallToolResult;
  const [content] = answer.content;
  const answerText = content?.type === 'text' ? content.text : '';
  // Tools that fail on a fake desktop; their errors have a schema, too.
  expect([name, answer.isError ?? false]).toEqual([name, FAILING.includes(name)]);
  if (answer.isError) {
    expect(answer.structuredContent).toMatchObject({ schema: 1, error: { code: expect.any(String) as string } });
    return;
  }
  const { text = '', json } = given;
  expect(`${answerText}\n`).toBe(piped((context) => printText(context, text, { kind: 'user' })));
  const { data: _picture, ...facts } = JSON.parse(piped((context) => printJson(context, json))) as { data?: string };
  expect(answer.structuredContent).toEqual(facts);
});
