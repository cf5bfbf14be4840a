import { realpathSync } from 'node:fs';
import { VERSION } from '../../../config.js';

export interface ServerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/**
 * How a client starts the server. A program that is started from a menu may not know this shell's PATH, so it is told
 * the very files that run now; what npx fetched for one run may be gone tomorrow, so that is asked of npx again, in
 * this version. In a clone npx fetches nothing: it only makes a link to it.
 */
export function serverCommand(
  desktop: string | undefined,
  { node = process.execPath, script = process.argv[1] ?? '' } = {},
): ServerCommand {
  const words = ['mcp', ...(desktop === undefined ? [] : ['--desktop', desktop])];
  if (!isOfNpx(script)) return { command: node, args: [script, ...words] };
  const linked = realOf(script);
  if (!isOfNpx(linked)) return { command: node, args: [linked, ...words] };
  return { command: 'npx', args: ['-y', `deskproof@${VERSION}`, ...words] };
}

const isOfNpx = (path: string): boolean => /[\\/]_npx[\\/]/.test(path);

function realOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // Gone already: then npx is asked again.
  }
}
