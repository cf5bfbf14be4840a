import { expect, it } from 'vitest';
import { EQUIVALENT, staleEquivalents } from '../../scripts/mutants-equivalent.mjs';

it('every check that no mutation test can see is still in the source', () => {
  expect(EQUIVALENT).not.toEqual([]);
  expect(staleEquivalents()).toEqual([]);
});

it('names an entry whose check is gone', () => {
  const { file, change } = (EQUIVALENT as { file: string; change: string }[])[0]!;
  expect(staleEquivalents('/nonexistent')).toContain(`${file} ${change}`);
});
