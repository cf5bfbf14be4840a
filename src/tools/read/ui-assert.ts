import { z } from 'zod';
import { defineTool, READ_TRAITS, parseCondition, type Seen } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { conditionError, satisfiedText } from '../text/conditions.js';
import { conditionInput } from './ui-wait.js';
import { conditionText } from '../text/sentence.js';
import { ROOT, THING } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  satisfied: true;
  seen: Seen;
}

export const uiAssert = defineTool({
  name: 'ui_assert',
  class: 'read',
  description: 'Check a condition (see ui_wait) now; an error if it does not hold.',
  traits: { ...READ_TRAITS, place: 'any-window', synchronises: true },
  cli: {
    group: 'Check',
    positionals: ['condition'],
    usage: 'assert CONDITION',
    help: {
      condition: 'selector, or condition as JSON',
    },
    examples: [['assert \'{"value":["#total",100]}\'', 'exit code 1 if the condition does not hold']],
  },
  sentence: { verb: ({ condition: given }) => ['Check', conditionText(given)], at: 'in' },
  output: z.looseObject({ ...ROOT, satisfied: z.literal(true), seen: THING }),
  timeoutMs: 6_000,
  input: z.object({ condition: conditionInput, window: z.string().max(500).optional() }),
  async run({ reader }, { condition: given, window }): Promise<Result> {
    const condition = parseCondition(given);
    const [overTime] = condition.overTime ?? [];
    if (overTime !== undefined) {
      throw new DesktopError('bad_arguments', `ui_assert checks once, and ${overTime} is about a period of time.`, {
        hint: `Use ui_wait {until: ${condition.text.slice(0, 200)}}.`,
      });
    }
    const outcome = await reader.evaluate(condition, window);
    if (outcome.answer === 'satisfied') return { untrusted: true, satisfied: true, seen: outcome.seen };
    throw conditionError('verify_failed', condition, outcome, '');
  },
  text: (result) => satisfiedText(result, ''),
});
