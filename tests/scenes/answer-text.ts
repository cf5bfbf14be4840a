import { perform, type Desktop, type Tool } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { ActSchema, failureText } from '../../src/tools/index.js';

/** The text that a model gets for one call, performed or refused, without the parts that differ each time. */
export async function answerTextOf(
  desktop: Desktop,
  tools: readonly Tool[],
  tool: string,
  args: Record<string, unknown>,
): Promise<string> {
  const answer = await perform(desktop, tools, { tool, args, caller: 'me' }).then(
    (performed) => {
      if ('delivered' in performed.json) ActSchema.parse(JSON.parse(JSON.stringify(performed.json)));
      return performed.text;
    },
    (error: unknown) => {
      if (error instanceof DesktopError) return failureText(error);
      throw error;
    },
  );
  return answer.replace(/\b\d+ ms\b/g, 'N ms').replace(/^(<\/?ui )[0-9a-f]{8}/gm, '$1N');
}
