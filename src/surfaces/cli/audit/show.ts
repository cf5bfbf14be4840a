import { currentLog, readLast, type ReadLine } from '../../../audit/index.js';
import { printJson } from '../call-tool.js';
import type { Context, Flags } from '../context.js';
import { lineText } from './line-text.js';
import { linesAt } from './log-at.js';
import { whoseLog, whoseWrittenLog } from './whose-log.js';

export interface ShowFlags extends Flags {
  last?: number;
}

const USUAL_LAST = 50;

/** The last records, a line each. It proves nothing: that is what verify is for. */
export async function showLog(context: Context, given: string | undefined, flags: ShowFlags): Promise<void> {
  const { terminal } = context;
  const most = flags.last ?? USUAL_LAST;
  const lines = given === undefined ? await desktopsLines() : [...linesAt(given)].slice(-most);
  if (flags.json) return printJson(context, { schema: 1, lines });
  if (lines.length === 0) return terminal.out('no records\n');
  terminal.out(lines.map((line) => `${lineText(line, terminal)}\n`).join(''));
  const first = lines[0]?.record?.seq ?? 1;
  if (terminal.errorsToPerson && first > 1 && lines.length === most)
    terminal.err(`${terminal.paintErrors('grey', `from record ${first} on; more with --last N`)}\n`);

  async function desktopsLines(): Promise<ReadLine[]> {
    return readLast((await whoseWrittenLog(context, flags)).logs, most);
  }
}

/** The file that is written, or would be, for other programs to read. */
export async function showPath(context: Context, flags: Flags): Promise<void> {
  const places = await whoseLog(context, flags);
  const file = currentLog(places);
  if (flags.json) printJson(context, { schema: 1, desktop: places.desktop, file, folder: places.logs });
  else context.terminal.out(`${file}\n`);
}
