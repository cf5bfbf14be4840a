import { DesktopError } from '../../../shared/index.js';

export interface DisplayName {
  /** As it was written: `:0`, `localhost:10.0`. */
  text: string;
  /** Empty for a display of this machine. */
  host: string;
  number: number;
  screen: number;
  /** Where a local display listens. */
  socket?: string;
}

const SHAPE = /^(?:(unix|local|tcp|inet|inet6)\/)?([A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]):(\d{1,5})(?:\.(\d{1,3}))?$/;

export function parseDisplayName(text: string): DisplayName {
  const match = SHAPE.exec(text);
  if (!match) {
    throw new DesktopError('driver_unavailable', `DISPLAY is ${JSON.stringify(text)}, which names no display.`, {
      hint: 'Set it to a name such as :0 (export DISPLAY=:0), or start a private desktop: deskproof desktop start',
      retry: 'no',
    });
  }
  const [, protocol = '', rawHost = '', number = '0', screen = '0'] = match;
  const local = protocol === 'unix' || protocol === 'local' || rawHost === '' || rawHost === 'unix';
  const name = { text, host: local ? '' : rawHost.replace(/^\[|\]$/g, ''), number: +number, screen: +screen };
  return local ? { ...name, socket: `/tmp/.X11-unix/X${number}` } : name;
}
