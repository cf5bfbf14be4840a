// @module-tag safety

import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const KEYS = fileURLToPath(new URL('../../dist/audit/keys.js', import.meta.url));

/** With little room, so that garbage is collected all the time: that is when Node 20 stopped for good (keys.ts). */
const PROGRAM = `
const { makeKey } = await import(process.argv[1]);
const keys = new Set();
for (let count = 0; count < 4_000; count += 1) {
  const { publicKey, privateKey } = makeKey();
  privateKey.export({ type: 'pkcs8', format: 'pem' });
  keys.add(publicKey);
}
console.log(keys.size);
`;

test('a host that makes its key goes on, whenever garbage is collected', async () => {
  const flags = ['--max-semi-space-size=1', '--input-type=module', '-e', PROGRAM, KEYS];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { timeout: 90_000 });
  expect(stdout.trim()).toBe('4000');
});
