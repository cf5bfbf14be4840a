import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS, type Tool } from '../../tools/index.js';
import { INSTRUCTIONS } from './server.js';
import { listed } from './listing.js';

const GOLDEN = new URL('../../../tests/golden/mcp-listing.jsonl', import.meta.url);
const tokens = (text: string): number => encode(text).length;

describe('what is listed to models', () => {
  const lines = TOOLS.map((tool) => JSON.stringify(listed(tool)));

  test('is what it was; a change is a change for users', () => {
    expect(lines).toEqual(readFileSync(GOLDEN, 'utf8').trim().split('\n'));
  });

  test('costs at most 3,000 tokens, and the instructions 250', () => {
    expect(tokens(lines.join('\n'))).toBeLessThanOrEqual(3_000);
    expect(tokens(INSTRUCTIONS)).toBeLessThanOrEqual(250);
  });
});

const made = (input: z.ZodObject, more: object = {}): Tool =>
  ({ name: 'ui_x', class: 'act', description: 'X.', timeoutMs: 1, input, text: () => '', ...more }) as unknown as Tool;

test.each<[string, z.ZodType, object]>([
  ['no limits', z.int().min(1).max(9), { type: 'integer' }],
  [
    'a default and words',
    z.int().default(3).describe('how many'),
    { type: 'integer', default: 3, description: 'how many' },
  ],
  ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  [
    'kinds of a union, once each',
    z.union([z.string().max(3), z.string().min(1), z.number()]),
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
  ],
  ['a union of one kind', z.union([z.literal('a'), z.literal('b')]), {}],
  ['items', z.array(z.string().max(9)), { type: 'array', items: { type: 'string' } }],
])('a field has %s', (_, field, told) => {
  expect(listed(made(z.object({ f: field }))).inputSchema.properties.f).toEqual(told);
});

test.each<[string, object, object | undefined]>([
  ['a look', { class: 'read' }, { readOnlyHint: true }],
  ['a picture', { class: 'capture' }, { readOnlyHint: true }],
  ['an act', {}, undefined],
  ['what can be repeated', { repeatable: true }, { idempotentHint: true }],
  ['what loses nothing', { harmless: true }, { destructiveHint: false }],
])('%s is told as such', (_, more, annotations) => {
  expect(listed(made(z.object({}), more)).annotations).toEqual(annotations);
});

test('quiet fields are not listed, and only what is needed is required', () => {
  const tool = made(z.object({ a: z.string(), b: z.string().optional(), c: z.string().optional() }), { quiet: ['c'] });
  expect(listed(tool).inputSchema).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
  });
});
