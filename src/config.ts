import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { DesktopError } from './shared/index.js';

const MINUTES = 60_000;

/** What the environment may set. One schema, so that the reference can be derived from it. */
const Environment = z.object({
  /** Which desktop commands mean: `user` or the name of a private one. */
  DESKWRIGHT_DESKTOP: z.string().optional(),
  /** Directory for sockets and locks, instead of the one in XDG_RUNTIME_DIR. */
  DESKWRIGHT_RUNTIME: z.string().optional(),
  /** How long the host of the person's own desktop stays without callers. */
  DESKWRIGHT_IDLE_MS: z.coerce
    .number()
    .int()
    .min(100)
    .max(2_000_000_000)
    .default(5 * MINUTES),
  /** Debug lines: dbus,host or *. */
  DESKWRIGHT_DEBUG: z.string().optional(),
});

export interface Config {
  desktop?: string;
  runtime?: string;
  idleMs: number;
  debug: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Env = process.env): Config {
  // An empty variable is how shells spell "not set".
  const given = Object.fromEntries(Object.keys(Environment.shape).map((name) => [name, env[name] || undefined]));
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const name = String(parsed.error.issues[0]?.path[0]);
    throw new DesktopError('bad_arguments', `${name} is set to something that cannot be used.`, {
      hint: name === 'DESKWRIGHT_IDLE_MS' ? 'Give a whole number of milliseconds, 100 or more.' : `Unset ${name}.`,
    });
  }
  const { DESKWRIGHT_DESKTOP, DESKWRIGHT_RUNTIME, DESKWRIGHT_IDLE_MS, DESKWRIGHT_DEBUG } = parsed.data;
  return {
    desktop: DESKWRIGHT_DESKTOP,
    runtime: DESKWRIGHT_RUNTIME,
    idleMs: DESKWRIGHT_IDLE_MS,
    debug: DESKWRIGHT_DEBUG !== undefined,
  };
}

/** Of the package, from the one place where it is written. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
