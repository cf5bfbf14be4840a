import { DesktopError } from '../../../shared/index.js';

/** `why`: it offers it, but not for this. */
export function unsupported(kind: string, why?: string): DesktopError {
  const message = why === undefined ? `This element offers no ${kind}.` : `The element ${why}.`;
  return new DesktopError('pattern_unsupported', message, {
    retry: 'no',
    ...(why !== undefined && { details: { why } }),
  });
}

export function notReady(why: string): DesktopError {
  return new DesktopError('not_ready', `The element ${why}.`, {
    hint: 'look why: ui_snapshot.',
    retry: 'after',
    retryAfter: 'it can be used',
  });
}

export function closedAbove(): DesktopError {
  return new DesktopError('not_ready', 'The element opens a menu, and is itself in one that is closed.', {
    hint: 'open the menus above it first, one after the other, with ui_click.',
    retry: 'after',
    retryAfter: 'the menu that it is in is open',
  });
}
