import { resolve } from 'node:path';
import type { DesktopDetails } from '../../../host/index.js';
import { closing, type Context, type Flags } from '../context.js';
import { parseMonitors, parseSize } from '../size.js';

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
    `${terminal.paint('bold', name)}  ${describeSeat(details)}, up in ${(details.bootMs / 1000).toFixed(1)} s\n`,
  );
  const lines: [string, string][] = [
    [`deskproof desktop launch --name ${name} -- mousepad`, 'start an app in it'],
    [`deskproof snapshot --desktop ${name}`, 'look at it'],
    [`eval "$(deskproof desktop env ${name})"`, 'let this shell live in it'],
    [`deskproof desktop stop ${name}`, 'end it and everything in it'],
  ];
  const width = Math.max(...lines.map(([line]) => line.length));
  for (const [line, what] of lines) terminal.out(`  ${line.padEnd(width)}   ${grey(what)}\n`);
}

/** `display :101, 1280x800, 2 monitors`. */
export function describeSeat(details: DesktopDetails): string {
  const size = details.size ? `, ${details.size.width}x${details.size.height}` : '';
  const monitors = details.monitors === 2 ? ', 2 monitors' : '';
  return `display ${details.display ?? 'unknown'}${size}${monitors}${details.visible ? ', in a window' : ''}`;
}

/** The environment holds the way to the cookie and belongs to `desktop env` alone. */
export function withoutEnvironment({ env: _, ...rest }: DesktopDetails): Omit<DesktopDetails, 'env'> {
  return rest;
}
