import { z } from 'zod';
import { defineAct, type Reader, type HitTestResult } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { centre, type Element, type Point } from '../../tree/index.js';
import { actionText } from '../text/action.js';
import { besideControls, uiClick } from './ui-click.js';
import { notTooLong, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { quoted } from '../text/sentence.js';

export const uiDrag = defineAct({
  name: 'ui_drag',
  class: 'act',
  description: 'Drag one element onto another, or by dx, dy pixels.',
  traits: {
    ...{ text: 'none', keys: 'none', risk: 'drag', place: 'any-window', appGrant: true },
    clicksRuledAs: uiClick.name,
  },
  cli: {
    group: 'Act',
    positionals: ['from', 'to'],
    help: {
      from: 'element to drag: ref or selector',
      to: 'drop target: ref or selector',
      dx: 'horizontal distance in pixels, instead of a drop target',
      dy: 'vertical distance in pixels',
      steps: 'number of pointer moves',
      stepMs: 'pause between two moves, in milliseconds',
    },
    examples: [["drag 'listitem:notes.txt' 'listitem:Documents'", 'drop one item onto another']],
  },
  sentence: { verb: ({ to }) => ['Drag', to === undefined ? undefined : 'to', quoted(to)], at: 'from' },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  longerMs: ({ steps, stepMs }) => steps * stepMs,
  quiet: [...QUIET, 'steps', 'stepMs'],
  input: z.object({
    from: TARGET,
    to: TARGET.optional(),
    dx: z.int().optional(),
    dy: z.int().optional(),
    window: WINDOW,
    steps: z.int().min(1).max(1_000).default(10),
    stepMs: z.int().min(0).max(1_000).default(16),
    ...WAITING,
  }),
  async plan(reader, { from, to, dx, dy, window, steps, stepMs }) {
    notTooLong(steps * stepMs, 'fewer steps, or less stepMs');
    if ((to === undefined) === (dx === undefined && dy === undefined)) {
      throw new DesktopError('bad_arguments', 'ui_drag needs either to, or dx and dy.', {
        hint: 'give to: "e12", or how far: dx: 100, dy: 0.',
        retry: 'no',
      });
    }
    const target = await besideControls(reader, await reader.target(from, window));
    const onto = to === undefined ? undefined : await besideControls(reader, await reader.target(to, window));
    const where = onto ? { onto } : { end: await endOf(reader, target.element, { x: dx ?? 0, y: dy ?? 0 }) };
    return { verb: 'drag', target, window: target.window, needs: { usable: true }, ...where };
  },
  async act(actor, { target, onto, end: under }, { dx = 0, dy = 0, steps, stepMs }) {
    const end = async ({ x, y }: Point): Promise<Point> => (onto ? actor.dropPoint(onto) : { x: x + dx, y: y + dy });
    await actor.drag(target!, end, { steps, stepMs }, under, onto);
    return { method: 'input', detail: onto ? `onto ${onto.element.ref}:` : `by ${dx},${dy}:` };
  },
  text: actionText,
});

/** An element that is not on the screen yet has no known drop point. */
async function endOf(reader: Reader, { bounds, clickPoint, states }: Element, by: Point): Promise<HitTestResult> {
  const from = clickPoint ?? (bounds && centre(bounds));
  if (!from || states.offscreen) return { lands: {}, unseen: true };
  return reader.under({ x: from.x + by.x, y: from.y + by.y });
}
