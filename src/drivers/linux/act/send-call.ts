import { type Deadline, DesktopError, hasTrait } from '../../../shared/index.js';
import { ACCESSIBLE, readStates, ROOT_PATH } from '../atspi/accessible.js';
import { stale } from '../atspi/ancestors.js';
import type { AppLink } from '../atspi/app-connection.js';
import { type CallSpec, DBusError } from '../dbus/index.js';
import { unsupported } from './action-target.js';
import type { ActLine } from './connections.js';

/** An act that takes longer than this may be waiting for a person: then one looks whether its app still answers. */
const USUAL_MS = 200;
/** Between the two questions that prove it. */
const PAUSE_MS = 60;

export interface Sent {
  said: boolean;
  /** No answer, while the app answers others: it is busy with what the act opened. */
  waiting?: boolean;
}

/** Sends what was planned, one after the other. */
export async function sendDeed(app: AppLink, line: ActLine, first: Deed, deadline: Deadline): Promise<Sent> {
  let went = false;
  for (let next: Deed | undefined = first; next; next = next.then) {
    const { call, falseIsNone } = next;
    try {
      const answer = await answerOrWaiting(app, line.call(call, deadline), deadline);
      if (answer === 'waiting') return { said: false, waiting: true };
      const said = answer[0] !== false;
      if (!said && falseIsNone && !went) throw unsupported(call.member);
      if (!said && next.then) return { said };
      went = true;
      if (!next.then) return { said };
    } catch (error) {
      throw await explained(app, error, went, deadline, call.path);
    }
  }
  return { said: true };
}

/**
 * Qt answers an act that opens a dialog when the dialog is closed. It is not hung: it answers other connections, twice
 * in a row and later than it was sent the act.
 */
async function answerOrWaiting(
  app: AppLink,
  answer: Promise<unknown[]>,
  deadline: Deadline,
): Promise<unknown[] | 'waiting'> {
  answer.catch(() => undefined); // Told by whichever await comes first; the others must not fail for it.
  for (let pause = USUAL_MS, answered = 0; answered < 2; answered++, pause = PAUSE_MS) {
    const won = await deadline.race(within(answer, Math.min(pause, deadline.remaining())), 'The act');
    if (won) return won;
    const alive = app.until(deadline).get(ROOT_PATH, ACCESSIBLE, 'ChildCount');
    await deadline.race(Promise.race([answer, alive]), 'The act');
  }
  return (await within(answer, PAUSE_MS)) ?? 'waiting';
}

async function within<T>(work: Promise<T>, ms: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const pause = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), ms)));
  return Promise.race([work, pause]).finally(() => clearTimeout(timer));
}

/** Whether it arrived is known only where the app said so. */
async function explained(
  app: AppLink,
  error: unknown,
  went: boolean,
  deadline: Deadline,
  path: string,
): Promise<DesktopError> {
  if (error instanceof DesktopError) return hasTrait(error, 'cutShort') ? mayHaveArrived(error) : error;
  const kind = error instanceof DBusError ? error.kind : '';
  // Never sent.
  if (kind === 'bad-call' && !went) return app.explain(error);
  if (/\.Unknown(Object|Method|Interface|Property)$|\.Failed$|\.InvalidArgs$|\.NotSupported$|^org\.a11y\./.test(kind)) {
    if (went) return app.explain(error);
    // Qt says "no such object" of an object that has no such method.
    const alive = await readStates(app.until(deadline), path).catch(() => undefined);
    return alive && !alive.empty ? unsupported('such action') : stale();
  }
  return mayHaveArrived(await app.explain(error));
}

/** The caller's time was up, or it gave up, after the act was sent. */
function mayHaveArrived(error: DesktopError): DesktopError {
  const { code, message, hint, details } = error;
  return new DesktopError(code, message, { hint, details, delivered: 'unknown', retry: 'no', cause: error });
}

/** One call that changes something in the app, ready to be sent. */
export interface Deed {
  call: Omit<CallSpec, 'destination'>;
  /** The platform's own word for it. */
  by: string;
  /** Sent after it, on the same line, if it was not refused. */
  then?: Deed;
  /** An answer of false means that the app has nothing of the kind, not that it failed. */
  falseIsNone?: boolean;
}

/** It is so already: nothing is sent. */
export interface Already {
  already: string;
}

export const deed = (
  path: string,
  iface: string,
  member: string,
  signature: string,
  body: readonly unknown[],
  by = `${iface.slice(iface.lastIndexOf('.') + 1)} ${member}`,
): Deed => ({ call: { path, interface: iface, member, ...(signature && { signature, body }) }, by });
