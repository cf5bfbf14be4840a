import type { CallClass, Decision, Limits } from '../../policy/index.js';
import { knownByName } from '../actionability/recheck-target.js';
import { checkArguments, refInSnapshot } from '../call/arguments.js';
import type { Tool } from '../call/tool.js';
import type { Desktop } from '../desktop/desktop.js';
import type { Reader } from '../observe/reader.js';
import { coveredEnds, ruleEnds } from './authorize-act.js';
import type { Decided, Governor } from './authorizer.js';
import { type Asked, sessionOf } from './policy-request.js';

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

/** What the policy allows here, as far as it can be said before there is a target. */
export interface PolicyHere {
  profile: string;
  /** False: a person is asked once whether this session may work here at all. */
  enabled: boolean;
  /** What may come of a call, by its class; with one answer the target does not matter. */
  answers: Record<CallClass, readonly Decision['answer'][]>;
  limits: Limits;
  /** Files that count, besides what is built in. */
  files: { tier: string; file: string }[];
  /** Files that are no longer what was read: no act passes until a person has looked. */
  changed: string[];
}

/** One tool of each class stands for all. */
const TOOL_OF: Readonly<Record<CallClass, string>> = {
  read: 'ui_snapshot',
  capture: 'ui_capture',
  act: 'ui_click',
  raw: 'ui_click_xy',
};

/** Undefined where rules are no whole policy. */
export function policyHere(governor: Governor, caller: string): PolicyHere | undefined {
  const { profile, settings, sources = [] } = governor.rules;
  if (!profile || !settings) return undefined;
  const answers = (kind: CallClass): readonly Decision['answer'][] => {
    const decided = governor.decide({ tool: TOOL_OF[kind], class: kind, caller, args: {} });
    return decided.answers ?? [decided.answer];
  };
  return {
    profile,
    enabled: profile === 'private' || settings.enabled || governor.isEnabled(sessionOf(caller)),
    answers: { read: answers('read'), capture: answers('capture'), act: answers('act'), raw: answers('raw') },
    limits: settings.limits,
    files: sources.map(({ tier, file }) => ({ tier, file })),
    changed: governor.changedFiles,
  };
}
