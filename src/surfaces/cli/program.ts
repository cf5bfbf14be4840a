import { Command, Help, Option } from 'commander';
import { VERSION } from '../../config.js';
import { approvalsCommand, disableCommand, enableCommand, grantsCommand } from './approve/command.js';
import { auditCommand } from './audit/command.js';
import { showExamples, overview } from './command-guide.js';
import { completionCommand } from './completion/completion.js';
import type { Context, Flags } from './context.js';
import { demoCommand } from './demo/command.js';
import { desktopCommand } from './desktop/command.js';
import { doctorCommand } from './doctor.js';
import { initCommand } from './init/command.js';
import { mcpCommand } from './mcp.js';
import { policyCommand } from './policy/command.js';
import { exportCommand, replayCommand } from './replay/command.js';
import { schemaCommand } from './schema-command.js';
import { selectorCommand } from './selector/command.js';
import { resumeCommand, stopCommand } from './stop.js';
import { toolCommands } from './tools/run-tool.js';
import { TOOL_MANIFEST } from './tools/tool-manifest.js';

type CommandFactory = (context: Context, make: (name: string) => Command, program: Command) => Command;

/** Every command that is not a tool, in the order of the overview. Each describes itself in its own file. */
const COMMANDS: readonly CommandFactory[] = [
  demoCommand,
  initCommand,
  doctorCommand,
  selectorCommand,
  desktopCommand,
  policyCommand,
  approvalsCommand,
  grantsCommand,
  enableCommand,
  disableCommand,
  stopCommand,
  resumeCommand,
  auditCommand,
  replayCommand,
  exportCommand,
  mcpCommand,
  schemaCommand,
  completionCommand,
];

/** Creates all commands. Errors are thrown, never printed here. */
export function createProgram(context: Context): Command {
  context.toolNames = new Set(TOOL_MANIFEST.map(({ name }) => name));
  const program = new Command('deskproof');
  program
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => undefined, writeErr: (text) => context.terminal.err(text) })
    .configureHelp({
      formatHelp: (command, help) =>
        command === program ? overview(program) : Help.prototype.formatHelp.call(help, command, help),
    })
    .hook('preAction', (_, command) => {
      context.named = command.optsWithGlobals<Flags>().desktop ?? context.named;
    })
    .version(VERSION, '-V, --version', 'print the version of Deskproof');

  const make = (name: string) => new Command(name).copyInheritedSettings(program);
  const commands = [
    ...toolCommands(context, make, TOOL_MANIFEST),
    ...COMMANDS.map((create) => create(context, make, program)),
  ];
  for (const command of commands) {
    program.addCommand(withCommonFlags(command));
    for (const inner of command.commands) withCommonFlags(inner);
  }
  showExamples(program);
  return withCommonFlags(program);
}

function withCommonFlags(command: Command): Command {
  const globalOption = (flags: string, what: string) => new Option(flags, what).helpGroup('Global options:');
  return command
    .addOption(globalOption('--desktop <name>', 'user (your screen) or the name of a private desktop'))
    .addOption(globalOption('--json', 'print the answer as JSON'))
    .addHelpOption(globalOption('-h, --help', 'show this help'));
}
