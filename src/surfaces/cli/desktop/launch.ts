import type { LaunchAnswer } from '../../../host/index.js';
import { closing, privateName, type Context, type Flags } from '../context.js';
import { colourText } from '../colour-text.js';
import { parseTimeout } from '../timeout.js';
import { commandWords } from './command-words.js';

export interface LaunchFlags extends Flags {
  name?: string;
  timeoutMs?: string;
}

export async function desktopLaunch(context: Context, words: readonly string[], flags: LaunchFlags): Promise<void> {
  const { terminal } = context;
  const timeoutMs = flags.timeoutMs === undefined ? undefined : parseTimeout(flags.timeoutMs);
  const request = { ...commandWords(words), cwd: workingDirectory(), timeoutMs };
  const name = await privateName(context, flags.name ?? flags.desktop);
  const answer = await closing(await context.desktops.connectPrivate(name), (host) => {
    return host.request<LaunchAnswer>('launch', request, { signal: context.signal });
  });
  if (flags.json) terminal.out(`${JSON.stringify({ schema: 1, untrusted: true, ...answer })}\n`);
  else terminal.out(`${colourText(launchLine(answer), terminal.paint)}\n`);
}

/** `w2 window "Calculator" (gnome-calculator), pid 4711, 0.3 s`. The title is the app's own word, so it is quoted. */
export function launchLine({ window, pid, ms }: LaunchAnswer): string {
  return `${window.ref} ${window.role} ${JSON.stringify(window.title)} (${window.app}), pid ${pid}, ${(ms / 1000).toFixed(1)} s`;
}

/** Where the command was typed; undefined, which means the desktop's home, when that place is no more. */
function workingDirectory(): string | undefined {
  try {
    return process.cwd();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
