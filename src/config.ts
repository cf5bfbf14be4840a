import { readFileSync } from 'node:fs';
import { DesktopError } from './shared/index.js';

const MINUTES = 60_000;

interface Variable<Value> {
  /** For the reference, docs/config.md, which is made from this table. */
  what: string;
  /** Undefined: it cannot be used. */
  read: (given: string) => Value | undefined;
  hint?: string;
}

const text = (what: string): Variable<string> => ({ what, read: (given) => given });

/**
 * What the environment may set, in one table, so that the reference can be derived from it. Checked without zod: this
 * is read by every command, and zod alone takes longer to load than most commands to run.
 */
export const ENVIRONMENT = {
  DESKPROOF_DESKTOP: text(
    'which desktop is meant where none is named: `user` (your screen) or the name of a private one',
  ),
  DESKPROOF_RUNTIME: text(
    'directory for sockets and locks, instead of the one in `XDG_RUNTIME_DIR`; it is yours alone',
  ),
  DESKPROOF_IDLE_MS: {
    what: 'how long the host of your own desktop stays when nobody calls, in milliseconds; 5 minutes unless set',
    read: (given: string) => {
      const number = Number(given);
      return Number.isInteger(number) && number >= 100 && number <= 2_000_000_000 ? number : undefined;
    },
    hint: 'Give a whole number of milliseconds, 100 or more.',
  },
  DESKPROOF_DEBUG: text('anything: where an error of ours came from is told too'),
} satisfies Record<string, Variable<unknown>>;

export interface Config {
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
