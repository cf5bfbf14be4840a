import { expect, it } from 'vitest';
import { parsePolicy, policyWarnings } from '../../../policy/index.js';
import { starterPolicy } from './init.js';

const read = (text: string) => parsePolicy(text, { tier: 'user', file: 'policy.yaml' });

it('has no effect by itself', () => {
  expect(read(starterPolicy('/x.json')).policy).toEqual({ version: 1 });
});

it('contains examples that are valid once uncommented', () => {
  const parsed = read(
    starterPolicy('/x.json')
      .replaceAll(/^#(?! )/gm, '')
      .replaceAll(/^#(?= {2,})/gm, ''),
  );
  expect(Object.keys(parsed.policy).sort()).toEqual(
    ['enabled', 'launch', 'limits', 'profile', 'rules', 'version', 'windows'].sort(),
  );
  expect(parsed.policy.rules?.map(({ name }) => name)).toEqual(['never-send', 'calculator-free']);
  expect(policyWarnings(parsed, { launches: () => false })).toEqual([]);
});
