import { Command, Help, Option } from 'commander';
import { VERSION } from '../../config.js';
import { auditCommand } from './audit/command.js';
import { callTool } from './call-tool.js';
import { captureToFile } from './output-file.js';
import { completionCommand } from './completion/completion.js';
import type { Context, Flags } from './context.js';
import type { DemoFlags } from './demo/demo.js';
import { desktopCommand } from './desktop/command.js';
import { doctor } from './doctor.js';
import { showExamples } from './examples.js';
import { exportCommand, replayCommand } from './replay/command.js';
import { followEvents } from './tools/follow-events.js';
import { initCommand } from './init/command.js';
import { mcpCommand } from './mcp.js';
import { overview } from './overview.js';
import { policyCommand } from './policy/command.js';
import { selectorCommand } from './selector/command.js';
import { resume, stop } from './stop.js';
import { toolCommand } from './tools/tool-command.js';
import { TOOL_MANIFEST } from './tools/tool-manifest.js';

/** Creates all commands. Errors are thrown, never printed here. */
export function createProgram(context: Context): Command {
  const program = new Command('deskproof');
  program
    .enablePositionalOptions()
    .exitOverride()
    .showSuggestionAfterError(true)
    .configureOutput({ outputError: () => undefined, writeErr: (text) => context.terminal.err(text) })
    .configureHelp({
      formatHelp: (command, help) =>
        command === program ? overview(TOOL_MANIFEST) : Help.prototype.formatHelp.call(help, command, help),
    })
    .hook('preAction', (_, command) => {
      context.named = command.optsWithGlobals<Flags>().desktop ?? context.named;
    })
    .version(VERSION, '-V, --version', 'print the version of Deskproof');

  const make = (name: string) => new Command(name).copyInheritedSettings(program);
  const add = (command: Command) => {
    program.addCommand(withCommonFlags(command));
    return command;
  };
  const demoCommand = add(make('demo').description('See Deskproof work on a private desktop.'));
  demoCommand.option('--visible', 'show the desktop in a window on your display');
  demoCommand.action(async () => {
    const { demo } = await import('./demo/demo.js');
    await demo(context, demoCommand.optsWithGlobals<DemoFlags>());
  });
  const doctorCommand = add(make('doctor').description('Show what works here, what is missing, and how to fix it.'));
  doctorCommand.action(() => doctor(context, doctorCommand.optsWithGlobals<Flags>()));
  const stopCommand = add(
    make('stop')
      .description('Stop everything that agents do on a desktop, until you run resume.')
      .option('--all', 'stop the agents on every desktop'),
  );
  stopCommand.action(() => stop(context, stopCommand.optsWithGlobals<Flags & { all?: boolean }>()));
  const resumeCommand = add(make('resume').description('Let agents continue after a stop.'));
  resumeCommand.action(() => resume(context, resumeCommand.optsWithGlobals<Flags>()));
  const addUserCommand = (name: string, what: string, work: (flags: Flags) => Promise<void>): Command => {
    const command = add(make(name).description(what));
    command.action(() => work(command.optsWithGlobals<Flags>()));
    return command;
  };
  addUserCommand('approvals', 'Answer approval requests of agents in this terminal.', async (flags) =>
    (await import('./approve/approvals.js')).approvals(context, flags),
  );
  addUserCommand('enable', 'Allow commands on your own desktop until its host ends.', async (flags) =>
    (await import('./approve/allow.js')).enable(context, flags),
  );
  addUserCommand('disable', 'Block commands on your own desktop again, and revoke all grants.', async (flags) =>
    (await import('./approve/allow.js')).disable(context, flags),
  );
  const grantsCommand = addUserCommand('grants', 'List what you have allowed for longer than one act.', async (flags) =>
    (await import('./approve/allow.js')).grants(context, flags),
  );
  const revokeCommand = withCommonFlags(make('revoke').description('Revoke a grant.').argument('<id>'));
  revokeCommand.action(async (id: string) =>
    (await import('./approve/allow.js')).revoke(context, id, revokeCommand.optsWithGlobals<Flags>()),
  );
  grantsCommand.addCommand(revokeCommand);
  for (const tool of TOOL_MANIFEST) {
    const command = toolCommand(make, tool, (args, flags) => {
      if (flags.follow === true) return followEvents(context, args, flags);
      if (tool.name === 'ui_capture') return captureToFile(context, args, flags);
      return callTool(context, tool.name, args, flags);
    });
    if (tool.name === 'ui_capture') command.option('-o, --file <file>', 'write the screenshot to this file');
    if (tool.name === 'ui_events') command.option('--follow', 'print events as they happen, until Ctrl-C');
    add(command);
  }
  const groups = [selectorCommand, desktopCommand, policyCommand, auditCommand];
  for (const group of groups) {
    for (const command of add(group(context, make)).commands) withCommonFlags(command);
  }
  const schemaCommand = add(
    make('schema').description('Print the input and output of a tool as JSON Schema.').argument('<tool>'),
  );
  // Loaded on demand, like the demo: it needs all tools, and loading them takes longer than most commands.
  schemaCommand.action(async (name: string) => (await import('./schema.js')).printSchema(context, name));
  add(mcpCommand(context, make));
  add(initCommand(context, make));
  add(completionCommand(context, make, program));
  add(replayCommand(context, make));
  add(exportCommand(context, make));
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
