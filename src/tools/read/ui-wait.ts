import { z } from 'zod';
import { defineTool, READ_TRAITS, parseCondition, waitLimitMs, type Seen } from '../../runtime/index.js';
import { conditionError, satisfiedText } from '../text/conditions.js';
import { conditionText } from '../text/sentence.js';
import { COUNT, ROOT, THING } from '../output-schemas.js';

/** A selector, or an object with one key; its content is checked where conditions are parsed. */
export const conditionInput = z.union([z.string().max(20_000), z.record(z.string(), z.unknown())], {
  error: ({ input }) => (input === undefined ? 'received undefined' : 'must be a selector, or an object with one key'),
});

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  satisfied: true;
  elapsedMs: number;
  /** Number of polls. */
  polls: number;
  seen: Seen;
}

export const uiWait = defineTool({
  name: 'ui_wait',
  class: 'read',
  description:
    'Wait until a condition holds. Condition: a selector (it exists: "button:Save && enabled=true", "#total && value=100") or one of {gone:sel} {count:[sel,n]} {text:"on screen"} {window:title} {windowClosed:title} {focused:sel} {changed:sel} {stableMs:n} {all:[…]} {any:[…]} {not:…}.',
  traits: { ...READ_TRAITS, place: 'any-window', synchronises: true },
  cli: {
    group: 'Check',
    positionals: ['until'],
    usage: 'wait CONDITION',
    help: {
      until: 'selector, or condition as JSON',
    },
    examples: [
      ["wait 'button:Save && enabled=true'", 'until the button is enabled'],
      ['wait \'{"windowClosed":"Save As"}\' --timeout-ms 30000', 'until the window is closed'],
    ],
  },
  sentence: { verb: ({ until }) => ['Wait for', conditionText(until)], at: 'in' },
  output: z.looseObject({ ...ROOT, satisfied: z.literal(true), elapsedMs: z.number(), polls: COUNT, seen: THING }),
  timeoutMs: waitLimitMs(10_000),
  limitMs: ({ timeoutMs }) => waitLimitMs(timeoutMs),
  quiet: ['pollMs'],
  input: z.object({
    until: conditionInput,
    window: z.string().max(500).optional(),
    timeoutMs: z.int().min(0).max(600_000).default(10_000),
    pollMs: z.int().min(20).max(60_000).optional().describe('how often to look when nothing happens'),
  }),
  async run({ reader }, { until, window, timeoutMs, pollMs }): Promise<Result> {
    const condition = parseCondition(until);
    const outcome = await reader.waitFor(condition, { within: window, timeoutMs, pollMs });
    const { answer, elapsedMs, polls, seen } = outcome;
    if (answer === 'satisfied') return { untrusted: true, satisfied: true, elapsedMs, polls, seen };
    throw conditionError('timeout', condition, outcome, timeoutMs === 0 ? ' now' : ` after ${elapsedMs} ms`);
  },
  text: (result) => satisfiedText(result, ` after ${(result.elapsedMs / 1000).toFixed(1)} s`),
});
