import { DesktopError } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';

const LEAST: Size = { width: 320, height: 200 };
const MOST: Size = { width: 7680, height: 4320 };

/** `1280x800`. */
export function parseSize(text: string): Size {
  const match = /^(\d{1,6})\s*[x×]\s*(\d{1,6})$/i.exec(text.trim());
  if (!match) {
    throw new DesktopError('bad_arguments', 'A size is width x height in pixels.', {
      hint: 'For example: --size 1280x800',
    });
  }
  const size = { width: Number(match[1]), height: Number(match[2]) };
  const fits =
    size.width >= LEAST.width && size.height >= LEAST.height && size.width <= MOST.width && size.height <= MOST.height;
  if (!fits) {
    throw new DesktopError('bad_arguments', `A desktop of ${size.width}x${size.height} is not possible.`, {
      hint: `Give a size from ${LEAST.width}x${LEAST.height} to ${MOST.width}x${MOST.height}.`,
    });
  }
  return size;
}

export function parseMonitors(text: string): 1 | 2 {
  if (text === '1' || text === '2') return text === '1' ? 1 : 2;
  throw new DesktopError('bad_arguments', 'A private desktop has 1 or 2 monitors.', {
    hint: 'For example: --monitors 2',
  });
}

const LONGEST_MS = 600_000;

/** `--timeout-ms 15000`. */
export function parseTimeout(text: string): number {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new DesktopError('bad_arguments', `--timeout-ms takes milliseconds from 1 to ${LONGEST_MS}.`, {
    hint: 'For example, half a minute: --timeout-ms 30000',
  });
}
