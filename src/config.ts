import { readFileSync } from 'node:fs';
import { DesktopError } from './shared/index.js';

const MINUTES = 60_000;

interface Variable<Value> {
  /** Text for docs/config.md, which is generated from this table. */
  what: string;
  /** Returns undefined if the value is invalid. */
  read: (given: string) => Value | undefined;
  hint?: string;
}

const text = (what: string): Variable<string> => ({ what, read: (given) => given });

/**
 * All environment variables in one table, so that docs/config.md can be generated from it. It is checked without zod:
 * every command reads it, and loading zod alone takes longer than most commands.
 */
export const ENVIRONMENT = {
  DESKPROOF_DESKTOP: text(
    'desktop to use when no `--desktop` is given: `user` (your screen) or the name of a private desktop',
  ),
  DESKPROOF_RUNTIME: text(
    'directory for sockets and locks, instead of the one in `XDG_RUNTIME_DIR`; only you may have access to it',
  ),
  DESKPROOF_IDLE_MS: {
    what: 'how long the host of your own desktop keeps running without calls, in milliseconds; the default is 5 minutes',
    read: (given: string) => {
      const number = Number(given);
      return Number.isInteger(number) && number >= 100 && number <= 2_000_000_000 ? number : undefined;
    },
    hint: 'Give a whole number of milliseconds, 100 or more.',
  },
  DESKPROOF_DEBUG: text(
    'topics to log to stderr (`dbus,host` or `*`); any value also adds stack traces to internal errors',
  ),
} satisfies Record<string, Variable<unknown>>;

interface Config {
  desktop?: string;
  runtime?: string;
  idleMs: number;
  debug: boolean;
}

type Env = Readonly<Record<string, string | undefined>>;

export function readConfig(env: Env = process.env): Config {
  refuseEarlierVariables(env);
  return {
    desktop: valueOf('DESKPROOF_DESKTOP', env),
    runtime: valueOf('DESKPROOF_RUNTIME', env),
    idleMs: valueOf('DESKPROOF_IDLE_MS', env) ?? 5 * MINUTES,
    debug: valueOf('DESKPROOF_DEBUG', env) !== undefined,
  };
}

/** A variable under the earlier name of the program has no effect. Without an error it would seem to be obeyed. */
export function refuseEarlierVariables(env: Env): void {
  const earlier = Object.keys(env).find((name) => name.startsWith('DESKWRIGHT_') && env[name]);
  if (earlier === undefined) return;
  const name = earlier.replace('DESKWRIGHT_', 'DESKPROOF_');
  throw new DesktopError(
    'bad_arguments',
    `The environment variable ${earlier} belongs to an earlier name of this program. Unset it and set ${name} instead.`,
  );
}

type Values = { [Name in keyof typeof ENVIRONMENT]: ReturnType<(typeof ENVIRONMENT)[Name]['read']> };

function valueOf<Name extends keyof Values>(name: Name, env: Env): Values[Name] | undefined {
  const given = env[name];
  // Shells often unset a variable by making it empty.
  if (given === undefined || given === '') return undefined;
  const { read, hint }: Variable<unknown> = ENVIRONMENT[name];
  const value = read(given);
  if (value !== undefined) return value as Values[Name];
  throw new DesktopError('bad_arguments', `${name} has an invalid value.`, {
    hint: hint ?? `Unset ${name}.`,
  });
}

/** The version of the package, from package.json. */
export const VERSION: string = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version;
