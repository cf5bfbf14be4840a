import { resolve } from 'node:path';
import { type CallExplanation, hasDisplay } from '../../../host/index.js';
import {
  explain,
  type FindMethod,
  compilePolicy,
  type PolicyFiles,
  policyPlaces,
  type PolicyPlaces,
  readPolicyFiles,
  type TargetFacts,
  type PolicyVerdict,
} from '../../../policy/index.js';
import { localiseHint, DesktopError, didYouMean } from '../../../shared/index.js';
import { callRequest, policyRequest, TOOLS } from '../../../tools/index.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags, connectDesktop } from '../context.js';
import { type Colour, safeForTerminal } from '../terminal.js';
import { commandName } from '../tools/command-name.js';

export interface ExplainFlags extends Flags {
  window?: string;
  args?: string;
  caller?: string;
  app?: string;
  appName?: string;
  role?: string;
  name?: string;
  method?: FindMethod;
  confidence?: number;
  secure?: boolean;
  policy?: string;
  on?: 'seat' | 'virtual' | 'remote';
}

const FACTS = ['app', 'appName', 'role', 'name', 'method', 'confidence', 'secure'] as const;

/** With a target, the running desktop decides. With facts alone, the current files decide. */
export async function explainPolicy(
  context: Context,
  word: string,
  target: string | undefined,
  flags: ExplainFlags,
): Promise<void> {
  const tool = findTool(word);
  const args = parseArguments(flags.args);
  if (target === undefined) return printVerdict(context, explainFacts(context, tool, args, flags), flags);
  const conflicting = [...FACTS, 'policy' as const, 'on' as const].filter((fact) => flags[fact] !== undefined);
  if (conflicting.length > 0) {
    throw new DesktopError('bad_arguments', 'Facts cannot be combined with a target on the running desktop.', {
      hint: `Omit --${conflicting[0]!.replace('N', '-n')} or the target.`,
    });
  }
  const call = {
    tool: tool.name,
    args: { ...args, [targetField(tool)]: target, ...(flags.window !== undefined && { window: flags.window }) },
    caller: flags.caller ?? 'cli',
  };
  const { host } = await connectDesktop(context, flags);
  context.inTool = true;
  printVerdict(
    context,
    await closing(host, () => host.request<CallExplanation>('explain', call, { signal: context.signal })),
    flags,
  );
}

interface Explanation extends Partial<Omit<CallExplanation, 'verdict'>> {
  verdict: PolicyVerdict;
  /** Decided as if the user had enabled the session. */
  supposed?: boolean;
}

function explainFacts(
  { env }: Context,
  tool: ReturnType<typeof findTool>,
  args: Record<string, unknown> | undefined,
  flags: ExplainFlags,
): Explanation {
  const desktop = flags.on ?? desktopKind(flags.desktop, env);
  const policy = compilePolicy(currentPolicy(flags.policy).files, desktop);
  const target = targetFacts(flags);
  const asked = callRequest(tool, flags.caller ?? 'cli', args ?? {});
  // Arguments that were not given may be anything.
  const known = { desktop, enabled: true, argsKnown: args !== undefined, ...(target && { target }) };
  const verdict = policy.decide(policyRequest(asked, known));
  const supposed = policy.profile !== 'private' && !policy.settings.enabled;
  return { verdict, ...(supposed && { supposed }) };
}

function desktopKind(desktop: string | undefined, env: Context['env']): 'seat' | 'virtual' {
  const named = desktop ?? env.DESKPROOF_DESKTOP ?? '';
  if (named === 'user') return 'seat';
  return named === '' && hasDisplay(env) ? 'seat' : 'virtual';
}

function targetFacts(flags: ExplainFlags): TargetFacts | undefined {
  const { window, app, appName, role, name, method, confidence, secure } = flags;
  if (window === undefined && FACTS.every((fact) => flags[fact] === undefined)) return undefined;
  const element = role !== undefined || name !== undefined;
  return {
    ...{ app, appName, window, role, name, secure },
    // The usual values for an element, unless given.
    method: method ?? (element ? 'name' : undefined),
    confidence: confidence ?? (element ? 1 : undefined),
  };
}

const COLOURS: Readonly<Record<string, Colour>> = { allow: 'green', ask: 'yellow', deny: 'red' };

function printVerdict(context: Context, { verdict, grant, changed = [], supposed }: Explanation, flags: Flags): void {
  const { terminal } = context;
  if (flags.json) {
    return printJson(context, {
      ...{ schema: 1, untrusted: true, ...verdict },
      ...(grant !== undefined && { grant }),
      ...(supposed && { supposed: 'enabled' }),
      ...(changed.length > 0 && { changed }),
    });
  }
  const [first = '', ...rest] = explain(verdict).map(safeForTerminal);
  const colour = verdict.answers.length === 1 ? COLOURS[verdict.answer] : undefined;
  terminal.out(`${colour ? terminal.paint(colour, first) : first}\n`);
  for (const line of rest) terminal.out(`${line}\n`);
  if (grant !== undefined) terminal.out(`  already approved by the user: grant ${grant}\n`);
  const say = (line: string): void => terminal.out(`  ${localiseHint(context.named, line)}\n`);
  if (supposed && verdict.answer !== 'deny') say('if the user has enabled the session: deskproof enable');
  if (changed.length > 0) say('but all acts are refused: a policy file changed on disk. Run deskproof policy reload');
}

type Tool = (typeof TOOLS)[number];

/** Finds a tool by its name or by the name of its command. A batch is not decided as one call. */
function findTool(word: string): Tool {
  const found = TOOLS.find(({ name }) => name === word || commandName(name) === word);
  if (!found) {
    const names = TOOLS.flatMap(({ name }) => [name, commandName(name)]);
    const guess = didYouMean(word, names);
    throw new DesktopError('bad_arguments', `Unknown tool ${JSON.stringify(word.slice(0, 40))}.`, {
      hint: guess ? `Did you mean ${guess}?` : `Valid tools: ${TOOLS.map(({ name }) => name).join(', ')}.`,
    });
  }
  if ('steps' in found) {
    throw new DesktopError('bad_arguments', 'The policy does not decide a batch as a whole; it decides each step.', {
      hint: 'Explain one of its steps.',
    });
  }
  return found;
}

const ABOUT = ['target', 'from', 'command', 'window'] as const;

/** The argument that names the target of the call. */
function targetField({ name, input }: Tool): string {
  const field = ABOUT.find((one) => one in input.shape);
  if (field !== undefined) return field;
  throw new DesktopError('bad_arguments', `${name} has no target.`, { hint: 'Omit the target.' });
}

function parseArguments(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw invalidArguments(error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalidArguments();
  return value as Record<string, unknown>;
}

function invalidArguments(cause?: unknown): DesktopError {
  return new DesktopError('bad_arguments', '--args takes a JSON object.', {
    hint: `Use single quotes: --args '{"keys":"ctrl+s"}'`,
    cause,
  });
}

export interface CurrentPolicy extends PolicyFiles {
  places: PolicyPlaces;
}

/** The policy files as a desktop started here and now would read them; `file` replaces the user's own. */
export function currentPolicy(file?: string): CurrentPolicy {
  const places = policyPlaces({
    startDirectory: process.cwd(),
    ...(file !== undefined && { policyFile: resolve(file) }),
  });
  return {
    ...readPolicyFiles(
      places,
      TOOLS.map(({ name }) => name),
    ),
    places,
  };
}
