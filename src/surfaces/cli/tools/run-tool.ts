import type { Command } from 'commander';
import { callTool } from '../call-tool.js';
import { withGuide } from '../command-guide.js';
import { closing, connectDesktop, type Context, type Flags } from '../context.js';
import { captureToFile } from '../output-file.js';
import { toolCommand, toolUsage, type Arguments, type ToolManifestEntry } from './tool-command.js';
import type { FollowItem } from '../../../host/index.js';
import { withoutUntrustedMarkers } from '../../../tree/index.js';
import { colourText } from '../terminal.js';

/** One command per tool. Its form comes from the tool itself. */
export function toolCommands(
  context: Context,
  make: (name: string) => Command,
  tools: readonly ToolManifestEntry[],
): Command[] {
  return tools.map((tool) => {
    const { savesFile, follows, group, examples } = tool.cli;
    const run = (args: Arguments, flags: Flags & Arguments): Promise<void> => {
      if (follows && flags.follow === true) return followEvents(context, args, flags);
      if (savesFile) return captureToFile(context, tool.name, args, flags);
      return callTool(context, tool.name, args, flags);
    };
    const command = toolCommand(make, tool, run);
    if (savesFile) command.option('-o, --file <file>', 'write the screenshot to this file');
    if (follows) command.option('--follow', 'print events as they happen, until Ctrl-C');
    return withGuide(command, { overview: { group, usage: toolUsage(tool) }, examples });
  });
}

/** Prints events until Ctrl-C. A pipe gets blocks with markers; with --json, one event per line. */
async function followEvents(context: Context, args: Arguments, flags: Flags): Promise<void> {
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
