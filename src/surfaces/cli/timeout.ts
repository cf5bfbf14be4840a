import { DesktopError } from '../../shared/index.js';

const LONGEST_MS = 600_000;

/** `--timeout-ms 15000`. */
export function parseTimeout(text: string): number {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  if (ms >= 1 && ms <= LONGEST_MS) return ms;
  throw new DesktopError('bad_arguments', `--timeout-ms takes milliseconds from 1 to ${LONGEST_MS}.`, {
    hint: 'For example, half a minute: --timeout-ms 30000',
  });
}
