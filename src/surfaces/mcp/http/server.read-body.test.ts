import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { MAX_BODY_BYTES, readBody } from './server.js';

const request = (parts: (string | Buffer)[], headers: Record<string, string> = {}): IncomingMessage =>
  Object.assign(Readable.from(parts.map((part) => Buffer.from(part))), { headers }) as unknown as IncomingMessage;

test.each<[string, (string | Buffer)[], object]>([
  ['in parts', ['{"a":', '1}'], { value: { a: 1 } }],
  [
    'with a character split between two parts',
    [Buffer.from('"é"').subarray(0, 2), Buffer.from('"é"').subarray(2)],
    { value: 'é' },
  ],
  ['that is empty', [], { status: 400 }],
  ['that is not JSON', ['{"a"'], { status: 400 }],
  ['64 deep', ['['.repeat(64) + ']'.repeat(64)], { value: expect.any(Array) as unknown }],
  ['65 deep', ['['.repeat(65) + ']'.repeat(65)], { status: 400 }],
  ['of the maximum size', [`"${'x'.repeat(MAX_BODY_BYTES - 2)}"`], { value: expect.any(String) as unknown }],
  ['one byte longer', [`"${'x'.repeat(MAX_BODY_BYTES - 1)}"`], { status: 413 }],
])('a request %s', async (_, parts, body) => {
  expect(await readBody(request(parts))).toMatchObject(body);
});

test('does not read a body whose announced length is too large', async () => {
  const one = request(['never read'], { 'content-length': String(MAX_BODY_BYTES + 1) });
  expect(await readBody(one)).toMatchObject({ status: 413 });
  expect(one.readableDidRead).toBe(false);
});
