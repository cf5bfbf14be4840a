import { DesktopError, osError } from '../shared/index.js';

/** The log cannot be used. No act is performed until it can. */
export function unavailable(message: string, hint: string, cause?: unknown): DesktopError {
  return new DesktopError('audit_unavailable', message, {
    retry: 'after',
    retryAfter: 'the log can be written again',
    hint,
    ...(cause !== undefined && { cause }),
  });
}

/** Turns an error of the disk into a message. */
export function diskFault(what: string, error: unknown): DesktopError {
  if (error instanceof DesktopError && error.code === 'audit_unavailable') return error;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const known = code === 'EFBIG' ? 'The file has reached its size limit.' : osError(error)?.message;
  const why = known ?? `The system reports ${code ?? 'no more than that it failed'}.`;
  return unavailable(`${what}. ${why}`, 'Free space or repair the disk. Nothing is performed before that.', error);
}

const NEW = 'Run deskproof audit verify to see what is wrong. To start a new log: deskproof audit new --reason TEXT';

/** The files are not as the writer left them. Only the user may continue from here. */
export function refusedToOpen(why: string): DesktopError {
  return new DesktopError('audit_unavailable', `The log cannot be continued: ${why}.`, { retry: 'no', hint: NEW });
}
