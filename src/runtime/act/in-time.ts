import { DesktopError, type Deadline, type Delivered } from '../../shared/index.js';
import { failedAct } from './failed-act.js';

/** Hands that are told to stop let go and say how far they came; so long that is waited for. */
const LAST_WORD_MS = 80;

/** What is known of an act that has begun. */
export interface Began {
  delivered: Delivered;
  /** The doing itself has ended; only the proof is missing. */
  done: boolean;
}

/** An act, or its end when the time is up or its caller gives up: then with what is known of what went out. */
export async function inTime<T>(work: Promise<T>, deadline: Deadline, what: string, soFar: () => Began): Promise<T> {
  try {
    return await deadline.race(work, what);
  } catch (error) {
    if (!deadline.over) throw error;
    const last = await lastWord(work);
    if (last?.done && !deadline.signal?.aborted) return last.answer;
    const told = last && !last.done ? last.error : error;
    const { delivered, done } = soFar();
    if (done && told instanceof DesktopError) throw unproved(told);
    if (told instanceof DesktopError && told.delivered !== 'no') throw told;
    throw failedAct(told, { verb: 'act' }, delivered);
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

async function lastWord<T>(work: Promise<T>): Promise<LastWord<T> | undefined> {
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
