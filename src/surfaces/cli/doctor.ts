import type { Command } from 'commander';
import { runDoctor, type Finding } from '../../host/index.js';
import { closing, connectDesktop, type Context, type Flags } from './context.js';
import { printJson } from './call-tool.js';
import { safeForTerminal, type Colour, type Terminal } from './terminal.js';
import { withGuide } from './command-guide.js';

const COLOURS: Record<Finding['level'], Colour> = { ok: 'green', warn: 'yellow', off: 'grey', fail: 'red' };

export function doctorCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('doctor').description('Show what works here, what is missing, and how to fix it.');
  command.action(() => doctor(context, command.optsWithGlobals<Flags>()));
  return withGuide(command, { examples: [['doctor --desktop work', 'for a private desktop']] });
}

/**
 * Prints what works here. The host of a private desktop reports for itself; this machine and session are checked
 * directly.
 */
async function doctor(context: Context, flags: Flags): Promise<void> {
  const findings = await findingsFor(context, flags);
  if (flags.json) printJson(context, { schema: 1, findings });
  else printFindings(context.terminal, findings);
  if (findings.some(({ level }) => level === 'fail')) context.exitCode = 1;
}

async function findingsFor(context: Context, flags: Flags): Promise<Finding[]> {
  const named = flags.desktop ?? (context.env.DESKPROOF_DESKTOP || undefined);
  if (named === undefined || named === 'user') return runDoctor(context.env, context.signal);
  const { host } = await connectDesktop(context, flags);
  return closing(host, () => host.request<Finding[]>('doctor', {}, { signal: context.signal }));
}

/** Findings that are ok share a line in pairs. Each other finding has its own line, with the fixes in one column. */
function printFindings(terminal: Terminal, findings: readonly Finding[]): void {
  const line = ({ level, what }: Finding) =>
    `${terminal.paint(COLOURS[level], level.padEnd(4))}  ${safeForTerminal(what.replace(/\.$/, ''))}`;
  if (findings.length === 0) terminal.out('Nothing to report.\n');
  const good = findings.filter(({ level }) => level === 'ok');
  const wide = Math.max(0, ...good.map(({ what }) => what.length)) + 6;
  const two = terminal.isTerminal && wide * 2 + 4 <= terminal.columns;
  for (let i = 0; i < good.length; i += two ? 2 : 1) {
    const pair = two ? good.slice(i, i + 2) : good.slice(i, i + 1);
    const cells = pair.map(
      (one, at) => line(one) + (at + 1 < pair.length ? ' '.repeat(wide - one.what.length - 2) : ''),
    );
    terminal.out(`${cells.join('')}\n`);
  }
  const rest = findings.filter(({ level }) => level !== 'ok');
  const column = Math.min(72, Math.max(0, ...rest.map(({ what }) => what.length)));
  for (const one of rest) {
    const fix =
      one.fix === undefined
        ? ''
        : `${' '.repeat(Math.max(0, column - one.what.length))}   fix: ${safeForTerminal(one.fix)}`;
    terminal.out(`${line(one)}${fix}\n`);
  }
}
