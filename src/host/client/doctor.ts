import { Deadline, DesktopError } from '../../shared/index.js';
import { makePrivateDirectory, runtimeBase } from '../../platform/index.js';
import { type Finding, ownFilesFinding } from './findings.js';

type Env = Readonly<Record<string, string | undefined>>;

const EXAMINE_MS = 10_000;

/** Reports what works on this machine and in this session. Needs neither a display nor a host. */
export async function runDoctor(env: Env, signal?: AbortSignal): Promise<Finding[]> {
  const { examineSession, missingPrograms } = await import('../../compose.js');
  const session = await examineSession(env, Deadline.in(EXAMINE_MS, signal));
  const missing = await missingPrograms([], env);
  const desktops = missing ? [privateDesktops(missing), ownFilesFinding(missing.exposed)] : [];
  return [...session, ...desktops, runtimeDirectory(env), ...(await policy(env))];
}

/** Loaded on demand, since it imports the whole policy engine. */
async function policy(env: Env): Promise<Finding[]> {
  const { policyFindings } = await import('../governance/policy-confirmation.js');
  return policyFindings(env);
}

/** The packages that the demo needs and that are not installed, with the command that installs them. */
export async function missingPackages(
  programs: readonly string[],
  env: Env,
): Promise<{ packages: string[]; install: string }> {
  const { missingPrograms } = await import('../../compose.js');
  return (await missingPrograms(programs, env)) ?? { packages: [...programs], install: '' };
}

function privateDesktops(missing: { packages: string[]; install: string }): Finding {
  if (missing.packages.length === 0) return { level: 'ok', what: 'private desktops can be started' };
  return { level: 'warn', what: `private desktops need ${missing.packages.join(', ')}`, fix: missing.install };
}

function runtimeDirectory(env: Env): Finding {
  try {
    const base = runtimeBase(env);
    makePrivateDirectory(base);
    return { level: 'ok', what: `runtime directory ${base} is private` };
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    return { level: 'fail', what: error.message.replace(/\.$/, ''), fix: error.hint };
  }
}
