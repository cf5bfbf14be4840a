import { DesktopError, type Deadline } from '../../shared/index.js';
import { quote } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Target } from '../find-target.js';
import { aboutWindow } from '../look.js';
import { staleRef } from '../stale-ref.js';

/** The driver knows an element; the caller knows a ref. */
export async function aboutTarget(
  desktop: Desktop,
  error: unknown,
  { element, window }: Target,
  deadline: Deadline,
): Promise<unknown> {
  if (!(error instanceof DesktopError) || error.delivered !== 'no') return aboutWindow(error, window);
  const { ref, role, name } = element;
  if (error.code === 'stale_ref' && !error.message.startsWith(ref)) {
    return staleRef(desktop, ref, desktop.refs.get(ref), window, deadline);
  }
  if (error.code !== 'not_ready' || !error.message.startsWith(THE_ELEMENT)) return aboutWindow(error, window);
  const who = `${ref} ${role}${name ? ` ${quote(name)}` : ''} in ${window.ref}`;
  const { hint, retry, retryAfter, details } = error;
  const message = `${who}${error.message.slice(THE_ELEMENT.length)}`;
  return new DesktopError('not_ready', message, { hint, retry, retryAfter, details, cause: error });
}

const THE_ELEMENT = 'The element';
