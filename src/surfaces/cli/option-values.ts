import { InvalidArgumentError } from 'commander';
import { DesktopError } from '../../shared/index.js';
import type { Size } from '../../tree/index.js';

const MIN_SIZE: Size = { width: 320, height: 200 };
const MAX_SIZE: Size = { width: 7680, height: 4320 };

/** `1280x800`. */
export function parseSize(text: string): Size {
  const match = /^(\d{1,6})\s*[x×]\s*(\d{1,6})$/i.exec(text.trim());
  if (!match) {
    throw new DesktopError('bad_arguments', 'A size must be WIDTHxHEIGHT in pixels.', {
      hint: 'For example: --size 1280x800',
    });
  }
  const size = { width: Number(match[1]), height: Number(match[2]) };
  const fits =
    size.width >= MIN_SIZE.width &&
    size.height >= MIN_SIZE.height &&
    size.width <= MAX_SIZE.width &&
    size.height <= MAX_SIZE.height;
  if (!fits) {
    throw new DesktopError('bad_arguments', `A desktop cannot have the size ${size.width}x${size.height}.`, {
      hint: `Use a size from ${MIN_SIZE.width}x${MIN_SIZE.height} to ${MAX_SIZE.width}x${MAX_SIZE.height}.`,
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

const MAX_TIMEOUT_MS = 600_000;

/** `--timeout-ms 15000`. */
export function parseTimeout(text: string): number {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (ms >= 1 && ms <= MAX_TIMEOUT_MS) return ms;
  throw new DesktopError(
    'bad_arguments',
    `--timeout-ms must be a number of milliseconds from 1 to ${MAX_TIMEOUT_MS}.`,
    {
      hint: 'For example, for half a minute: --timeout-ms 30000',
    },
  );
}

/** `--last 20`, `--from 3`. */
export function parseWholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Enter a whole number from 1.');
  return Number(text);
}
