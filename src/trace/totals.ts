import { isDeed, type Step, type Totals } from './trace.js';

export function totalsOf(steps: readonly Step[]): Totals {
  const totals: Totals = {
    ...{ acts: 0, reads: 0, ok: 0, failed: 0, denied: 0, unknown: 0, asked: 0 },
    ...{ ms: 0, waitedMs: 0, driverCalls: 0, tokens: 0 },
  };
  for (const step of steps) {
    if (!isDeed(step)) continue;
    if (step.kind === 'act') totals.acts++;
    if (step.kind === 'read') totals.reads++;
    if (step.question) totals.asked++;
    if (step.result !== 'noted') totals[step.result] += step.repeat ?? 1;
    totals.ms += step.cost?.ms ?? 0;
    totals.waitedMs += step.question?.answer?.ms ?? 0;
    totals.driverCalls += step.cost?.driverCalls ?? 0;
    totals.tokens += step.cost?.tokens ?? 0;
  }
  return totals;
}
