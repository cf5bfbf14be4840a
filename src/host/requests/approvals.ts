import { z } from 'zod';
import type { Policy, PolicyVerdict } from '../../policy/index.js';
import {
  defineTool,
  type Desktop,
  previewDecision,
  type Grant,
  type PendingApproval,
  perform,
  type ReadTool,
  type ApprovalPrompt,
  type Taken,
  type Tool,
} from '../../runtime/index.js';
import { DesktopError, didYouMean } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import type { LoadedGovernance, Reloaded } from '../governance/load-governance.js';
import { permittedTools } from '../governance/permitted-tools.js';
import type { Requests } from '../server/server.js';

/** A question as it goes to whoever shows it to a person. */
export interface AskedQuestion extends Pick<PendingApproval, 'id' | 'widest' | 'expiresAt' | 'session' | 'channels'> {
  shown: ApprovalPrompt;
}

export const forPeople = ({ id, shown, widest, expiresAt, session, channels }: PendingApproval): AskedQuestion => ({
  ...{ id, widest, expiresAt, session, channels },
  shown: shown as ApprovalPrompt,
});

export interface GovernedState {
  profile?: string;
  policy?: string;
  enabled: boolean;
  changed: string[];
  log: string;
}

const Answer = z.strictObject({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  channel: z.enum(['terminal', 'mcp', 'library']).default('terminal'),
  /** How long whoever answers had the question before them. */
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

function parse<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params ?? {});
  if (parsed.success) return parsed.data;
  throw new DesktopError('bad_arguments', 'The request cannot be used.', {
    details: { issues: parsed.error.issues.map((issue) => issue.message) },
  });
}

/** What people decide: questions, grants, whether a session may work here, and whether a changed policy counts. */
export function governedRequests(desktop: Desktop, governance: LoadedGovernance): Requests {
  const { authorizer } = desktop;
  const { questions, grants, ledger } = authorizer;
  const onReload = new Set<() => void>();
  return {
    /** All open questions, at once and whenever they change, until the caller goes. */
    approvals: async (_, { signal, item }): Promise<void> => {
      const leave = authorizer.attend();
      const tell = (): void => item({ open: questions.all.map(forPeople) });
      const stop = questions.onChange(tell);
      try {
        tell();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      } finally {
        stop();
        leave();
      }
    },
    questions: async (): Promise<{ open: AskedQuestion[] }> => ({ open: questions.all.map(forPeople) }),
    answer: async (params): Promise<{ taken: Taken }> => {
      const { id, ...said } = parse(Answer, params);
      const taken = questions.answer(id, said);
      const about = questions.known(id);
      if (about && (taken === 'already closed' || taken === 'too fast')) {
        const { subjectHash: subject, askedAt } = about;
        const when = { ms: Math.max(0, Date.now() - askedAt), channel: said.channel };
        await ledger.note({ kind: 'answer', question: id, subject, result: taken, ...when });
      }
      return { taken };
    },
    grants: async (): Promise<{ grants: Grant[] }> => ({ grants: grants.all }),
    revoke: async (params): Promise<{ revoked: boolean }> => {
      const { id } = parse(GrantId, params);
      const grant = grants.all.find((one) => one.id === id);
      if (!grant) return { revoked: false };
      await ledger.note({ kind: 'grant', event: 'revoked', grant: id, scope: grant.scope, by: 'terminal' });
      return { revoked: grants.revoke(id) };
    },
    enable: async (params): Promise<{ changed: boolean }> => {
      const { session } = parse(Session, params);
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
    policy: async (_, { directory }): Promise<GovernedState> => {
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
    /** Whoever comes is told at once that the policy of its project cannot be used. */
    project: async (_, { directory }): Promise<void> => governance.begin(directory),
    preview: async (): Promise<Reloaded> => governance.preview(),
    reload: async (params): Promise<Reloaded> => {
      const reloaded = await governance.reload(authorizer, 'terminal', parse(Expected, params).expected);
      for (const tell of onReload) tell();
      return reloaded;
    },
    /** Names of the tools that are worth offering, at once and whenever the policy was read again. */
    tools: async (params, { signal, directory, item }): Promise<void> => {
      const { caller } = parse(Offered, params);
      const rules = (): Policy => authorizer.within(directory).rules;
      const tell = (): void => item({ tools: permittedTools(TOOLS, rules(), authorizer.desktop, caller) });
      onReload.add(tell);
      try {
        tell();
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      } finally {
        onReload.delete(tell);
      }
    },
    explain: async (params, { signal, directory }): Promise<Explained> => {
      await governance.begin(directory);
      return explainCall(desktop, parse(ToExplain, params), signal, directory);
    },
    rotate: async (): Promise<void> => governance.ledger.rotate(),
  };

  function note(event: 'enabled' | 'disabled'): Promise<number> {
    return ledger.note({ kind: 'policy', event, policy: authorizer.rules.hash ?? '0'.repeat(64), by: 'terminal' });
  }
}

/** What a call would be answered with, and why. */
export interface Explained {
  verdict: PolicyVerdict;
  /** What a person has allowed already and covers it. */
  grant?: string;
  /** Policy files that are no longer what was read: no act passes until a person has looked. */
  changed: string[];
}

export interface CallToExplain {
  tool: string;
  args: Record<string, unknown>;
  /** The surface that would call. */
  caller: string;
}

/** To find the target is a look like any other: asked about, hidden windows left out, written down. */
export async function explainCall(
  desktop: Desktop,
  call: CallToExplain,
  signal: AbortSignal,
  directory?: string,
): Promise<Explained> {
  const tool = toolNamed(call.tool);
  const changed = (): string[] => desktop.authorizer.within(directory).changedFiles;
  const explains = explainTool(changed, tool, call);
  // What would be typed is nobody's business here: only the target is written down.
  const { target, window } = call.args;
  const args = { tool: tool.name, ...(isText(target) && { target }), ...(isText(window) && { window }) };
  const { json } = await perform(desktop, [explains], { tool: explains.name, args, caller: 'cli', signal, directory });
  return json as unknown as Explained;
}

const isText = (value: unknown): value is string => typeof value === 'string';

function explainTool(changed: () => string[], tool: Tool, call: CallToExplain): ReadTool {
  return defineTool({
    name: 'policy_explain',
    class: 'read',
    description: 'What the policy would say to a call.',
    timeoutMs: 10_000,
    input: z.object({ tool: z.string(), target: z.string().optional(), window: z.string().optional() }),
    run: async ({ reader }): Promise<Explained> => {
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
  const names = TOOLS.map((tool) => tool.name);
  const found = TOOLS.find((tool) => tool.name === name);
  if (!found) {
    const guess = didYouMean(name, names);
    throw new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(name.slice(0, 40))}.`, {
      hint: guess ? `Did you mean ${guess}?` : `There are ${names.join(', ')}.`,
    });
  }
  if ('steps' in found) {
    throw new DesktopError('bad_arguments', 'A batch is nothing by itself: each of its steps is decided.', {
      hint: 'Ask for one of its steps.',
    });
  }
  return found;
}
