import type { FollowItem } from '../../../host/index.js';
import { withoutUntrustedMarkers } from '../../../tree/index.js';
import { colourText } from '../terminal.js';
import { closing, connectDesktop, type Context, type Flags } from '../context.js';
import type { Arguments } from './tool-command.js';

/** Prints events until Ctrl-C. A pipe gets blocks with markers; with --json, one event per line. */
export async function followEvents(context: Context, args: Arguments, flags: Flags): Promise<void> {
  const { terminal, signal } = context;
  const { host, choice } = await connectDesktop(context, flags);
  if (terminal.isTerminal && !flags.json) {
    const where = choice.kind === 'private' ? `desktop ${choice.name}` : 'your desktop';
    terminal.out(`${terminal.paint('grey', `${where}: showing events as they happen, Ctrl-C to end`)}\n`);
  }
  const show = ({ text, events }: FollowItem) => {
    if (flags.json) for (const event of events) terminal.out(`${JSON.stringify(event)}\n`);
    else if (terminal.isTerminal) terminal.out(`${colourText(eventLines(text), terminal.paint)}\n`);
    else terminal.out(`${text}\n`);
  };
  await closing(host, async () => {
    // Ctrl-C is the normal end, so it is not an error.
    if (!signal.aborted) await host.request('follow', { args }, { signal, onItem: (item) => show(item as FollowItem) });
  });
}

/** Without our first line, which is a count: here events arrive one by one. */
function eventLines(text: string): string {
  return withoutUntrustedMarkers(text.slice(text.indexOf('\n') + 1)).trimEnd();
}
