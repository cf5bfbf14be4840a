import { z } from 'zod';
import {
  type ActionPlan,
  defineAct,
  type Direction,
  MOST_NOTCHES,
  NOTCH_PX,
  scrollOnce,
  scrollUntil,
  sizeAlong,
  type Target,
} from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { actionText } from '../text/action.js';
import { QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';

const NOTCHES_A_PAGE = 0.8;

export const uiScroll = defineAct({
  name: 'ui_scroll',
  class: 'act',
  harmless: true,
  description: 'Scroll a container; with until, go on until a selector shows or the end is reached.',
  traits: { text: 'none', keys: 'none', risk: 'scroll', place: 'active-window', appGrant: true },
  cli: {
    group: 'Act',
    positionals: ['target'],
    help: {
      until: 'continue until this selector is on the screen',
      direction: 'direction',
      amount: 'distance in units of --unit',
      unit: 'unit of --amount',
    },
    examples: [["scroll 'table:Orders' --until 'row:\"1100\"'", 'until the row is on the screen']],
  },
  sentence: { verb: ({ direction }) => ['Scroll', typeof direction === 'string' ? direction : undefined], at: 'in' },
  timeoutMs: READY_MS,
  limitMs: ({ timeoutMs, until }) =>
    readyWithin({ timeoutMs: timeoutMs ?? (until === undefined ? undefined : 30_000) }),
  quiet: [...QUIET, 'verify'],
  input: z.object({
    target: TARGET.optional(),
    window: WINDOW,
    direction: z.enum(['up', 'down', 'left', 'right']).default('down'),
    amount: z.number().min(0.01).max(10_000).default(1),
    unit: z.enum(['page', 'line', 'percent', 'pixel']).default('page'),
    until: z.string().max(2_000).optional(),
    ...WAITING,
  }),
  async plan(reader, { target, window, until, amount, unit, direction }): Promise<ActionPlan> {
    const found = await reader.target(target ?? (await reader.activeWindow(window)).ref, window);
    refuseTooMany(found, amount, unit, direction);
    const there = until === undefined ? false : await reader.shows(until, found.window.ref);
    return {
      verb: 'scroll',
      target: found,
      window: found.window,
      needs: { usable: true },
      ...(there && { noop: 'already shows the target' }),
    };
  },
  async act(actor, { target }, { direction, amount, unit, until }) {
    const notches = notchesFor(target!, amount, unit, direction);
    if (until !== undefined) return scrollUntil(actor, target!, direction, notches, until);
    const method = await scrollOnce(actor, target!, direction, notches);
    return { method, detail: direction, unobservable: 'this app does not say where it scrolled to' };
  },
  text: actionText,
});

function refuseTooMany(target: Target, amount: number, unit: string, direction: Direction): void {
  const notches = notchesFor(target, amount, unit, direction);
  if (notches <= MOST_NOTCHES) return;
  const most = Math.floor((amount * MOST_NOTCHES) / notches);
  throw new DesktopError('bad_arguments', `amount ${amount} of unit ${unit} is too far for one scroll.`, {
    retry: 'no',
    hint: `at most ${most} here; until scrolls on until something shows.`,
  });
}

function notchesFor(target: Target, amount: number, unit: string, direction: Direction): number {
  const size = sizeAlong(target, direction);
  const pixels = { page: size * NOTCHES_A_PAGE, line: NOTCH_PX, percent: size / 100, pixel: 1 }[unit] ?? size;
  return Math.max(1, Math.round((amount * pixels) / NOTCH_PX));
}
