import { type Reloaded, secretWarnings } from '../../../host/index.js';
import {
  type Files,
  compilePolicy,
  type ParsedPolicy,
  type PolicyFault,
  policyWarnings,
} from '../../../policy/index.js';
import { DesktopError } from '../../../shared/index.js';
import { personIsHere, saysYes } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import { closing, type Context, type Flags, openChosen } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { policyHere, type PolicyHere } from './explain.js';

/** What counts here, or everything that is wrong with it. */
export async function checkPolicy(context: Context, file: string | undefined, flags: Flags): Promise<void> {
  const { terminal } = context;
  const here = readOrTell(context, file, flags);
  const warnings = here.parsed.flatMap((parsed) => policyWarnings(parsed));
  const { settings } = compilePolicy(here.files, 'seat');
  const odd = await secretWarnings(settings, context.env);
  const [seat, virtual] = (['seat', 'virtual'] as const).map((kind) => compilePolicy(here.files, kind));
  if (flags.json) {
    return printJson(context, {
      schema: 1,
      files: here.parsed.map(({ tier, file: name, policy }) => ({
        tier,
        file: name,
        rules: policy.rules?.length ?? 0,
      })),
      profile: { seat: seat!.profile, virtual: virtual!.profile },
      enabled: seat!.settings.enabled,
      limits: seat!.settings.limits,
      warnings: [...warnings, ...odd.map((message) => ({ message }))],
    });
  }
  for (const line of fileLines(here)) terminal.out(`${safeForTerminal(line)}\n`);
  terminal.out(`${summary(here.files)}\n`);
  for (const { file: name, line, message } of warnings) {
    terminal.out(`${terminal.paint('yellow', 'warning:')} ${safeForTerminal(`${name}:${line}: ${message}`)}\n`);
  }
  for (const message of odd) {
    terminal.out(`${terminal.paint('yellow', 'warning:')} ${safeForTerminal(message)}\n`);
  }
}

/** The error names the first fault; here a person wants to see all of them. */
function readOrTell({ terminal }: Context, file: string | undefined, flags: Flags): PolicyHere {
  try {
    return policyHere(file);
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

export function fileLines({ places, parsed }: Pick<PolicyHere, 'places' | 'parsed'>): string[] {
  const rows = (['managed', 'user', 'project'] as const).flatMap((tier): [string, string, string][] => {
    const path = places[tier];
    const found = parsed.find((one) => one.tier === tier);
    return path === undefined ? [] : [[tier, path, found ? contents(found) : 'not there']];
  });
  const width = Math.max(...rows.map(([, path]) => path.length));
  return rows.map(([tier, path, what]) => `${tier.padEnd(8)} ${path.padEnd(width)}  ${what}`);
}

function contents({ policy: { rules = [], version: _, ...others } }: ParsedPolicy): string {
  const fields = Object.keys(others);
  const count = `${rules.length} rule${rules.length === 1 ? '' : 's'}`;
  return fields.length === 0 ? count : `${count}, ${fields.join(', ')}`;
}

export function summary(files: Files): string {
  const seat = compilePolicy(files, 'seat');
  const { enabled, limits } = seat.settings;
  const off = seat.profile === 'private' || enabled ? '' : ' (each session is asked for first)';
  const { actsPerMinute, capturesPerMinute, launchesPerMinute } = limits;
  return [
    `your screen: ${seat.profile}${off}; private desktops: ${compilePolicy(files, 'virtual').profile}`,
    `a minute: ${actsPerMinute} acts, ${capturesPerMinute} captures, ${launchesPerMinute} launches`,
  ].join('\n');
}

/** Whoever may change the files must not also be the one who lets them count: a person looks in between. */
export async function reloadPolicy(context: Context, flags: Flags): Promise<void> {
  if (!personIsHere()) {
    throw new DesktopError('approval_required', 'Only a person at a terminal lets a changed policy count.', {
      hint: 'Type it yourself: deskproof policy reload',
    });
  }
  const { host } = await openChosen(context, flags);
  await closing(host, async () => {
    const seen = await host.request<Reloaded>('preview', {}, { signal: context.signal });
    if (seen.files.length === 0) return tell(context, flags, { ...seen, reloaded: false }, 'nothing has changed');
    for (const line of reloadLines(seen)) context.terminal.err(`${safeForTerminal(line)}\n`);
    if (!(await saysYes('Let it count, and end all grants?', context.signal))) {
      return tell(context, flags, { ...seen, reloaded: false }, 'left as it was: acts stay refused');
    }
    // What counts afterwards is what was shown, or nothing is changed.
    const done = await host.request<Reloaded>('reload', { expected: seen.seen }, { signal: context.signal });
    tell(context, flags, { ...done, reloaded: true }, 'it counts now; grants and open questions are gone');
  });
}

export function reloadLines({ files, differences, before, after }: Reloaded): string[] {
  return [
    ...files.map((file) => `changed  ${file}`),
    ...(differences.length > 0 ? differences : ['what they say is the same']).map((line) => `         ${line}`),
    `policy   ${before.slice(0, 12)} -> ${after.slice(0, 12)}`,
  ];
}

function tell(context: Context, flags: Flags, answer: Reloaded & { reloaded: boolean }, words: string): void {
  if (flags.json) printJson(context, { schema: 1, ...answer });
  else context.terminal.out(`${words}\n`);
}
