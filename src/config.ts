import { readFileSync } from 'node:fs';
import { DesktopError } from './shared/index.js';

const MINUTES = 60_000;

interface Variable<Value> {
  /** Undefined: it cannot be used. */
  read: (given: string) => Value | undefined;
  hint?: string;
}

const text: Variable<string> = { read: (given) => given };

/**
 * What the environment may set, in one table, so that the reference can be derived from it. Checked without zod: this
 * is read by every command, and zod alone takes longer to load than most commands to run.
 */
const ENVIRONMENT = {
  /** Which desktop commands mean: `user` or the name of a private one. */
  DESKWRIGHT_DESKTOP: text,
  /** Directory for sockets and locks, instead of the one in XDG_RUNTIME_DIR. */
  DESKWRIGHT_RUNTIME: text,
  /** How long the host of the person's own desktop stays without callers. */
  DESKWRIGHT_IDLE_MS: {
    read: (given: string) => {
      const number = Number(given);
      return Number.isInteger(number) && number >= 100 && number <= 2_000_000_000 ? number : undefined;
    },
    hint: 'Give a whole number of milliseconds, 100 or more.',
  },
  /** Debug lines: dbus,host or *. */
  DESKWRIGHT_DEBUG: text,
} satisfies Record<string, Variable<unknown>>;

export interface Config {
  desktop?: string;
  runtime?: string;
  idleMs: number;
  debug: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Env = process.env): Config {
  return {
    desktop: valueOf('DESKWRIGHT_DESKTOP', env),
    runtime: valueOf('DESKWRIGHT_RUNTIME', env),
    idleMs: valueOf('DESKWRIGHT_IDLE_MS', env) ?? 5 * MINUTES,
    debug: valueOf('DESKWRIGHT_DEBUG', env) !== undefined,
  };
}

type Values = { [Name in keyof typeof ENVIRONMENT]: ReturnType<(typeof ENVIRONMENT)[Name]['read']> };

function valueOf<Name extends keyof Values>(name: Name, env: Env): Values[Name] | undefined {
  const given = env[name];
  // An empty variable is how shells spell "not set".
  if (given === undefined || given === '') return undefined;
  const { read, hint }: Variable<unknown> = ENVIRONMENT[name];
  const value = read(given);
  if (value !== undefined) return value as Values[Name];
  throw new DesktopError('bad_arguments', `${name} is set to something that cannot be used.`, {
    hint: hint ?? `Unset ${name}.`,
  });
}

/** Of the package, from the one place where it is written. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
