// An MCP server, from its start to its list of tools, as a client sees it. It ends without a desktop.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const PROTOCOL = '2025-06-18';

export async function listsItsTools(program, env) {
  const child = spawn(process.execPath, [program, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const say = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const clientInfo = { name: 'bench', version: '1' };
  say({ id: 1, method: 'initialize', params: { protocolVersion: PROTOCOL, capabilities: {}, clientInfo } });
  for await (const line of createInterface({ input: child.stdout })) {
    const { id, result } = JSON.parse(line);
    if (id === 2) {
      if (!(result.tools.length > 0)) throw new Error('The server lists no tools.');
      break;
    }
    say({ method: 'notifications/initialized' });
    say({ id: 2, method: 'tools/list' });
  }
  const listed = performance.now();
  child.stdin.end();
  if (child.exitCode === null) await once(child, 'exit');
  return listed;
}
