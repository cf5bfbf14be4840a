import { DesktopError, systemFault } from '../shared/index.js';

/** The log cannot be used: nothing is done until it can. */
export function unavailable(message: string, hint: string, cause?: unknown): DesktopError {
  return new DesktopError('audit_unavailable', message, {
    retry: 'after',
    retryAfter: 'the log can be written again',
    hint,
    ...(cause !== undefined && { cause }),
  });
}

/** What went wrong on the disk, in words. */
export function diskFault(what: string, error: unknown): DesktopError {
  if (error instanceof DesktopError && error.code === 'audit_unavailable') return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const known = code === 'EFBIG' ? 'The file may not grow any further.' : systemFault(error)?.message;
  const why = known ?? `The system says ${code ?? 'no more than that it failed'}.`;
  return unavailable(`${what}. ${why}`, 'Make room or repair the disk; nothing is done before that.', error);
}

const NEW = 'See what is wrong: deskproof audit verify. To go on in a new log: deskproof audit new --reason TEXT';

/** What is on the disk is not what was left there. Only a person may go on from here. */
export function refusedToOpen(why: string): DesktopError {
  return new DesktopError('audit_unavailable', `The log cannot be continued: ${why}.`, { retry: 'no', hint: NEW });
}
