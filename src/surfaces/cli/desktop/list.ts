import type { Context, Flags } from '../context.js';
import { describeSeat, withoutEnvironment } from './start.js';

export async function desktopList(context: Context, flags: Flags): Promise<void> {
  const { terminal } = context;
  const rows = await context.desktops.list();
  if (flags.json) {
    const desktops = rows.map(({ name, details }) =>
      details ? withoutEnvironment(details) : { name, answers: false },
    );
    terminal.out(`${JSON.stringify({ schema: 1, desktops })}\n`);
    return;
  }
  if (rows.length === 0) {
    terminal.out(`No private desktop runs.   ${terminal.paint('grey', 'deskwright desktop start')}\n`);
    return;
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, details } of rows) {
    const what = details
      ? `${describeSeat(details)}, up for ${age(Date.now() - details.startedAt)}`
      : terminal.paint('yellow', 'does not answer');
    terminal.out(`${terminal.paint('bold', name.padEnd(width))}  ${what}\n`);
  }
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}
