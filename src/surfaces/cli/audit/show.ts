import {
  type AuditRecord,
  currentLog,
  followLog,
  readLast,
  type ReadLine,
  readLineText,
} from '../../../audit/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import type { Colour, Terminal } from '../terminal.js';
import { linesAt, resolveLog, existingLog } from './resolve-log.js';

export interface ShowFlags extends Flags {
  last?: number;
}

const DEFAULT_LAST = 50;

/** Prints the last records, one per line. This does not verify anything: use `verify` for that. */
export async function showLog(context: Context, given: string | undefined, flags: ShowFlags): Promise<void> {
  const { terminal } = context;
  const most = flags.last ?? DEFAULT_LAST;
  const lines = given === undefined ? await desktopsLines() : [...linesAt(given)].slice(-most);
  if (flags.json) return printJson(context, { schema: 1, lines });
  if (lines.length === 0) return terminal.out('no records\n');
  terminal.out(lines.map((line) => `${lineText(line, terminal)}\n`).join(''));
  const first = lines[0]?.record?.seq ?? 1;
  if (terminal.errorsToUser && first > 1 && lines.length === most)
    terminal.err(`${terminal.paintErrors('grey', `starting at record ${first}; use --last N for more`)}\n`);

  async function desktopsLines(): Promise<ReadLine[]> {
    return readLast((await existingLog(context, flags)).logs, most);
  }
}

/** Prints the path of the current log file, existing or not, for other programs to read. */
export async function showPath(context: Context, flags: Flags): Promise<void> {
  const places = await resolveLog(context, flags);
  const file = currentLog(places);
  if (flags.json) printJson(context, { schema: 1, desktop: places.desktop, file, folder: places.logs });
  else context.terminal.out(`${file}\n`);
}

/** Prints the last records and then each new one, until Ctrl-C. */
export async function tailLog(context: Context, { last = 10, ...flags }: ShowFlags): Promise<void> {
  const { terminal, signal } = context;
  const { desktop, logs } = await existingLog(context, flags);
  if (terminal.errorsToUser && !flags.json)
    terminal.err(
      `${terminal.paintErrors('grey', `desktop ${desktop}: new records appear here; press Ctrl-C to end`)}\n`,
    );
  for await (const line of followLog(logs, { last, signal }))
    terminal.out(`${flags.json ? JSON.stringify(line) : lineText(line, terminal)}\n`);
}

/** Highlights what the user usually looks for: acts, refusals and problems. */
const COLOURS: Partial<Record<string, Colour>> = {
  ask: 'yellow',
  answer: 'yellow',
  grant: 'yellow',
  intent: 'cyan',
  outcome: 'green',
  pause: 'red',
  stop: 'red',
  recovered: 'red',
};
const ROUTINE_KINDS = new Set(['open', 'close', 'checkpoint', 'session']);

/** One line of a log, in colour if possible. The text is already safe for a terminal. */
export function lineText(line: ReadLine, { paint }: Terminal): string {
  const text = readLineText(line);
  const { record } = line;
  if (!record) return paint('red', text);
  if (ROUTINE_KINDS.has(record.kind)) return paint('grey', text);
  const [, before = '', kind = '', after = ''] = /^(\s*\d+  \S+ \S+  )(\S+)(.*)$/su.exec(text) ?? [];
  return `${paint('grey', before)}${paint(colourOf(record), kind)}${after}`;
}

function colourOf(record: AuditRecord): Colour {
  const ended = record.kind === 'outcome' || record.kind === 'call';
  if (ended && record.error !== undefined) return 'red';
  if (record.kind === 'outcome' && record.status !== 'ok') return 'yellow';
  return COLOURS[record.kind] ?? 'bold';
}
