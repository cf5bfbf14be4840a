import type { CallClass, Decision, Limits } from '../../policy/index.js';
import { checkRefName } from '../actionability/recheck-target.js';
import { validateArguments, refInSnapshot } from '../request/arguments.js';
import type { Tool } from '../call/tool.js';
import type { CallView } from '../visibility/call-view.js';
import type { Reader } from '../act/reader.js';
import { grantCovering, decideAffected } from './authorize-act.js';
import type { PolicyDecision, Authorizer } from './authorizer.js';
import { type CallRequest, sessionOf } from '../request/policy-request.js';

export interface DecisionPreview {
  decided: PolicyDecision;
  /** What a person has allowed already and covers it. */
  grant?: string;
}

/** What would be decided of a call: its target is found by reading alone, and nothing is done, asked or counted. */
export async function previewDecision(
  desktop: CallView,
  tool: Tool,
  call: Pick<CallRequest, 'args' | 'caller'>,
  reader: Reader,
): Promise<DecisionPreview> {
  const args = validateArguments(tool.name, tool.input, call.args, (element) =>
    refInSnapshot(desktop.snapshots, element),
  );
  const request: CallRequest = { tool: tool.name, class: tool.class, caller: call.caller, args };
  const { authorizer } = desktop;
  if (!('act' in tool)) return { decided: authorizer.decide(request) };
  const plan = await reader.pathsNow(checkRefName(desktop, await tool.aim(reader, args), args));
  const actDecision = decideAffected(desktop, request, plan, (one, facts) => authorizer.decide(one, facts));
  const grant = grantCovering(desktop, actDecision);
  return { decided: actDecision.decided, ...(grant && { grant: grant.id }) };
}

/** What the policy allows here, as far as it can be said before there is a target. */
export interface PolicySummary {
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
export function policySummary(authorizer: Authorizer, caller: string): PolicySummary | undefined {
  const { profile, settings, sources = [] } = authorizer.rules;
  if (!profile || !settings) return undefined;
  const answers = (kind: CallClass): readonly Decision['answer'][] => {
    const decision = authorizer.decide({ tool: TOOL_OF[kind], class: kind, caller, args: {} });
    return decision.answers ?? [decision.answer];
  };
  return {
    profile,
    enabled: profile === 'private' || settings.enabled || authorizer.isEnabled(sessionOf(caller)),
    answers: { read: answers('read'), capture: answers('capture'), act: answers('act'), raw: answers('raw') },
    limits: settings.limits,
    files: sources.map(({ tier, file }) => ({ tier, file })),
    changed: authorizer.changedFiles,
  };
}
