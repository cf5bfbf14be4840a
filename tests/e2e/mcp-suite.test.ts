import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { suiteServer } from '../fixtures/mcp-suite-server.js';
import { officialSuite } from '../fixtures/official-suite.js';
import { TokenProxy } from '../fixtures/token-proxy.js';
import { CliRoom } from './cli-room.js';
import { until } from './support/seat-room.js';

const golden = (name: string): string => fileURLToPath(new URL(`../golden/${name}`, import.meta.url));

let suite: { node: string; main: string } | undefined;
let room: CliRoom;
let proxy: TokenProxy;

beforeAll(async () => {
  suite = await officialSuite();
  room = new CliRoom();
  proxy = await TokenProxy.open();
}, 600_000);
afterAll(async () => {
  proxy?.close();
  await room?.close();
});

/** All that the suite has for servers; what fails must be what the file says, no more and no less. */
function run(expectedFailures: string): Promise<{ code: number | null; out: string }> {
  const words = [suite!.main, 'server', '--url', `http://${proxy.host}/mcp`, '--expected-failures', expectedFailures];
  return new Promise((resolve) => {
    const child = execFile(suite!.node, words, { cwd: room.base, maxBuffer: 1e8 }, (_, out, err) =>
      resolve({ code: child.exitCode, out: `${out}${err}` }),
    );
  });
}

describe('the official conformance suite', () => {
  test('passes against deskproof mcp --http where it applies', async ({ skip }) => {
    if (!suite) return skip('it cannot be fetched here');
    const server = room.start('mcp', '--http', '--desktop', 'virtual', '--allowed-host', proxy.host);
    await until('it to listen', () => /Bearer [0-9a-f]{64}/.test(server.said()));
    const [, port] = /127\.0\.0\.1:(\d+)\/mcp/.exec(server.said())!;
    proxy.lead(Number(port), /Bearer ([0-9a-f]{64})/.exec(server.said())![1]!);
    const { code, out } = await run(golden('mcp-suite-ours.yaml'));
    expect(code, out).toBe(0);
    expect(out).toMatch(/✓ dns-rebinding-protection/);
    server.child.kill('SIGTERM');
  });

  test('passes with its own tools behind the same door', async ({ skip }) => {
    if (!suite) return skip('it cannot be fetched here');
    const token = 'a'.repeat(64);
    const server = await suiteServer(token, proxy.host);
    proxy.lead(server.port, token);
    const { code, out } = await run(golden('mcp-suite-fixture.yaml'));
    await server.close();
    expect(code, out).toBe(0);
  });
});
