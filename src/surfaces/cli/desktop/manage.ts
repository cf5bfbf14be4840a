import { resolve } from 'node:path';
import type { DesktopDetails, DesktopRow } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { closing, type Context, type Flags, resolvePrivateName } from '../context.js';
import { parseMonitors, parseSize } from '../option-values.js';
import type { Terminal } from '../terminal.js';
import { exportLines, MARKER } from './environment.js';

export interface StartFlags extends Flags {
  name?: string;
  size?: string;
  monitors?: string;
  visible?: boolean;
  policy?: string;
}

export async function desktopStart(context: Context, flags: StartFlags): Promise<void> {
  const { terminal } = context;
  const { name, host } = await context.desktops.startPrivate({
    name: flags.name ?? flags.desktop,
    size: flags.size === undefined ? undefined : parseSize(flags.size),
    monitors: flags.monitors === undefined ? undefined : parseMonitors(flags.monitors),
    visible: flags.visible,
    ...(flags.policy !== undefined && { policyFile: resolve(flags.policy) }),
    signal: context.signal,
  });
  const details = await closing(host, () => host.request<DesktopDetails>('info'));
  if (flags.json) {
    terminal.out(`${JSON.stringify({ schema: 1, ...withoutEnvironment(details) })}\n`);
    return;
  }
  const grey = (text: string) => terminal.paint('grey', text);
  terminal.out(
    `${terminal.paint('bold', name)}  ${describeDesktop(details)}, up in ${(details.bootMs / 1000).toFixed(1)} s\n`,
  );
  const lines: [string, string][] = [
    [`deskproof desktop launch --name ${name} -- mousepad`, 'start an app in it'],
    [`deskproof snapshot --desktop ${name}`, 'take a snapshot of it'],
    [`eval "$(deskproof desktop env ${name})"`, 'use it in this shell'],
    [`deskproof desktop stop ${name}`, 'stop it and everything in it'],
  ];
  const width = Math.max(...lines.map(([line]) => line.length));
  for (const [line, what] of lines) terminal.out(`  ${line.padEnd(width)}   ${grey(what)}\n`);
}

/** `display :101, 1280x800, 2 monitors`. */
function describeDesktop(details: DesktopDetails): string {
  const size = details.size ? `, ${details.size.width}x${details.size.height}` : '';
  const monitors = details.monitors === 2 ? ', 2 monitors' : '';
  return `display ${details.display ?? 'unknown'}${size}${monitors}${details.visible ? ', in a window' : ''}`;
}

/** The environment contains the path of the X cookie. Only `desktop env` prints it. */
function withoutEnvironment({ env: _, ...rest }: DesktopDetails): Omit<DesktopDetails, 'env'> {
  return rest;
}

export interface StopFlags extends Flags {
  all?: boolean;
}

export async function desktopStop(context: Context, given: string | undefined, flags: StopFlags): Promise<void> {
  if (flags.all && given !== undefined) {
    throw new DesktopError('bad_arguments', 'A name and --all cannot be combined.', { hint: 'Use one of the two.' });
  }
  const names = flags.all
    ? await context.desktops.running()
    : [await resolvePrivateName(context, given ?? flags.desktop)];
  await Promise.all(names.map((name) => context.desktops.stop(name)));
  if (flags.json) context.terminal.out(`${JSON.stringify({ schema: 1, stopped: names })}\n`);
  else context.terminal.out(names.length === 0 ? 'No private desktop is running.\n' : `stopped ${names.join(', ')}\n`);
}

/** For a desktop of ours that may have ended in the meantime. */
export async function stopIfRunning(context: Context, name: string): Promise<void> {
  try {
    await context.desktops.stop(name);
  } catch (error) {
    // Already gone is the goal.
    if (!(error instanceof DesktopError && error.code === 'driver_unavailable')) throw error;
  }
}

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
    terminal.out(`No private desktop is running.   ${terminal.paint('grey', 'deskproof desktop start')}\n`);
    return;
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const row of rows)
    terminal.out(`${terminal.paint('bold', row.name.padEnd(width))}  ${describeRow(row, terminal)}\n`);
}

function describeRow({ details, fault }: DesktopRow, { paint }: Terminal): string {
  if (fault) return `${paint('yellow', fault.message)} ${fault.hint}`;
  if (!details) return paint('yellow', 'does not answer');
  const waiting = details.policyUnconfirmed ? `, ${paint('yellow', 'only reads: its policy is not confirmed')}` : '';
  return `${describeDesktop(details)}, up for ${formatAge(Date.now() - details.startedAt)}${waiting}`;
}

function formatAge(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export async function desktopEnv(context: Context, given: string | undefined, flags: Flags): Promise<void> {
  const name = await resolvePrivateName(context, given ?? flags.desktop);
  const { env } = await closing(await context.desktops.connectPrivate(name), (host) =>
    host.request<DesktopDetails>('info'),
  );
  if (flags.json) {
    const { [MARKER]: _, ...shown } = env;
    context.terminal.out(`${JSON.stringify({ schema: 1, name, env: shown })}\n`);
    return;
  }
  context.terminal.out(
    exportLines(context.env, env)
      .map((line) => `${line}\n`)
      .join(''),
  );
}
