import { format, resolveConfig } from 'prettier';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { policyJsonSchema } from './schema.js';

const PUBLISHED = fileURLToPath(new URL('../../../docs/policy.schema.json', import.meta.url));

it('matches docs/policy.schema.json (update it with npx vitest run src/policy/file/schema.json-schema.test.ts -u)', async () => {
  const style = await resolveConfig(PUBLISHED);
  const text = await format(JSON.stringify(policyJsonSchema()), { ...style, parser: 'json' });
  await expect(text).toMatchFileSnapshot(PUBLISHED);
});

it('accepts known fields and refuses others', () => {
  const schema = policyJsonSchema() as { properties: Record<string, unknown>; additionalProperties: boolean };
  expect(Object.keys(schema.properties)).toContain('rules');
  expect(schema.additionalProperties).toBe(false);
});
