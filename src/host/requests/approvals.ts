import { z } from 'zod';
import type { Policy, PolicyVerdict } from '../../policy/index.js';
import {
  defineTool,
  READ_TRAITS,
  type Desktop,
  type Grant,
  type PendingApproval,
  perform,
  type ReadTool,
  type ApprovalPrompt,
  type Taken,
  type Tool,
} from '../../runtime/index.js';
import { DesktopError, unknownTool } from '../../shared/index.js';
import { effectsOf, TOOLS } from '../../tools/index.js';
import type { LoadedGovernance, PolicyReload } from '../governance/load-governance.js';
import { permittedTools } from '../governance/permitted-tools.js';
import { parseParams } from '../server/protocol.js';
import type { Requests } from '../server/server.js';

/** A pending approval in the form that surfaces show to the user. */
export interface PendingQuestion extends Pick<PendingApproval, 'id' | 'widest' | 'expiresAt' | 'session' | 'channels'> {
  shown: ApprovalPrompt;
}

export const toQuestion = ({ id, shown, widest, expiresAt, session, channels }: PendingApproval): PendingQuestion => ({
  ...{ id, widest, expiresAt, session, channels },
  shown: shown as ApprovalPrompt,
});

interface PolicyState {
  profile?: string;
  policy?: string;
  enabled: boolean;
  changed: string[];
  log: string;
}

const Answer = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  channel: z.enum(['terminal', 'mcp', 'library']).default('terminal'),
  /** How long the question was shown before it was answered. */
  tookMs: z.number().nonnegative().optional(),
  scope: z.enum(['once', 'session', 'app']).optional(),
  reason: z.string().max(200).optional(),
});
const Session = z.strictObject({ session: z.string().max(200).default('cli') });
const Expected = z.strictObject({ expected: z.string().max(64).optional() });
const ToExplain = z.strictObject({
  tool: z.string().max(100),
  args: z.record(z.string(), z.unknown()),
  caller: z.string().max(40).default('cli'),
});
const Offered = z.strictObject({ caller: z.string().max(40) });
const GrantId = z.strictObject({ id: z.string().max(40) });

/** Decisions of the user: approvals, grants, whether a session is enabled, and whether a changed policy applies. */
export function approvalRequests(desktop: Desktop, governance: LoadedGovernance): Requests {
  const { authorizer } = desktop;
  const { questions, grants, ledger } = authorizer;
  const onReload = new Set<() => void>();
  return {
    /** All pending approvals, now and whenever they change, until the caller disconnects. */
    approvals: async (_, { signal, item }): Promise<void> => {
      const leave = authorizer.attend();
      const send = (): void => item({ open: questions.all.map(toQuestion) });
      const stop = questions.onChange(send);
      try {
        send();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      } finally {
        stop();
        leave();
      }
    },
    questions: async (): Promise<{ open: PendingQuestion[] }> => ({ open: questions.all.map(toQuestion) }),
    answer: async (params): Promise<{ taken: Taken }> => {
      const { id, ...answer } = parseParams(Answer, params);
      const taken = questions.answer(id, answer);
      const about = questions.known(id);
      if (about && (taken === 'already closed' || taken === 'too fast')) {
        const { subjectHash: subject, askedAt } = about;
        const when = { ms: Math.max(0, Date.now() - askedAt), channel: answer.channel };
        await ledger.note({ kind: 'answer', question: id, subject, result: taken, ...when });
      }
      return { taken };
    },
    grants: async (): Promise<{ grants: Grant[] }> => ({ grants: grants.all }),
    revoke: async (params): Promise<{ revoked: boolean }> => {
      const { id } = parseParams(GrantId, params);
      const grant = grants.all.find((one) => one.id === id);
      if (!grant) return { revoked: false };
      await ledger.note({ kind: 'grant', event: 'revoked', grant: id, scope: grant.scope, by: 'terminal' });
      return { revoked: grants.revoke(id) };
    },
    enable: async (params): Promise<{ changed: boolean }> => {
      const { session } = parseParams(Session, params);
      const changed = !authorizer.isEnabled(session);
      if (changed) await note('enabled');
      authorizer.enable(session);
      return { changed };
    },
    disable: async (): Promise<{ changed: boolean; byPolicy?: true }> => {
      const changed = authorizer.disable();
      authorizer.forget('the session was disabled');
      if (changed) await note('disabled');
      return { changed, ...(authorizer.rules.settings?.enabled && { byPolicy: true }) };
    },
    policy: async (_, { directory }): Promise<PolicyState> => {
      const { rules, changedFiles } = authorizer.within(directory);
      const { profile, hash } = rules;
      return {
        ...(profile && { profile }),
        ...(hash && { policy: hash }),
        enabled: authorizer.isEnabled('cli'),
        changed: changedFiles,
        log: governance.places.logs,
      };
    },
    /** Lets a client fail early if the policy of its project is faulty. */
    project: async (_, { directory }): Promise<void> => governance.begin(directory),
    preview: async (): Promise<PolicyReload> => governance.preview(),
    reload: async (params): Promise<PolicyReload> => {
      const reloaded = await governance.reload(authorizer, 'terminal', parseParams(Expected, params).expected);
      for (const send of onReload) send();
      return reloaded;
    },
    /** Names of the tools that are worth offering, now and after each reload of the policy. */
    tools: async (params, { signal, directory, item }): Promise<void> => {
      const { caller } = parseParams(Offered, params);
      const offered = TOOLS.map((tool) => ({ ...tool, effects: effectsOf(tool.traits) }));
      const rules = (): Policy => authorizer.within(directory).rules;
      const send = (): void => item({ tools: permittedTools(offered, rules(), authorizer.desktop, caller) });
      onReload.add(send);
      try {
        send();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      } finally {
        onReload.delete(send);
      }
    },
    explain: async (params, { signal, directory }): Promise<CallExplanation> => {
      await governance.begin(directory);
      return explainCall(desktop, parseParams(ToExplain, params), signal, directory);
    },
    rotate: async (): Promise<void> => governance.ledger.rotate(),
  };

  function note(event: 'enabled' | 'disabled'): Promise<number> {
    return ledger.note({ kind: 'policy', event, policy: authorizer.rules.hash ?? '0'.repeat(64), by: 'terminal' });
  }
}

/** How the policy would decide about a call, and why. */
export interface CallExplanation {
  verdict: PolicyVerdict;
  /** A grant that covers the call. */
  grant?: string;
  /** Policy files that changed since they were read. No act is allowed until the user reloads them. */
  changed: string[];
}

interface CallToExplain {
  tool: string;
  args: Record<string, unknown>;
  /** The surface that would make the call. */
  caller: string;
}

/**
 * Finding the target is a read like any other: policy decides about it, hidden windows are left out, and it is logged.
 */
async function explainCall(
  desktop: Desktop,
  call: CallToExplain,
  signal: AbortSignal,
  directory?: string,
): Promise<CallExplanation> {
  const tool = toolNamed(call.tool);
  const changed = (): string[] => desktop.authorizer.within(directory).changedFiles;
  const explains = explainTool(changed, tool, call);
  // The text that would be typed does not matter here: only the target is logged.
  const { target, window } = call.args;
  const args = { tool: tool.name, ...(isText(target) && { target }), ...(isText(window) && { window }) };
  const { json } = await perform(desktop, [explains], { tool: explains.name, args, caller: 'cli', signal, directory });
  return json as unknown as CallExplanation;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function explainTool(changed: () => string[], tool: Tool, call: CallToExplain): ReadTool {
  return defineTool({
    name: 'policy_explain',
    class: 'read',
    description: 'How the policy would decide about a call.',
    traits: { ...READ_TRAITS, place: 'any-window' },
    cli: 'none',
    sentence: { verb: () => ['policy_explain'] },
    output: z.looseObject({}),
    timeoutMs: 10_000,
    input: z.object({ tool: z.string(), target: z.string().optional(), window: z.string().optional() }),
    run: async ({ reader }): Promise<CallExplanation> => {
      const { decided: decision, grant } = await reader.previewDecision(tool, call);
      return {
        verdict: decision as PolicyVerdict,
        ...(grant !== undefined && { grant }),
        changed: changed(),
      };
    },
    text: () => '',
  });
}

function toolNamed(name: string): Tool {
  const found = TOOLS.find((tool) => tool.name === name);
  if (!found) throw unknownTool(name, TOOLS);
  if ('steps' in found) {
    throw new DesktopError(
      'bad_arguments',
      'The policy does not decide about a batch as a whole, only about each of its steps.',
      {
        hint: 'Name one of its steps.',
      },
    );
  }
  return found;
}
