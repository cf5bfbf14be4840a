import { followLog } from '../../../audit/index.js';
import type { Context } from '../context.js';
import { lineText } from './line-text.js';
import type { ShowFlags } from './show.js';
import { whoseWrittenLog } from './whose-log.js';

/** The last records and then each new one, until Ctrl-C. */
export async function tailLog(context: Context, { last = 10, ...flags }: ShowFlags): Promise<void> {
  const { terminal, signal } = context;
  const { desktop, logs } = await whoseWrittenLog(context, flags);
  if (terminal.errorsToPerson && !flags.json)
    terminal.err(`${terminal.paintErrors('grey', `desktop ${desktop}, as it is written; Ctrl-C ends`)}\n`);
  for await (const line of followLog(logs, { last, signal }))
    terminal.out(`${flags.json ? JSON.stringify(line) : lineText(line, terminal)}\n`);
}
