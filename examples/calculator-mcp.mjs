// A calculator, used as an agent does it: through the MCP server, by refs and selectors.
// Run it: node examples/calculator-mcp.mjs
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';

const deskproof = fileURLToPath(new URL('../dist/surfaces/cli/deskproof.js', import.meta.url));
const client = new Client({ name: 'calculator-example', version: '1.0.0' });
const args = [deskproof, 'mcp', '--desktop', 'virtual'];
await client.connect(new StdioClientTransport({ command: process.execPath, args, env: process.env, stderr: 'ignore' }));

async function call(name, args) {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const [{ text }] = content;
  assert.ok(!isError, text);
  return text;
}

try {
  await call('ui_launch', { command: 'gnome-calculator', timeoutMs: 60_000 });
  const look = await call('ui_snapshot', { window: 'Calculator' });
  const key = (name) => new RegExp(`(e\\d+) "${name.replace(/\W/g, '\\$&')}"`).exec(look)[1];
  const steps = ['1', '2', '.', '5', '×', '8', '='].map((name) => ({ tool: 'ui_click', target: key(name) }));
  await call('ui_batch', { steps });
  // The effect, by the app's own word: the whole text of its display.
  await call('ui_wait', { until: 'role=textbox && focused=true && value=100', timeoutMs: 30_000 });
  const read = await call('ui_read', { target: 'role=textbox && focused=true' });
  assert.match(read, /^\| 100$/m);
  console.log('ok: the calculator shows 100');
} finally {
  await client.close();
}
