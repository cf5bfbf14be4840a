import { type PolicyReload, secretWarnings } from '../../../host/index.js';
import {
  type Files,
  compilePolicy,
  type ParsedPolicy,
  type PolicyFault,
  policyWarnings,
} from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { TOOLS } from '../../../tools/index.js';
import { userIsHere, confirm } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags, connectDesktop } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { currentPolicy, type CurrentPolicy } from './explain.js';

const launches = (name: string): boolean => TOOLS.some((tool) => tool.name === name && tool.traits.launches);

/** Prints the policy in force here, or all errors in it. */
export async function checkPolicy(context: Context, file: string | undefined, flags: Flags): Promise<void> {
  const { terminal } = context;
  const here = readOrListFaults(context, file, flags);
  const warnings = here.parsed.flatMap((parsed) => policyWarnings(parsed, { launches }));
  const { settings } = compilePolicy(here.files, 'seat');
  const secretProblems = await secretWarnings(settings, context.env);
  const [seat, virtual] = (['seat', 'virtual'] as const).map((kind) => compilePolicy(here.files, kind));
  const errors = warnings.filter(({ error }) => error);
  if (flags.json) {
    printJson(context, {
      schema: 1,
      files: here.parsed.map(({ tier, file: name, policy }) => ({
        tier,
        file: name,
        rules: policy.rules?.length ?? 0,
      })),
      profile: { seat: seat!.profile, virtual: virtual!.profile },
      enabled: seat!.settings.enabled,
      limits: seat!.settings.limits,
      hiddenWindows: seat!.windows.patterns,
      warnings: [...warnings, ...secretProblems.map((message) => ({ message }))],
    });
    return refuse(errors);
  }
  for (const line of fileLines(here)) terminal.out(`${safeForTerminal(line)}\n`);
  terminal.out(`${summary(here.files)}\n`);
  for (const { file: name, line, message, error } of warnings) {
    const kind = error ? terminal.paint('red', 'error:') : terminal.paint('yellow', 'warning:');
    terminal.out(`${kind} ${safeForTerminal(`${name}:${line}: ${message}`)}\n`);
  }
  for (const message of secretProblems) {
    terminal.out(`${terminal.paint('yellow', 'warning:')} ${safeForTerminal(message)}\n`);
  }
  refuse(errors);
}

/** The desktop starts with such a policy, because what it says is refused when it is used. */
function refuse(errors: readonly { message: string }[]): void {
  const [first] = errors;
  if (!first) return;
  throw new DesktopError('bad_arguments', `The policy cannot work as written: ${first.message}.`, {
    retry: 'no',
    hint: 'Change the policy file, then run deskproof policy check again.',
  });
}

/** The error names only the first fault; here all of them are printed. */
function readOrListFaults({ terminal }: Context, file: string | undefined, flags: Flags): CurrentPolicy {
  try {
    return currentPolicy(file);
  } catch (error) {
    if (error instanceof DesktopError && !flags.json) {
      const { file: name, more = [] } = (error.details ?? {}) as { file?: string; more?: PolicyFault[] };
      for (const { line, column, message, hint } of more) {
        terminal.out(`${safeForTerminal(`${name}:${line}:${column}: ${message}${hint ? ` ${hint}` : ''}`)}\n`);
      }
    }
    throw error;
  }
}

function fileLines({ places, parsed }: Pick<CurrentPolicy, 'places' | 'parsed'>): string[] {
  const rows = (['managed', 'user', 'project'] as const).flatMap((tier): [string, string, string][] => {
    const path = places[tier];
    const found = parsed.find((one) => one.tier === tier);
    return path === undefined ? [] : [[tier, path, found ? contents(found) : 'does not exist']];
  });
  const width = Math.max(...rows.map(([, path]) => path.length));
  return rows.map(([tier, path, what]) => `${tier.padEnd(8)} ${path.padEnd(width)}  ${what}`);
}

function contents({ policy: { rules = [], version: _, ...others } }: ParsedPolicy): string {
  const fields = Object.keys(others);
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
  return fields.length === 0 ? count : `${count}, ${fields.join(', ')}`;
}

function summary(files: Files): string {
  const seat = compilePolicy(files, 'seat');
  const { enabled, limits } = seat.settings;
  const off = seat.profile === 'private' || enabled ? '' : ' (each session needs approval first)';
  const { actsPerMinute, capturesPerMinute, launchesPerMinute } = limits;
  const hidden = seat.windows.patterns.map(({ pattern, tier }) => `${pattern} (${tier})`);
  return [
    ...(hidden.length > 0 ? [`hidden windows: ${hidden.map(safeForTerminal).join(', ')}`] : []),
    `your desktop: ${seat.profile}${off}; private desktops: ${compilePolicy(files, 'virtual').profile}`,
    `per minute: ${actsPerMinute} acts, ${capturesPerMinute} captures, ${launchesPerMinute} launches`,
  ].join('\n');
}

/** A program that can change the files must not also be able to put them into force: the user confirms in between. */
export async function reloadPolicy(context: Context, flags: Flags): Promise<void> {
  if (!userIsHere()) {
    throw new DesktopError('approval_required', 'Only the user at a terminal can put a changed policy into force.', {
      hint: 'Run it in a terminal yourself: deskproof policy reload',
    });
  }
  const { host } = await connectDesktop(context, flags);
  await closing(host, async () => {
    const seen = await host.request<PolicyReload>('preview', {}, { signal: context.signal });
    if (seen.files.length === 0)
      return printReload(context, flags, { ...seen, reloaded: false }, 'No policy file has changed.');
    for (const line of reloadLines(seen)) context.terminal.err(`${safeForTerminal(line)}\n`);
    if (!(await confirm('Put the changed policy into force and end all grants?', context.signal))) {
      return printReload(
        context,
        flags,
        { ...seen, reloaded: false },
        'The policy was not reloaded. Acts stay refused.',
      );
    }
    // The host puts exactly the previewed version into force, or changes nothing.
    const done = await host.request<PolicyReload>('reload', { expected: seen.seen }, { signal: context.signal });
    printReload(
      context,
      flags,
      { ...done, reloaded: true },
      'The policy is in force. All grants and open approval requests were ended.',
    );
  });
}

export function reloadLines({ files, differences, before, after }: PolicyReload): string[] {
  return [
    ...files.map((file) => `changed  ${file}`),
    ...(differences.length > 0 ? differences : ['the contents are equivalent']).map((line) => `         ${line}`),
    `policy   ${before.slice(0, 12)} -> ${after.slice(0, 12)}`,
  ];
}

function printReload(
  context: Context,
  flags: Flags,
  answer: PolicyReload & { reloaded: boolean },
  words: string,
): void {
  if (flags.json) printJson(context, { schema: 1, ...answer });
  else context.terminal.out(`${words}\n`);
}
