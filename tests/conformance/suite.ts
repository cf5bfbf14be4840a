import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inHurry, type Case, type CaseOn } from './case.js';
import { ACTS } from './cases/acts.js';
import { CHANGES } from './cases/changes.js';
import { CHECKPOINTS } from './cases/checkpoints.js';
import { EVENTS } from './cases/events.js';
import { FAILURES } from './cases/failures.js';
import { HONESTY } from './cases/honesty.js';
import { PICTURES } from './cases/pictures.js';
import { READING } from './cases/reading.js';
import { ROWS } from './cases/rows.js';
import { UNTRUSTED } from './cases/untrusted.js';
import { WINDOWS } from './cases/windows.js';
import { SKIPS } from './skips.js';
import type { Replayable, Skip, Stage } from './stage.js';

/** The last ones end the driver, so their order matters. */
export const CASES: Case[] = [
  ...WINDOWS,
  ...READING,
  ...ROWS,
  ...UNTRUSTED,
  ...EVENTS,
  ...ACTS,
  ...CHECKPOINTS,
  ...CHANGES,
  ...PICTURES,
  ...FAILURES,
  ...HONESTY,
];

/** One suite for every driver: what it does not hold must stand in skips.ts, with a reason. */
export function conformance(driverName: string, openStage: () => Promise<Stage>): void {
  runSuite(driverName, CASES, SKIPS, openStage);
}

/** Any cases on any stage; a skip names the run and the case. */
export function runSuite<S extends Replayable>(
  name: string,
  cases: readonly CaseOn<S>[],
  skips: readonly Skip[],
  openStage: () => Promise<S>,
): void {
  describe(`conformance: ${name}`, () => {
    let stage: S;
    beforeAll(async () => {
      stage = await openStage();
    });
    afterAll(async () => {
      await stage?.close();
    });
    const own = skips.filter((skip) => skip.driver === name);

    it('skips only cases that exist', () => {
      expect(unknownSkips(own, cases)).toEqual([]);
    });

    for (const one of cases) {
      it(one.name, one.safety ? { tags: 'safety' } : {}, async (context) => {
        const reason = await runCase(one, stage, own);
        if (reason !== undefined) context.skip(reason);
      });
    }
  });
}

/** Runs a case; the reason when it is rightly skipped. A skipped case that passes fails. */
export async function runCase<S extends Replayable>(
  one: CaseOn<S>,
  stage: S,
  skips: readonly Skip[],
): Promise<string | undefined> {
  const skip = skips.find((entry) => entry.case === one.name);
  try {
    await (skip ? inHurry(() => one.run(stage)) : one.run(stage));
  } catch (error) {
    if (!skip) throw error;
    return skip.reason;
  } finally {
    if (one.disturbs) await stage.restart();
  }
  if (skip) throw new Error(`stale skip: "${one.name}" passes on ${skip.driver} now; take it out of skips.ts`);
  return undefined;
}

export function unknownSkips(skips: readonly Skip[], cases: readonly { name: string }[] = CASES): string[] {
  return skips.map((skip) => skip.case).filter((name) => !cases.some((one) => one.name === name));
}
