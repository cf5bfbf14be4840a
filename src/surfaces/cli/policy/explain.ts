import { resolve } from 'node:path';
import { type Explained, hasDisplay } from '../../../host/index.js';
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
import { policyRequest, TOOLS } from '../../../tools/index.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags, openChosen } from '../context.js';
import { type Colour, safeForTerminal } from '../terminal.js';
import { commandName } from '../tools/shapes.js';

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

/** Of a target: as the running desktop would decide. Of facts alone: as the files would that are here now. */
export async function explainPolicy(
  context: Context,
  word: string,
  target: string | undefined,
  flags: ExplainFlags,
): Promise<void> {
  const tool = toolAsked(word);
  const args = argumentsGiven(flags.args);
  if (target === undefined) return tell(context, byFacts(context, tool, args, flags), flags);
  const besides = [...FACTS, 'policy' as const, 'on' as const].filter((fact) => flags[fact] !== undefined);
  if (besides.length > 0) {
    throw new DesktopError('bad_arguments', 'A target on the running desktop has its own facts.', {
      hint: `Leave out --${besides[0]!.replace('N', '-n')}, or the target.`,
    });
  }
  const call = {
    tool: tool.name,
    args: { ...args, [aboutField(tool)]: target, ...(flags.window !== undefined && { window: flags.window }) },
    caller: flags.caller ?? 'cli',
  };
  const { host } = await openChosen(context, flags);
  context.inTool = true;
  tell(context, await closing(host, () => host.request<Explained>('explain', call, { signal: context.signal })), flags);
}

interface Told extends Partial<Omit<Explained, 'verdict'>> {
  verdict: PolicyVerdict;
  /** Decided as if a person had let the session work here. */
  supposed?: boolean;
}

function byFacts(
  { env }: Context,
  { name: tool, class: kind }: ReturnType<typeof toolAsked>,
  args: Record<string, unknown> | undefined,
  flags: ExplainFlags,
): Told {
  const desktop = flags.on ?? kindMeant(flags.desktop, env);
  const policy = compilePolicy(policyHere(flags.policy).files, desktop);
  const target = factsGiven(flags);
  const asked = { tool, class: kind, caller: flags.caller ?? 'cli', args: args ?? {} };
  const { args: written, ...question } = policyRequest(asked, { desktop, enabled: true, ...(target && { target }) });
  // What was not said of the arguments may be anything.
  const verdict = policy.decide({ ...question, ...(args && written && { args: written }) });
  const supposed = policy.profile !== 'private' && !policy.settings.enabled;
  return { verdict, ...(supposed && { supposed }) };
}

function kindMeant(desktop: string | undefined, env: Context['env']): 'seat' | 'virtual' {
  const named = desktop ?? env.DESKPROOF_DESKTOP ?? '';
  if (named === 'user') return 'seat';
  return named === '' && hasDisplay(env) ? 'seat' : 'virtual';
}

function factsGiven(flags: ExplainFlags): TargetFacts | undefined {
  const { window, app, appName, role, name, method, confidence, secure } = flags;
  if (window === undefined && FACTS.every((fact) => flags[fact] === undefined)) return undefined;
  const element = role !== undefined || name !== undefined;
  return {
    ...{ app, appName, window, role, name, secure },
    // As most are found, when nothing else is said.
    method: method ?? (element ? 'name' : undefined),
    confidence: confidence ?? (element ? 1 : undefined),
  };
}

const COLOURS: Readonly<Record<string, Colour>> = { allow: 'green', ask: 'yellow', deny: 'red' };

function tell(context: Context, { verdict, grant, changed = [], supposed }: Told, flags: Flags): void {
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
  if (grant !== undefined) terminal.out(`  allowed already by a person: grant ${grant}\n`);
  const say = (line: string): void => terminal.out(`  ${localiseHint(context.named, line)}\n`);
  if (supposed && verdict.answer !== 'deny') say('once a person has let the session work there: deskproof enable');
  if (changed.length > 0) say('but no act passes: the policy changed on disk; deskproof policy reload');
}

type Tool = (typeof TOOLS)[number];

/** By its own name or by that of its command. A batch is no call of its own. */
export function toolAsked(word: string): Tool {
  const found = TOOLS.find(({ name }) => name === word || commandName(name) === word);
  if (!found) {
    const names = TOOLS.flatMap(({ name }) => [name, commandName(name)]);
    const guess = didYouMean(word, names);
    throw new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(word.slice(0, 40))}.`, {
      hint: guess ? `Did you mean ${guess}?` : `There are ${TOOLS.map(({ name }) => name).join(', ')}.`,
    });
  }
  if ('steps' in found) {
    throw new DesktopError('bad_arguments', 'A batch is nothing by itself: each of its steps is decided.', {
      hint: 'Ask for one of its steps.',
    });
  }
  return found;
}

const ABOUT = ['target', 'from', 'command', 'window'] as const;

/** Which argument says what the call is about. */
export function aboutField({ name, input }: Tool): string {
  const field = ABOUT.find((one) => one in input.shape);
  if (field !== undefined) return field;
  throw new DesktopError('bad_arguments', `${name} has no target.`, { hint: 'Leave it out.' });
}

export function argumentsGiven(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notArguments(error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notArguments();
  return value as Record<string, unknown>;
}

function notArguments(cause?: unknown): DesktopError {
  return new DesktopError('bad_arguments', '--args takes a JSON object.', {
    hint: `In single quotes: --args '{"keys":"ctrl+s"}'`,
    cause,
  });
}

export interface PolicyHere extends PolicyFiles {
  places: PolicyPlaces;
}

/** The files as a desktop would read them that is started here and now; `file` in place of the person's own. */
export function policyHere(file?: string): PolicyHere {
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
