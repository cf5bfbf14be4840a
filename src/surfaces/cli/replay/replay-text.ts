import { DesktopError } from '../../../shared/index.js';
import { failureText } from '../../../tools/index.js';
import {
  type Difference,
  durationText,
  NOT_DONE,
  type PlannedStep,
  type ReplayedStep,
  type StepOutcome,
} from '../../../replay/index.js';
import { withoutUntrustedMarkers } from '../../../tree/index.js';
import { safeForTerminal, type Paint } from '../terminal.js';

const NUMBER_WIDTH = 4;
const RESULT_WIDTH = 9;

/** Values from the app are quoted; our own words are not. */
const QUOTED: ReadonlySet<Difference['what']> = new Set(['name', 'window']);

const line = (number: number, result: string, rest: string): string =>
  `${String(number).padStart(NUMBER_WIDTH)} ${result} ${rest}`;

/**
 * A log can be edited, so its text must stay on its line. Applied before painting, since colours are control sequences
 * too.
 */
const safe = (text: string): string => safeForTerminal(text).replace(/\s+/g, ' ');

/** For `Click button …` in the middle of a line. */
const lower = (words: string): string => words.charAt(0).toLowerCase() + words.slice(1);

/** A step that is not performed: in a dry run, or because it cannot be repeated. */
export function plannedLine(step: PlannedStep, paint: Paint): string {
  if (step.do === 'again') {
    const notes = step.notes.map((note) => paint('grey', ` (${safe(note)})`)).join('');
    return line(step.number, 'would do'.padEnd(RESULT_WIDTH), `${lower(step.description)}${notes}`);
  }
  const word = step.do === 'cannot' ? paint('yellow', 'cannot'.padEnd(RESULT_WIDTH)) : 'left out'.padEnd(RESULT_WIDTH);
  return line(step.number, word, `${lower(step.description)}: ${safe(step.why)}`);
}

/** One line for a step with the same result; for any other step, also the differences. */
export function replayedLines({ step, result, now, differences, better, error }: ReplayedStep, paint: Paint): string[] {
  const word = { same: 'ok', differs: 'differs', refused: 'refused' }[result].padEnd(RESULT_WIDTH);
  const colour = result === 'same' ? 'green' : 'red';
  const aside = better.map(({ what, then }) => `, ${what} then: ${safe(then)}`).join('');
  const first = line(
    step.number,
    paint(colour, word),
    `${lower(step.description)}  ${paint('grey', timeText(step.then, now) + aside)}`,
  );
  if (result === 'same') return [first];
  const widest = Math.max(...differences.map(({ what }) => what.length), 0);
  return [
    first,
    ...differences.map(({ what, then, now: is }) => {
      const said = (text: string): string => safe(QUOTED.has(what) && text !== 'none' ? JSON.stringify(text) : text);
      return `${' '.repeat(NUMBER_WIDTH + 1)}${what.padEnd(widest)}  then ${said(then)}  now ${said(is)}`;
    }),
    ...(error ? indented(withoutUntrustedMarkers(failureText(error)).split('\n').map(safeForTerminal)) : []),
    ...(now.status === NOT_DONE ? indented(['The step was not done: its target differs from the recording.']) : []),
  ];
}

const indented = (lines: readonly string[]): string[] => lines.map((one) => `${' '.repeat(NUMBER_WIDTH + 1)}${one}`);

/** `41 ms (then 38 ms)` */
function timeText(then: StepOutcome, now: StepOutcome): string {
  const was = then.ms === undefined ? '' : ` (then ${durationText(then.ms)})`;
  return `${durationText(now.ms ?? 0)}${was}`;
}

/** Explains a pause. */
export function waitingLine(number: number, ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return line(number, 'waits'.padEnd(RESULT_WIDTH), `${seconds} s: rate limit of the policy reached`);
}

/** Which steps an interrupted replay has performed, and which not. */
export function interruptedLine(plan: readonly PlannedStep[], done: readonly ReplayedStep[], failure: unknown): string {
  const all = plan.filter((step) => step.do === 'again');
  const next = all[done.length];
  const summary = `Interrupted: ${done.length} of ${counted(all.length)} ${done.length === 1 ? 'was' : 'were'} done.`;
  if (next === undefined) return summary;
  const left = all.length - done.length - 1;
  const begun = failure instanceof DesktopError && failure.delivered !== 'no';
  const which = begun ? `Step ${next.number} was started and may be partly done` : `Step ${next.number} was not done`;
  return `${summary} ${which}${left > 0 ? `; ${counted(left)} after it ${left === 1 ? 'was' : 'were'} not done` : ''}.`;
}

export function summaryLine(plan: readonly PlannedStep[], done: readonly ReplayedStep[], paint: Paint): string {
  const sum = (list: readonly (StepOutcome | undefined)[]): number =>
    list.reduce((all, one) => all + (one?.ms ?? 0), 0);
  const times = timeText({ ms: sum(done.map(({ step }) => step.then)) }, { ms: sum(done.map(({ now }) => now)) });
  const all = plan.filter((step) => step.do === 'again').length;
  const same = done.filter(({ result }) => result === 'same').length;
  const first = done.find(({ result }) => result !== 'same');
  const left = plan.length - all;
  const skipped = left > 0 ? `, ${left} left out` : '';
  if (!first) return `${paint('green', 'Same results')}: ${counted(all)}${skipped}, ${times}.`;
  const word = first.result === 'refused' ? 'Refused' : 'Differs';
  const rest = all - done.length;
  const after = rest > 0 ? ` ${counted(rest)} after it ${rest === 1 ? 'was' : 'were'} not done.` : '';
  return `${paint('red', `${word} at step ${first.step.number}`)}: ${same} of ${counted(all)} had the same result${skipped}, ${times}.${after}`;
}

const counted = (steps: number): string => `${steps} step${steps === 1 ? '' : 's'}`;
