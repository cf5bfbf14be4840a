import { Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import type { CallView } from './call-view.js';

const CHECK_MS = 2_000;

/**
 * Errors quote what was read. If a window became hidden since `revisionBefore`, or the user has not yet approved
 * reading it, the error keeps its code and loses all content.
 */
export async function redactError(
  desktop: CallView,
  tool: string,
  revisionBefore: number,
  error: unknown,
): Promise<unknown> {
  if (!(error instanceof DesktopError)) return error;
  const pending = desktop.pendingReadApproval;
  if (pending) return error.code === 'audit_unavailable' ? error : withoutContent(error, tool, pending.rule);
  // The error itself quotes nothing from the screen. Its call log may, so these errors have none.
  if (hasTrait(error, 'contentFree')) return error;
  let why = 'During this call a window became one that the policy hides.';
  try {
    await desktop.listWindows(Deadline.in(CHECK_MS));
    if (desktop.hiddenWindows.revision === revisionBefore) return desktop.log.attachTo(error);
  } catch (failure) {
    // Titles that cannot be read now could be hidden ones.
    if (!(failure instanceof DesktopError)) throw failure;
    why = 'The call failed, and window titles cannot be read now, so the reason is withheld.';
  }
  return withMessage(error, why, 'Run ui_snapshot to see what is there now.');
}

/**
 * Refs can be guessed, and some element always has the focus. A caller that may not read must not learn what they are.
 */
function withoutContent(error: DesktopError, tool: string, rule: string): DesktopError {
  switch (error.code) {
    case 'approval_required':
      return withMessage(error, `${tool} there needs a person (rule ${rule}) and none can be asked here.`);
    case 'approval_denied':
      return withMessage(error, `The person refused ${tool} there (rule ${rule}).`);
    case 'approval_timeout':
      return withMessage(error, `The approval request for ${tool} there was not answered (rule ${rule}).`);
    default: {
      const why = `${tool} was not performed. The reason is withheld until the user approves reading there (rule ${rule}).`;
      return withMessage(error, why, 'Run ui_snapshot with that window first, to ask for approval.');
    }
  }
}

function withMessage(
  { code, delivered, retry, retryAfter, details, hint: ownHint }: DesktopError,
  message: string,
  hint = ownHint,
): DesktopError {
  return new DesktopError(code, message, {
    ...{ delivered, retry, retryAfter },
    ...(hint !== undefined && { hint }),
    ...(typeof details?.userReason === 'string' && { details: { userReason: details.userReason } }),
  });
}
