import { DesktopError, type Delivered } from '../../shared/index.js';
import type { Aim } from './aim.js';

/** A failure in the middle of an act, with what is known of what went out. */
export function failedAct(error: unknown, { verb }: Pick<Aim, 'verb'>, delivered: Delivered): unknown {
  if (!(error instanceof DesktopError) || delivered === 'no') return error;
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
