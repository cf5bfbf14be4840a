import { z } from 'zod';
import { defineAct, type Reader } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import type { Point, WindowInfo } from '../../tree/index.js';
import { actionText } from '../text/action.js';
import { QUIET, READY_MS, readyWithin, WAITING } from '../fields.js';
import { uiClick } from './ui-click.js';
import { pointText } from '../text/sentence.js';

export const uiClickXy = defineAct({
  name: 'ui_click_xy',
  class: 'raw',
  description:
    'Last resort, when nothing has a ref: the mouse at a point of the screen, a window (w2) or a capture (c3).',
  traits: {
    text: 'none',
    keys: 'none',
    risk: 'click_xy',
    place: 'any-window',
    appGrant: true,
    clicksRuledAs: uiClick.name,
  },
  cli: {
    group: 'Act',
    positionals: ['x', 'y'],
    help: {
      action: 'what to do at the point',
      space: 'coordinate space: screen, a window (w2) or a capture (c3)',
    },
    examples: [['click-xy 400 300', 'a screen point, if no selector works']],
  },
  sentence: {
    verb: (args) => [args.action === 'move' ? 'Move to' : 'Click at', pointText(args)],
    at: 'in',
  },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  quiet: [...QUIET, 'timeoutMs'],
  input: z.object({
    x: z.int(),
    y: z.int(),
    space: z.string().max(100).default('screen'),
    action: z.enum(['click', 'move']).default('click'),
    button: z.enum(['left', 'right', 'middle']).default('left'),
    count: z.int().min(1).max(3).default(1),
    ...WAITING,
  }),
  async plan(reader, { x, y, space, action }) {
    const at = await onScreen(reader, { x, y }, space);
    const under = await reader.under(at);
    // A click on an app that does not answer would be queued and arrive when the caller no longer expects it.
    if (under.window) await reader.target(under.window.ref, undefined, { depth: 0, fresh: true });
    return { verb: action, ...under, needs: {}, at };
  },
  async act(actor, { at, window, lands }, { action, button, count }) {
    const detail = `at ${at!.x},${at!.y}`;
    if (action === 'move') {
      await actor.moveTo(at!);
      return { method: 'input', detail, unobservable: 'that the mouse is there changes nothing by itself' };
    }
    await actor.clickAt(at!, { window, lands }, { button, count });
    const slow = actor.slowClick !== undefined && { reason: actor.slowClick };
    return { method: 'input', detail, clicks: true, ...slow };
  },
  text: actionText,
});

async function onScreen(reader: Reader, point: Point, space: string): Promise<Point> {
  if (space === 'screen') return point;
  const capture = /^\s*@?(c\d+)\s*$/i.exec(space)?.[1];
  if (capture) return reader.pointInCapture(capture.toLowerCase(), point);
  if (!/^\s*@?w\d+\s*$/i.test(space)) {
    throw new DesktopError('bad_arguments', `${JSON.stringify(space.slice(0, 20))} is not a space of points.`, {
      hint: 'say screen, a window such as w2, or a capture such as c3.',
    });
  }
  const { bounds }: WindowInfo = await reader.window(space);
  if (!bounds)
    throw new DesktopError('not_supported', 'Where that window is on the screen is not known.', { retry: 'no' });
  return { x: bounds.x + point.x, y: bounds.y + point.y };
}
