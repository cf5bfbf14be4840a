import { z } from 'zod';
import { defineAct, type WindowChange } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, type WindowNode } from '../../tree/index.js';
import { actText } from './act-text.js';
import { QUIET, READY_MS, readyWithin, WAITING } from './fields.js';

const ACTIONS = ['focus', 'front', 'back', 'minimize', 'maximize', 'restore', 'close', 'move', 'resize'] as const;
type Args = { action: (typeof ACTIONS)[number]; x?: number; y?: number; width?: number; height?: number };

export const uiWindow = defineAct({
  name: 'ui_window',
  class: 'act',
  description: 'Change a window; says what was confirmed.',
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  quiet: QUIET,
  input: z.object({
    action: z.enum(ACTIONS),
    window: z.string().max(500),
    x: z.int().optional(),
    y: z.int().optional(),
    width: z.int().min(1).max(32_767).optional(),
    height: z.int().min(1).max(32_767).optional(),
    ...WAITING,
  }),
  async aim(reader, { window, ...args }) {
    changeOf(args);
    return { verb: args.action, window: await reader.window(window), needs: {} };
  },
  async act(actor, { window }, args) {
    const answer = await actor.window(window!.id, changeOf(args));
    const confirmed = answer.confirmedBy ? `confirmed by ${answer.confirmedBy}` : 'not confirmed by anyone';
    const words = [
      `${window!.ref} ${quote(window!.title)}`,
      confirmed,
      ...(answer.window ? [placeText(answer.window)] : ['closed']),
    ];
    return { words: words.join(', '), ...(answer.confirmedBy ? { confirmed: true } : {}) };
  },
  text: actText,
});

function changeOf({ action, x, y, width, height }: Args): WindowChange {
  if (action === 'move') {
    if (x === undefined || y === undefined) throw missing('move needs x and y.');
    return { action, x, y };
  }
  if (action === 'resize') {
    if (width === undefined || height === undefined) throw missing('resize needs width and height.');
    return { action, width, height };
  }
  return { action };
}

function placeText({ bounds, minimised }: WindowNode): string {
  if (minimised) return 'minimised';
  return bounds ? `${bounds.width}x${bounds.height} at ${bounds.x},${bounds.y}` : 'somewhere';
}

function missing(message: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint: 'in pixels of the screen.', retry: 'no' });
}
