import type { Aim } from '../act/aim.js';
import { knownByName } from '../act/same-target.js';
import { checkArguments } from '../check-arguments.js';
import type { Desktop } from '../desktop.js';
import type { Reader } from '../reader.js';
import type { Tool } from '../tool.js';
import { grantable } from './ask-and-grant.js';
import type { Asked } from './asked.js';
import type { Decided } from './governor.js';
import { factsOf } from './target-facts.js';

export interface Foretold {
  decided: Decided;
  /** What a person has allowed already and covers it. */
  grant?: string;
}

const STRICTNESS = ['allow', 'ask', 'deny'];

/** What would be decided of a call: its target is found by reading alone, and nothing is done, asked or counted. */
export async function foretell(
  desktop: Desktop,
  tool: Tool,
  call: Pick<Asked, 'args' | 'caller'>,
  reader: Reader,
): Promise<Foretold> {
  const args = checkArguments(tool.name, tool.input, call.args);
  const asked: Asked = { tool: tool.name, class: tool.class, caller: call.caller, args };
  const { governor } = desktop;
  if (!('act' in tool)) return { decided: governor.decide(asked) };
  const aim = knownByName(desktop, await tool.aim(reader, args), args);
  const ends: Aim[] = aim.onto ? [aim, { ...aim, target: aim.onto }] : [aim];
  const [decided] = ends
    .map((end) => governor.decide(asked, factsOf(end)))
    .sort((a, b) => STRICTNESS.indexOf(b.answer) - STRICTNESS.indexOf(a.answer));
  const asks = decided!.answer === 'ask' && !decided!.enables;
  const grant = asks ? governor.grants.covers(grantable(desktop, { asked, aim, decided: decided! })) : undefined;
  return { decided: decided!, ...(grant && { grant: grant.id }) };
}
