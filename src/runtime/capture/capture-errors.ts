import { DesktopError } from '../../shared/index.js';
import { quote, type WindowInfo } from '../../tree/index.js';

interface Why {
  why?: unknown;
  coveredBy?: unknown;
}

/** Translates a driver's refusal into the caller's terms: refs, and what to do next. */
export function captureError(error: unknown, window: WindowInfo | undefined, windows: readonly WindowInfo[]): unknown {
  if (!(error instanceof DesktopError) || error.code !== 'not_ready' || !window) return error;
  const { why, coveredBy } = (error.details ?? {}) as Why;
  const covers = windows.filter(({ id }) => Array.isArray(coveredBy) && coveredBy.includes(id));
  const who = `${window.ref} ${window.role} ${quote(window.title)}`;
  const by = covers.map((cover) => `${cover.ref} ${cover.role} ${quote(cover.title)}`).join(', ');
  const first = covers[0]?.ref;
  const { message, hint, after } = wordsFor(why, who, window.ref, by, first) ?? {
    message: error.message.replace(/^The window\b/, who),
    hint: error.hint,
    after: undefined,
  };
  const details = { ...error.details, ...(covers.length > 0 && { coveredBy: covers.map(({ ref }) => ref) }) };
  return new DesktopError('not_ready', message, {
    ...(hint !== undefined && { hint }),
    ...(after !== undefined && { retry: 'after' as const, retryAfter: after }),
    details,
    cause: error,
  });
}

function wordsFor(why: unknown, who: string, ref: string, by: string, first: string | undefined) {
  switch (why) {
    case 'minimised':
      return { message: `${who} is minimised.`, hint: `ui_window restore ${ref}`, after: `restoring ${ref}` };
    case 'hidden':
      return { message: `${who} is hidden.`, hint: `ui_window restore ${ref}`, after: 'it shows' };
    case 'outside': {
      const hint = `ui_window move ${ref} to 0,0`;
      return { message: `${who} lies outside of the screen.`, hint, after: `moving ${ref}` };
    }
    case 'undrawn':
    case 'covered': {
      const drawn = why === 'undrawn' ? ' and has not drawn itself since' : '';
      const hint = `ui_window front ${ref} brings it up.`;
      if (by !== '') return { message: `${who} is covered by ${by}${drawn}.`, hint, after: `moving ${first}` };
      return { message: `${who} has not drawn itself yet.`, hint: 'wait until its app answers.', after: 'it has' };
    }
    default:
      return undefined;
  }
}
