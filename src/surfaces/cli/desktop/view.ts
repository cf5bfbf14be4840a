import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { HostClient, PictureAnswer } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { refuseOwnFile } from '../output-file.js';
import { closing, resolvePrivateName, type Context, type Flags } from '../context.js';

export interface ViewFlags extends Flags {
  output?: string;
}

export async function desktopView(context: Context, given: string | undefined, flags: ViewFlags): Promise<void> {
  const name = await resolvePrivateName(context, given ?? flags.desktop);
  const file = flags.output ?? `${name}.png`;
  const screenshot = await closing(await context.desktops.connectPrivate(name), (host) =>
    saveDesktopScreenshot(host, file),
  );
  const { width, height, bytes } = screenshot;
  if (flags.json) {
    context.terminal.out(
      `${JSON.stringify({ schema: 1, file: resolve(file), width, height, bytes, format: 'png' })}\n`,
    );
  } else {
    context.terminal.out(
      `${file}  ${width}x${height} png ${Math.ceil(bytes / 1000)} kB, desktop ${name} at 0,0, scale 1\n`,
    );
  }
}

/** Saves a screenshot of the whole desktop. Only the owner can read the file, because it may show anything. */
export async function saveDesktopScreenshot(
  host: HostClient,
  file: string,
  /** `wx` never overwrites a file and never follows a link. */
  flag: 'w' | 'wx' = 'w',
): Promise<{ width: number; height: number; bytes: number }> {
  const { width, height, png } = await host.request<PictureAnswer>('picture');
  const data = Buffer.from(png, 'base64');
  refuseOwnFile(file);
  try {
    writeFileSync(file, data, { mode: 0o600, flag });
  } catch (error) {
    throw new DesktopError('command_failed', `The screenshot cannot be written to ${file}.`, {
      hint: 'Choose another file: -o FILE',
      cause: error,
    });
  }
  return { width, height, bytes: data.length };
}
