import { chooseDesktop, choosePrivate, Desktops, type Choice, type HostClient } from '../../host/index.js';
import { VERSION } from '../../config.js';
import { terminalOf, type Terminal } from './terminal.js';

export type Env = Readonly<Record<string, string | undefined>>;

/** What every command gets: where to write, which desktops there are, and when to stop. */
export interface Context {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly desktops: Desktops;
  /** Aborts at Ctrl-C or when we are told to end. */
  readonly signal: AbortSignal;
  /** Set when the answer is "failed" without an error to report. */
  exitCode: number;
  /** The desktop that was named, or that was chosen; our hints then name it too. */
  named: string | undefined;
  /** A tool is being called: what fails now is its answer. */
  inTool: boolean;
  /** Another program has the terminal: Ctrl-C is for it, and we wait for its end. */
  terminalIsLent: boolean;
}

/** Flags that every command understands. */
export interface Flags {
  desktop?: string;
  json?: boolean;
}

export function makeContext(signal: AbortSignal, env: Env = process.env): Context {
  return {
    env,
    terminal: terminalOf(process.stdout, process.stderr, env),
    desktops: new Desktops(`deskproof ${VERSION} cli`, env),
    signal,
    exitCode: 0,
    named: env.DESKPROOF_DESKTOP || undefined,
    inTool: false,
    terminalIsLent: false,
  };
}

export async function openChosen(context: Context, flags: Flags): Promise<{ host: HostClient; choice: Choice }> {
  const choice = await chosen(context, flags);
  return { host: await context.desktops.connect(choice), choice };
}

/** Which desktop is meant. */
export async function chosen(context: Context, flags: Flags): Promise<Choice> {
  const choice = await chooseDesktop(flags.desktop, context.env, () => context.desktops.running());
  context.named = choice.kind === 'private' ? choice.name : 'user';
  return choice;
}

export function privateName(context: Context, given: string | undefined): Promise<string> {
  return choosePrivate(given, context.env, () => context.desktops.running());
}

/** `work`, and the connection closed after it, however it ends. */
export async function closing<T>(host: HostClient, work: (host: HostClient) => Promise<T>): Promise<T> {
  try {
    return await work(host);
  } finally {
    host.close();
  }
}
