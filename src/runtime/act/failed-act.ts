import { DesktopError, type Delivered } from '../../shared/index.js';
import { plainApp } from '../candidate.js';
import type { Aim } from './aim.js';
import type { Outcome } from './changes.js';

/** A failure in the middle of an act, with what is known of what went out. `complete`: all of it was done, in vain. */
export function failedAct(error: unknown, { verb }: Pick<Aim, 'verb'>, delivered: Delivered): unknown {
  if (!(error instanceof DesktopError) || delivered === 'no' || error.details?.complete) return error;
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
export function hungAfter(
  { verb, window }: Aim,
  { changed, after }: Outcome,
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
