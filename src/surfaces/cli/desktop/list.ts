import type { DesktopRow } from '../../../host/index.js';
import type { Context, Flags } from '../context.js';
import type { Terminal } from '../terminal.js';
import { describeSeat, withoutEnvironment } from './start.js';

export async function desktopList(context: Context, flags: Flags): Promise<void> {
  const { terminal } = context;
  const rows = await context.desktops.list();
  if (flags.json) {
    const desktops = rows.map(({ name, details, fault }) => {
      if (fault) return { name, fault: fault.toJSON() };
      return details ? withoutEnvironment(details) : { name, answers: false };
    });
    terminal.out(`${JSON.stringify({ schema: 1, desktops })}\n`);
    return;
  }
  if (rows.length === 0) {
    terminal.out(`No private desktop runs.   ${terminal.paint('grey', 'deskproof desktop start')}\n`);
    return;
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const row of rows)
    terminal.out(`${terminal.paint('bold', row.name.padEnd(width))}  ${stateOf(row, terminal)}\n`);
}

function stateOf({ details, fault }: DesktopRow, { paint }: Terminal): string {
  if (fault) return `${paint('yellow', fault.message)} ${fault.hint}`;
  if (!details) return paint('yellow', 'does not answer');
  return `${describeSeat(details)}, up for ${age(Date.now() - details.startedAt)}`;
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
