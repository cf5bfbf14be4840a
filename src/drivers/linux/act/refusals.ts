import { DesktopError } from '../../../shared/index.js';

export function unsupported(kind: string, why?: string): DesktopError {
  return new DesktopError('pattern_unsupported', why ?? `This element offers no ${kind}.`, { retry: 'no' });
}

export function notReady(why: string): DesktopError {
  return new DesktopError('not_ready', `The element ${why}.`, {
    hint: 'look why: ui_snapshot.',
    retry: 'after',
    retryAfter: 'it can be used',
  });
}
