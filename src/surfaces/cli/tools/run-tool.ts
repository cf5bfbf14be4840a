import type { Command } from 'commander';
import { callTool } from '../call-tool.js';
import { withGuide } from '../command-guide.js';
import type { Context, Flags } from '../context.js';
import { captureToFile } from '../output-file.js';
import { followEvents } from './follow-events.js';
import { type Arguments, toolCommand, type ToolManifestEntry, toolUsage } from './tool-command.js';

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
