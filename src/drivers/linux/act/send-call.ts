import { type Deadline, DesktopError, hasTrait, within } from '../../../shared/index.js';
import { ACCESSIBLE, readStates, ROOT_PATH } from '../atspi/accessible.js';
import { staleRefError } from '../atspi/ancestors.js';
import type { AppConnection } from '../atspi/app-connection.js';
import type { CallSpec } from '../dbus/message.js';
import { DBusError } from '../dbus/connection.js';
import { unsupportedError } from './action-target.js';
import type { ActionConnection } from './connections.js';

/** An act that takes longer than this may wait for input in a dialog; then we check whether the app still answers. */
const USUAL_REPLY_MS = 200;
/** Between the two requests of that check. */
const RECHECK_MS = 60;

interface SendResult {
  said: boolean;
  /** The act is unanswered, but the app answers other requests: it is busy with a dialog that the act opened. */
  waiting?: boolean;
}

/** Sends the planned calls one after the other. */
export async function sendPlannedCall(
  app: AppConnection,
  connection: ActionConnection,
  first: PlannedCall,
  deadline: Deadline,
): Promise<SendResult> {
  let wasSent = false;
  for (let next: PlannedCall | undefined = first; next; next = next.then) {
    const { call, falseMeansUnsupported: falseIsNone } = next;
    try {
      const answer = await replyOrWaiting(app, connection.call(call, deadline), deadline);
      if (answer === 'waiting') return { said: false, waiting: true };
      const said = answer[0] !== false;
      if (!said && falseIsNone && !wasSent) throw unsupportedError(call.member);
      if (!said && next.then) return { said };
      wasSent = true;
      if (!next.then) return { said };
    } catch (error) {
      throw await explainFailure(app, error, wasSent, deadline, call.path);
    }
  }
  return { said: true };
}

/**
 * Qt answers an act that opens a dialog only after the dialog is closed. The app does not hang: it answers on other
 * connections, twice in a row and after it got the act.
 */
async function replyOrWaiting(
  app: AppConnection,
  answer: Promise<unknown[]>,
  deadline: Deadline,
): Promise<unknown[] | 'waiting'> {
  answer.catch(() => undefined); // Whichever await comes first reports the error; it must not be an unhandled rejection elsewhere.
  for (let pause = USUAL_REPLY_MS, answered = 0; answered < 2; answered++, pause = RECHECK_MS) {
    const won = await deadline.race(within(answer, Math.min(pause, deadline.remaining())), 'The act');
    if (won) return won;
    const alive = app.until(deadline).get(ROOT_PATH, ACCESSIBLE, 'ChildCount');
    await deadline.race(Promise.race([answer, alive]), 'The act');
  }
  return (await within(answer, RECHECK_MS)) ?? 'waiting';
}

/** Whether the act was delivered is known only if the app said so. */
async function explainFailure(
  app: AppConnection,
  error: unknown,
  wasSent: boolean,
  deadline: Deadline,
  path: string,
): Promise<DesktopError> {
  if (error instanceof DesktopError) return hasTrait(error, 'cutShort') ? deliveryUnknown(error) : error;
  const kind = error instanceof DBusError ? error.kind : '';
  // The call was never sent.
  if (kind === 'bad-call' && !wasSent) return app.toDesktopError(error);
  if (/\.Unknown(Object|Method|Interface|Property)$|\.Failed$|\.InvalidArgs$|\.NotSupported$|^org\.a11y\./.test(kind)) {
    if (wasSent) return app.toDesktopError(error);
    // Qt reports "no such object" for an object that lacks the method.
    const alive = await readStates(app.until(deadline), path).catch(() => undefined);
    return alive && !alive.empty ? unsupportedError('such action') : staleRefError();
  }
  return deliveryUnknown(await app.toDesktopError(error));
}

/** The deadline passed or the caller cancelled after the act was sent. */
function deliveryUnknown(error: DesktopError): DesktopError {
  const { code, message, hint, details } = error;
  return new DesktopError(code, message, { hint, details, delivered: 'unknown', retry: 'no', cause: error });
}

/** One planned call that changes something in the app. */
export interface PlannedCall {
  call: Omit<CallSpec, 'destination'>;
  /** The platform's name for the call. */
  by: string;
  /** Sent next on the same connection if this call was not refused. */
  then?: PlannedCall;
  /** A reply of false means that the app does not support the call, not that it failed. */
  falseMeansUnsupported?: boolean;
}

/** The requested state is already reached: nothing is sent. */
export interface AlreadyDone {
  noop: string;
}

export const plannedCall = (
  path: string,
  iface: string,
  member: string,
  signature: string,
  body: readonly unknown[],
  by = `${iface.slice(iface.lastIndexOf('.') + 1)} ${member}`,
): PlannedCall => ({ call: { path, interface: iface, member, ...(signature && { signature, body }) }, by });
