import { Deadline, DesktopError, hasTrait } from '../../shared/index.js';
import type { CallView } from './call-view.js';

const CHECK_MS = 2_000;

/**
 * The failure of an act as it may be told: it quotes what was seen, and a window may have turned into a hidden one since
 * `state`, or nobody has said yes yet to a look into it. Then what went wrong is said, and no word of where.
 */
export async function redactError(desktop: CallView, tool: string, state: number, error: unknown): Promise<unknown> {
  if (!(error instanceof DesktopError)) return error;
  const owed = desktop.pendingReadApproval;
  if (owed) return error.code === 'audit_unavailable' ? error : wordless(error, tool, owed.rule);
  if (hasTrait(error, 'contentFree')) return error;
  let why = 'A window turned into one that the policy hides while this was tried.';
  try {
    await desktop.listWindows(Deadline.in(CHECK_MS));
    if (desktop.hiddenWindows.revision === state) return error;
  } catch (failure) {
    // Titles that cannot be read now may be any.
    if (!(failure instanceof DesktopError)) throw failure;
    why = 'It failed, and the titles of windows cannot be read now: no more may be told.';
  }
  return retold(error, why, 'look again: ui_snapshot.');
}

/** Refs can be guessed, and the focus is somewhere: what they are is not told to who may not look. */
function wordless(error: DesktopError, tool: string, rule: string): DesktopError {
  switch (error.code) {
    case 'approval_required':
      return retold(error, `${tool} there needs a person (rule ${rule}) and none can be asked here.`);
    case 'approval_denied':
      return retold(error, `The person refused ${tool} there (rule ${rule}).`);
    case 'approval_timeout':
      return retold(error, `Nobody answered whether ${tool} may be done there (rule ${rule}).`);
    default: {
      const why = `${tool} was not done, and why may not be told before a person has said yes (rule ${rule}).`;
      return retold(error, why, 'ask to look there first: ui_snapshot with its window.');
    }
  }
}

function retold(
  { code, delivered, retry, retryAfter, details, hint: own }: DesktopError,
  message: string,
  hint = own,
): DesktopError {
  return new DesktopError(code, message, {
    ...{ delivered, retry, retryAfter },
    ...(hint !== undefined && { hint }),
    ...(typeof details?.person === 'string' && { details: { person: details.person } }),
  });
}
