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

export function closedAbove(): DesktopError {
  return new DesktopError('not_ready', 'The element opens a menu, and is itself in one that is closed.', {
    hint: 'open the menus above it first, one after the other, with ui_click.',
    retry: 'after',
    retryAfter: 'the menu that it is in is open',
  });
}
