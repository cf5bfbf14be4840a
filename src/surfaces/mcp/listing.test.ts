import { readFileSync } from 'node:fs';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { TOOLS, type Tool } from '../../tools/index.js';
import { INSTRUCTIONS } from './server.js';
import { toolListing } from './listing.js';

const GOLDEN = new URL('../../../tests/golden/mcp-listing.jsonl', import.meta.url);
const tokens = (text: string): number => encode(text).length;

describe('the tool listing for models', () => {
  const lines = TOOLS.map((tool) => JSON.stringify(toolListing(tool)));

  test('does not change by accident: a change affects users', () => {
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
    'a default and a description',
    z.int().default(3).describe('how many'),
    { type: 'integer', default: 3, description: 'how many' },
  ],
  ['an enum', z.enum(['a', 'b']), { type: 'string', enum: ['a', 'b'] }],
  [
    'the types of a union, once each',
    z.union([z.string().max(3), z.string().min(1), z.number()]),
    { anyOf: [{ type: 'string' }, { type: 'number' }] },
  ],
  ['a union of one type', z.union([z.literal('a'), z.literal('b')]), {}],
  ['items', z.array(z.string().max(9)), { type: 'array', items: { type: 'string' } }],
])('a field has %s', (_, field, listed) => {
  expect(toolListing(made(z.object({ f: field }))).inputSchema.properties.f).toEqual(listed);
});

test.each<[string, object, object | undefined]>([
  ['a read', { class: 'read' }, { readOnlyHint: true }],
  ['a capture', { class: 'capture' }, { readOnlyHint: true }],
  ['an act', {}, undefined],
  ['a repeatable act', { repeatable: true }, { idempotentHint: true }],
  ['an act that destroys nothing', { harmless: true }, { destructiveHint: false }],
])('annotates %s', (_, more, annotations) => {
  expect(toolListing(made(z.object({}), more)).annotations).toEqual(annotations);
});

test('omits quiet fields and lists only required ones as required', () => {
  const tool = made(z.object({ a: z.string(), b: z.string().optional(), c: z.string().optional() }), { quiet: ['c'] });
  expect(toolListing(tool).inputSchema).toEqual({
    type: 'object',
    properties: { a: { type: 'string' }, b: { type: 'string' } },
    required: ['a'],
  });
});
