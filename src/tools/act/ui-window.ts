import { z } from 'zod';
import { defineAct, type WindowChange } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { quote, type WindowInfo, type WindowNode } from '../../tree/index.js';
import { actionText } from '../text/action.js';
import { QUIET, READY_MS, readyWithin, WAITING } from '../fields.js';
import { capitalised } from '../text/sentence.js';

const ACTIONS = ['focus', 'front', 'back', 'minimize', 'maximize', 'restore', 'close', 'move', 'resize'] as const;
/** That it is in front of others now, or behind them, is what they are for. */
const STACKS: ReadonlySet<string> = new Set(['focus', 'front', 'back']);
type Args = { action: (typeof ACTIONS)[number]; x?: number; y?: number; width?: number; height?: number };

export const uiWindow = defineAct({
  name: 'ui_window',
  class: 'act',
  description: 'Change a window; says what was confirmed.',
  traits: {
    ...{ text: 'none', keys: 'none', place: 'any-window', appGrant: true },
    risk: {
      of: ({ action }) => (action === 'close' ? 'window close' : 'window change'),
      possible: ['window change', 'window close'],
    },
  },
  cli: {
    group: 'Act',
    positionals: ['action', 'window'],
    help: {
      action: 'action to perform',
      width: 'width in pixels',
      height: 'height in pixels',
    },
    examples: [
      ['window maximize Calculator', 'by title'],
      ['window move w2 --x 0 --y 0', 'by ref'],
    ],
  },
  sentence: { verb: ({ action }) => [capitalised(action) ?? 'Change'], ofWindow: true },
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
  async plan(reader, { window, ...args }) {
    changeOf(args);
    return { verb: args.action, window: await reader.window(window), needs: {} };
  },
  async act(actor, { window }, args) {
    const change = changeOf(args);
    const answer = await actor.window(window!.id, change);
    const confirmed = answer.confirmedBy ? `confirmed by ${answer.confirmedBy}` : 'not confirmed by anyone';
    const words = [
      `${window!.ref} ${quote(window!.title)}`,
      confirmed,
      ...(answer.window ? [placeText(answer.window), ...otherwise(change, answer.window)] : ['closed']),
      ...sideEffects(change, window!, answer.window),
    ];
    const report = { detail: words.join(', ') };
    if (!answer.confirmedBy) return { ...report, unmet: unmet(args.action) };
    const changed = !answer.window || isOther(window!, answer.window);
    return { ...report, confirmed: true, changed, stacks: STACKS.has(args.action) };
  },
  text: actionText,
});

/** Its place, its size or how it is shown; its content is compared by snapshots. */
function isOther(was: WindowInfo, now: WindowNode): boolean {
  const facts = ({ bounds, visible, minimised, maximised, active }: WindowInfo | WindowNode): string =>
    JSON.stringify([bounds?.x, bounds?.y, bounds?.width, bounds?.height, visible, minimised, maximised, active]);
  return facts(was) !== facts(now);
}

/** An app may ask something first, as whether to save, or refuse. */
function unmet(action: Args['action']): string {
  return action === 'close' ? 'it is still open' : 'the window is not so';
}

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

/** Side effects: a minimised window can be moved and sized only when it is shown, which gives it the keys. */
function sideEffects({ action }: WindowChange, was: WindowInfo, now: WindowNode | undefined): string[] {
  if (!now || (action !== 'move' && action !== 'resize')) return [];
  const restored = was.minimised && !now.minimised;
  return [
    ...(restored ? ['it was minimised and is restored'] : []),
    ...(now.active && !was.active ? [`${was.ref} is active now`] : []),
  ];
}

/** Window managers keep windows on the screen, and within the sizes that they can have. */
function otherwise(change: WindowChange, { bounds, minimised }: WindowNode): string[] {
  if (!bounds || minimised) return [];
  const { x, y, width, height } = bounds;
  if (change.action === 'move' && (change.x !== x || change.y !== y))
    return [`not at ${change.x},${change.y} as asked: it is kept from there`];
  if (change.action === 'resize' && (change.width !== width || change.height !== height))
    return [`not ${change.width}x${change.height} as asked: it takes other sizes`];
  return [];
}

function missing(message: string): DesktopError {
  return new DesktopError('bad_arguments', message, { hint: 'in pixels of the screen.', retry: 'no' });
}
