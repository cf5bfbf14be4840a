import { existsSync } from 'node:fs';
import { expect, it } from 'vitest';
import { LONGEST } from '../slowest-first.js';

it.each(LONGEST)('%s is a test', (name) => {
  expect(existsSync(new URL(`../${name}.test.ts`, import.meta.url))).toBe(true);
});
