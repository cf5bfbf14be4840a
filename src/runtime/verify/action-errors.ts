import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, type Delivered, DesktopError } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import type { CallView } from '../visibility/call-view.js';
import { plainApp } from '../observe/candidate.js';
import type { ObservedChanges } from './ui-changes.js';
import type { ActionPlan, ActionReport } from '../act/action.js';

/** Hands that are told to stop let go and say how far they came; so long that is waited for. */
const LAST_WORD_MS = 80;

/** What is known of an act that has begun. */
export interface Began {
  delivered: Delivered;
  /** The doing itself has ended; only the proof is missing. */
  done: boolean;
}

/** An act, or its end when the time is up or its caller gives up: then with what is known of what went out. */
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
    const told = last && !last.done ? last.error : error;
    const { delivered, done } = soFar();
    if (done && told instanceof DesktopError) throw unproved(told);
    if (told instanceof DesktopError && told.delivered !== 'no') throw told;
    throw withDelivery(told, { verb: 'act' }, delivered);
  }
}

/** All of it went out; what came of it was not looked at any more. */
function unproved({ code, message, hint, details, cause }: DesktopError): DesktopError {
  return new DesktopError(
    code,
    `${message.replace(/[.\s]+$/, '')}; the act was done, but what came of it was not seen.`,
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

async function finalState<T>(work: Promise<T>): Promise<LastWord<T> | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LAST_WORD_MS);
  });
  const word = work.then(
    (answer) => ({ done: true as const, answer }),
    (error: unknown) => ({ done: false as const, error }),
  );
  try {
    return await Promise.race([word, patience]);
  } finally {
    clearTimeout(timer);
  }
}

/** A failure in the middle of an act, with what is known about its delivery. */
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

/** The act went out, and its app has not answered since. Undefined when it has, or when something came of the act. */
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
 * What was written into is not there any more: the app has ended, or the field went away while keys were on their way
 * to it. Undefined where it is only out of sight, or may have taken all in one piece before it went.
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
        hint: 'start it again, then look what it kept; keys after its end may have gone to another window.',
      });
    if (error.code !== 'stale_ref' || !typed) return undefined;
    return new DesktopError('target_changed', `${ref} went away while ${sent} to it.`, {
      ...so,
      hint: 'see what came of them, and what has the keys now: ui_snapshot.',
    });
  }
}

const sentWords = (count: number): string => `${count} ${count === 1 ? 'character was' : 'characters were'} sent`;
