import { chooseDesktop, choosePrivate, Desktops, type Choice, type HostClient } from '../../host/index.js';
import { VERSION } from '../../config.js';
import { createTerminal, type Terminal } from './terminal.js';

type Env = Readonly<Record<string, string | undefined>>;

/** What every command receives: output, desktops and the abort signal. */
export interface Context {
  readonly env: Env;
  readonly terminal: Terminal;
  readonly desktops: Desktops;
  /** Aborts on Ctrl-C or a termination signal. */
  readonly signal: AbortSignal;
  /** Set when a command failed without an error to report. */
  exitCode: number;
  /** The desktop that was named or chosen. Hints mention it too. */
  named: string | undefined;
  /** True while a tool runs: its errors are printed as answers. */
  inTool: boolean;
  /** All tools: answers and hints for the user show their commands instead. */
  toolNames: ReadonlySet<string>;
  /** Another program uses the terminal: Ctrl-C is meant for it, and we wait until it ends. */
  terminalIsLent: boolean;
  /**
   * From here on, a signal ends the process at once. For work that does not return to the event loop, where our own
   * handling of signals would have to wait for its end, and that leaves nothing to clean up.
   */
  endAtSignals: () => void;
}

/** Flags of every command. */
export interface Flags {
  desktop?: string;
  json?: boolean;
}

export function createContext(signal: AbortSignal, env: Env = process.env): Context {
  return {
    env,
    terminal: createTerminal(process.stdout, process.stderr, env),
    desktops: new Desktops(`deskproof ${VERSION} cli`, env),
    signal,
    exitCode: 0,
    named: env.DESKPROOF_DESKTOP || undefined,
    inTool: false,
    toolNames: new Set(),
    terminalIsLent: false,
    endAtSignals: () => undefined,
  };
}

export async function connectDesktop(context: Context, flags: Flags): Promise<{ host: HostClient; choice: Choice }> {
  const choice = await resolveDesktop(context, flags);
  return { host: await context.desktops.connect(choice), choice };
}

/** Decides which desktop a command uses. */
export async function resolveDesktop(context: Context, flags: Flags): Promise<Choice> {
  const choice = await chooseDesktop(flags.desktop, context.env, () => context.desktops.running());
  context.named = choice.kind === 'private' ? choice.name : 'user';
  return choice;
}

export function resolvePrivateName(context: Context, given: string | undefined): Promise<string> {
  return choosePrivate(given, context.env, () => context.desktops.running());
}

/** Runs `work` and closes the connection afterwards, also after an error. */
export async function closing<T>(host: HostClient, work: (host: HostClient) => Promise<T>): Promise<T> {
  try {
    return await work(host);
  } finally {
    host.close();
  }
}
