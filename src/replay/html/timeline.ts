import { clockText, durationText, stepParts } from '../step-text.js';
import { isCallStep, type Step, type Trace } from '../trace.js';
import { escapeHtml, partsText } from './escape.js';

/** Pauses longer than this many median ones are drawn shorter, with a label of their real length. */
const PAUSE_CAP_FACTOR = 8;
const MIN_PAUSE_CAP_MS = 2_000;
const MAX_TICKS = 1_500;

interface PlacedStep {
  step: Step;
  /** From 0 to 1. */
  x: number;
  /** Length of the pause before it, if it is drawn shorter. */
  pauseMs?: number;
}

/** The position of each step on the time line. */
export function placesOf(steps: readonly Step[]): PlacedStep[] {
  const times = steps.map(({ at }) => Date.parse(at) || 0);
  const gaps = times.map((time, at) => (at === 0 ? 0 : Math.max(0, time - times[at - 1]!)));
  const sorted = gaps.slice(1).sort((a, b) => a - b);
  const usual = sorted[(sorted.length - 1) >> 1] ?? 0;
  const cap = Math.max(MIN_PAUSE_CAP_MS, usual * PAUSE_CAP_FACTOR);
  let sum = 0;
  const sums = gaps.map((gap) => (sum += Math.min(gap, cap)));
  return steps.map((step, at) => ({
    step,
    x: sum === 0 ? (at + 0.5) / steps.length : sums[at]! / sum,
    ...(gaps[at]! > cap && { pauseMs: gaps[at]! }),
  }));
}

export function timelineHtml({ steps, from, to }: Trace): string {
  if (steps.length < 2) return '';
  const longest = longestDuration(steps);
  const every = Math.ceil(steps.length / MAX_TICKS);
  const places = placesOf(steps).filter((_, at) => at % every === 0);
  const ticks = places.map(({ step, x }) => {
    const height = 28 + 72 * (Math.log1p(durationOf(step)) / Math.log1p(longest));
    const words = isCallStep(step) ? partsText(stepParts(step)) : step.description;
    const title = escapeHtml(`${step.number}. ${words}`);
    return `<a href="#s${step.number}" class="tick ${step.result} ${step.kind}" style="left:${(x * 100).toFixed(2)}%;height:${height.toFixed(0)}%" title="${title}" tabindex="-1"></a>`;
  });
  const pauses = places.flatMap(({ pauseMs, x }) =>
    pauseMs === undefined
      ? []
      : [`<span class="pause" style="left:${(x * 100).toFixed(2)}%">${durationText(pauseMs)} ⟶</span>`],
  );
  // More labels would overlap.
  const shown = pauses.length > 6 ? [] : pauses;
  const note = pauses.length > 0 ? `<span>long pauses are drawn short</span>` : '';
  return `<nav class="timeline" aria-label="Time line"><div class="ticks">${ticks.join('')}${shown.join('')}</div>
<div class="ends"><span>${clockText(from ?? '')}</span>${note}<span>${clockText(to ?? '')} UTC</span></div></nav>`;
}

/** `reduce`, because a function call takes at most about 100,000 arguments. */
export function longestDuration(steps: readonly Step[]): number {
  return steps.reduce((longest, step) => Math.max(longest, durationOf(step)), 1);
}

export function durationOf(step: Step): number {
  return isCallStep(step) ? (step.cost?.ms ?? 0) : 0;
}
