import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, type Delivered, DesktopError, within } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import type { CallView } from '../visibility/call-view.js';
import { plainApp } from '../observe/candidate.js';
import type { ObservedChanges } from './ui-changes.js';
import type { ActionPlan, ActionReport } from '../act/action.js';

/**
 * An aborted input device releases its keys and reports how far it got. We wait up to this long for that report. At a
 * load of 14 on two cores, 80 ms were too short: the answer lacked the count of characters.
 */
const LAST_WORD_MS = 300;

/** State of an act that has begun. */
interface Began {
  delivered: Delivered;
  /** The action itself has ended; only its verification is missing. */
  done: boolean;
}

/**
 * Runs an act until it ends, the deadline passes or the caller aborts. The error then contains what is known about
 * delivery.
 */
export async function withDeadline<T>(
  work: Promise<T>,
  deadline: Deadline,
  what: string,
  soFar: () => Began,
): Promise<T> {
  try {
    return await deadline.race(work, what);
  } catch (error) {
    if (!deadline.over) throw error;
    const last = await finalState(work);
    if (last?.done && !deadline.signal?.aborted) return last.answer;
    const reported = last && !last.done ? last.error : error;
    const { delivered, done } = soFar();
    if (done && reported instanceof DesktopError) throw unconfirmed(reported);
    if (reported instanceof DesktopError && reported.delivered !== 'no') throw reported;
    throw withDelivery(reported, { verb: 'act' }, delivered);
  }
}

/** The act was delivered completely, but its effect was not observed. */
function unconfirmed({ code, message, hint, details, cause }: DesktopError): DesktopError {
  return new DesktopError(
    code,
    `${message.replace(/[.\s]+$/, '')}; the act was done, but its effect was not observed.`,
    {
      delivered: 'yes',
      retry: 'no',
      hint: hint ?? 'look before you repeat it: ui_snapshot.',
      details: { ...details, done: true },
      cause,
    },
  );
}

type LastWord<T> = { done: true; answer: T } | { done: false; error: unknown };

function finalState<T>(work: Promise<T>): Promise<LastWord<T> | undefined> {
  const word = work.then(
    (answer) => ({ done: true as const, answer }),
    (error: unknown) => ({ done: false as const, error }),
  );
  return within(word, LAST_WORD_MS);
}

/** Adds what is known about delivery to a failure in the middle of an act. */
export function withDelivery(error: unknown, { verb }: Pick<ActionPlan, 'verb'>, delivered: Delivered): unknown {
  if (!(error instanceof DesktopError) || delivered === 'no' || error instanceof FinalActError) return error;
  const { code, message, hint, details, retryAfter } = error;
  const when = new Date().toTimeString().slice(0, 8);
  const sent = delivered === 'yes' ? `part of the ${verb} was done` : `the ${verb} was sent at ${when}`;
  const sentence = `${message.replace(/[.\s]+$/, '')}; ${sent}.`;
  return new DesktopError(code, sentence, {
    delivered,
    retry: 'no',
    retryAfter,
    details,
    hint: hint ?? 'look before you repeat it: ui_snapshot.',
    cause: error,
  });
}

/** The app has not answered since the act was sent. Undefined if it has, or if the act had an effect. */
export function hungAfterAct(
  { verb, window }: ActionPlan,
  { changed, after }: ObservedChanges,
  delivered: Delivered,
): DesktopError | undefined {
  const silent = after.snapshot.windows.find(({ ref, hung }) => hung && ref === window?.ref);
  if (!silent || changed === 'yes' || delivered === 'no') return undefined;
  const who = `${plainApp(silent.app)} (${silent.ref})`;
  return new DesktopError('app_hung', `${who} has not answered since the ${verb} was sent.`, {
    delivered: 'unknown',
    retry: 'no',
    hint: `look first: ui_wait {stableMs:500} in ${silent.ref}, or ui_window close ${silent.ref}.`,
  });
}

/**
 * The error for a text field that no longer exists: the app has ended, or the field disappeared while keys were being
 * sent to it. Undefined if the field is only out of view, or may have taken the whole text in one call before it
 * disappeared.
 */
export async function targetLostError(
  desktop: CallView,
  { verb, target }: ActionPlan,
  { expected, method, hidden }: ActionReport,
  deadline: Deadline,
): Promise<DesktopError | undefined> {
  if (!target || !expected) return undefined;
  const { id, ref } = target.element;
  const typed = 'part' in expected && method === 'input';
  const count = typed && !hidden ? [...expected.part].length : undefined;
  const sent = typed ? (hidden ? 'a secret was sent' : sentWords(count!)) : `the ${verb} was sent`;
  const so = { delivered: 'yes', retry: 'no', ...(count !== undefined && { details: { typed: count } }) } as const;
  try {
    await requireCapability(desktop.driver, 'read')({ element: id }, { deadline, depth: 0, fresh: true });
    return undefined;
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    if (error.code === 'process_gone')
      return new DesktopError('process_gone', `The app of ${ref} has ended while ${sent} to it.`, {
        ...so,
        hint: 'start the app again and check what it saved. Keys sent after it ended may have gone to another window.',
      });
    if (error.code !== 'stale_ref' || !typed) return undefined;
    return new DesktopError('target_changed', `${ref} disappeared while ${sent} to it.`, {
      ...so,
      hint: 'run ui_snapshot to see where the text went and which element has the focus now.',
    });
  }
}

const sentWords = (count: number): string => `${count} ${count === 1 ? 'character was' : 'characters were'} sent`;
