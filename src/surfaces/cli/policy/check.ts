import { govern, policyWarnings, type Files, type ParsedPolicy, type PolicyFault } from '../../../policy/index.js';
import { secretWarnings } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { safeForTerminal } from '../terminal.js';
import { policyHere, type PolicyHere } from './policy-here.js';

/** What counts here, or everything that is wrong with it. */
export async function checkPolicy(context: Context, file: string | undefined, flags: Flags): Promise<void> {
  const { terminal } = context;
  const here = readOrTell(context, file, flags);
  const warnings = here.parsed.flatMap((parsed) => policyWarnings(parsed));
  const { settings } = govern(here.files, 'seat');
  const odd = await secretWarnings(settings, context.env);
  const [seat, virtual] = (['seat', 'virtual'] as const).map((kind) => govern(here.files, kind));
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
  const seat = govern(files, 'seat');
  const { enabled, limits } = seat.settings;
  const off = seat.profile === 'private' || enabled ? '' : ' (each session is asked for first)';
  const { actsPerMinute, capturesPerMinute, launchesPerMinute } = limits;
  return [
    `your screen: ${seat.profile}${off}; private desktops: ${govern(files, 'virtual').profile}`,
    `a minute: ${actsPerMinute} acts, ${capturesPerMinute} captures, ${launchesPerMinute} launches`,
  ].join('\n');
}
