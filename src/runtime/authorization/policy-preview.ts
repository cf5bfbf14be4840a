import type { CallClass, Decision, Limits } from '../../policy/index.js';
import { checkRefName } from '../actionability/recheck-target.js';
import { validateArguments, refInSnapshot } from '../request/arguments.js';
import type { Tool } from '../call/tool.js';
import type { CallView } from '../visibility/call-view.js';
import type { Reader } from '../act/reader.js';
import { grantCovering, decideAffected } from './authorize-act.js';
import type { PolicyDecision, Authorizer } from './authorizer.js';
import { type CallRequest, callRequest, sessionOf } from '../request/policy-request.js';

export interface DecisionPreview {
  decision: PolicyDecision;
  /** The id of an earlier grant that covers it. */
  grant?: string;
}

/** The decision about a call. Its target is found by reading; nothing is done, asked or counted. */
export async function previewDecision(
  desktop: CallView,
  tool: Tool,
  call: Pick<CallRequest, 'args' | 'caller'>,
  reader: Reader,
): Promise<DecisionPreview> {
  const args = validateArguments(tool.name, tool.input, call.args, (element) =>
    refInSnapshot(desktop.snapshots, element),
  );
  const request = callRequest(tool, call.caller, args);
  const { authorizer } = desktop;
  if (!('act' in tool)) return { decision: authorizer.decide(request) };
  const plan = await reader.pathsNow(checkRefName(desktop, await tool.plan(reader, args), args));
  const actDecision = decideAffected(desktop, request, plan, (one, facts) => authorizer.decide(one, facts));
  const grant = grantCovering(desktop, actDecision);
  return { decision: actDecision.decision, ...(grant && { grant: grant.id }) };
}

/** What the policy allows here, as far as it is known without a target. */
export interface PolicySummary {
  profile: string;
  /** False: the user is asked once whether this session may work here at all. */
  enabled: boolean;
  /** The possible answers by class; with one answer the target does not matter. */
  answers: Record<CallClass, readonly Decision['answer'][]>;
  limits: Limits;
  /** The policy files in force, in addition to the built-in rules. */
  files: { tier: string; file: string }[];
  /** Files that changed after they were read: all acts are refused until the user has reviewed them. */
  changed: string[];
  /** The user has not confirmed the policy yet: only reads are served. */
  unconfirmed?: true;
}

/** One tool of each class represents its class in the summary. */
export type ClassExamples = Readonly<Record<CallClass, Pick<Tool, 'name' | 'class' | 'traits'>>>;

/** Undefined where the rules are not a whole policy. */
export function policySummary(
  authorizer: Authorizer,
  caller: string,
  examples: ClassExamples,
): PolicySummary | undefined {
  const { profile, settings, sources = [], unconfirmed } = authorizer.rules;
  if (!profile || !settings) return undefined;
  const answers = (kind: CallClass): readonly Decision['answer'][] => {
    const decision = authorizer.decide(callRequest(examples[kind], caller, {}));
    return decision.answers ?? [decision.answer];
  };
  return {
    profile,
    enabled: profile === 'private' || settings.enabled || authorizer.isEnabled(sessionOf(caller)),
    answers: { read: answers('read'), capture: answers('capture'), act: answers('act'), raw: answers('raw') },
    limits: settings.limits,
    files: sources.map(({ tier, file }) => ({ tier, file })),
    changed: authorizer.changedFiles,
    ...(unconfirmed && { unconfirmed }),
  };
}
