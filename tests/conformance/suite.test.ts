import { describe, expect, it } from 'vitest';
import type { Case } from './case.js';
import { SKIPS } from './skips.js';
import type { Skip, Stage } from './stage.js';
import { CASES, runCase, unknownSkips } from './suite.js';

const holds: Case = { name: 'holds', run: async () => undefined };
const breaks: Case = {
  name: 'breaks',
  disturbs: true,
  run: async () => {
    throw new Error('it does not hold');
  },
};
const skip = (name: string): Skip => ({ driver: 'any', case: name, reason: 'the platform cannot do it' });

function fakeStage(): { stage: Stage; restarts: number } {
  const seen = { restarts: 0, stage: { restart: async () => void seen.restarts++ } as unknown as Stage };
  return seen;
}

describe('the suite itself', () => {
  it('passes a case that holds and fails one that does not', async () => {
    const { stage } = fakeStage();
    expect(await runCase(holds, stage, [])).toBeUndefined();
    await expect(runCase(breaks, stage, [])).rejects.toThrow('it does not hold');
  });

  it('runs a skipped case, and fails when it passes', async () => {
    const { stage } = fakeStage();
    expect(await runCase(breaks, stage, [skip('breaks')])).toBe('the platform cannot do it');
    await expect(runCase(holds, stage, [skip('holds')])).rejects.toThrow('stale skip');
  });

  it('shows the scene again after a case that disturbs it, however the case ended', async () => {
    const seen = fakeStage();
    await runCase(breaks, seen.stage, [skip('breaks')]);
    expect(seen.restarts).toBe(1);
  });

  it('knows a skip that names no case', () => {
    expect(unknownSkips([skip('no such case'), skip(CASES[0]!.name)])).toEqual(['no such case']);
  });

  it('has no two cases of one name, and a real reason for each skip', () => {
    const names = CASES.map((one) => one.name);
    expect(new Set(names).size).toBe(names.length);
    for (const { reason } of SKIPS) expect(reason.length).toBeGreaterThan(20);
  });
});
