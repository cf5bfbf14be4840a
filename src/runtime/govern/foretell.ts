import { knownByName } from '../act/same-target.js';
import { checkArguments } from '../check-arguments.js';
import type { Desktop } from '../desktop.js';
import { refInSnapshot } from '../element-in-snapshot.js';
import type { Reader } from '../reader.js';
import type { Tool } from '../tool.js';
import type { Asked } from './asked.js';
import { coveredEnds, ruleEnds } from './ends.js';
import type { Decided } from './governor.js';

export interface Foretold {
  decided: Decided;
  /** What a person has allowed already and covers it. */
  grant?: string;
}

/** What would be decided of a call: its target is found by reading alone, and nothing is done, asked or counted. */
export async function foretell(
  desktop: Desktop,
  tool: Tool,
  call: Pick<Asked, 'args' | 'caller'>,
  reader: Reader,
): Promise<Foretold> {
  const args = checkArguments(tool.name, tool.input, call.args, (element) => refInSnapshot(desktop.shelf, element));
  const asked: Asked = { tool: tool.name, class: tool.class, caller: call.caller, args };
  const { governor } = desktop;
  if (!('act' in tool)) return { decided: governor.decide(asked) };
  const aim = await reader.pathsNow(knownByName(desktop, await tool.aim(reader, args), args));
  const ruling = ruleEnds(desktop, asked, aim, (one, facts) => governor.decide(one, facts));
  const grant = coveredEnds(desktop, ruling);
  return { decided: ruling.decided, ...(grant && { grant: grant.id }) };
}
