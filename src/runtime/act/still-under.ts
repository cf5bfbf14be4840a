import { DesktopError, type Deadline } from '../../shared/index.js';
import { roleInText, type Point } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { refuseHidden } from '../govern/veil.js';
import type { Target } from '../find-target.js';
import type { Reader } from '../reader.js';
import type { Under } from './aim.js';

/** In front is the window that was asked about, or its program's, and in it an element that rules see as the same. */
export async function stillUnder(
  desktop: Desktop,
  reader: Reader,
  at: Point,
  { window, lands }: Under,
  deadline: Deadline,
): Promise<void> {
  await notHidden(desktop, at, deadline);
  const front = desktop.veil.frontAt(at);
  const same = front?.id === window?.id || (front?.pid !== undefined && front.pid === window?.pid);
  if (!same) throw otherThere(at, 'Another window came to', false);
  const was = lands?.target?.element;
  if (!was) return;
  const { lands: there } = await reader.under(at);
  const now = there?.target?.element;
  const equal = now?.role === was.role && (now.name === was.name || now.ref.startsWith('w'));
  if (!equal) throw otherThere(at, 'Something else came to', true);
}

export async function notHidden(desktop: Desktop, at: Point, deadline: Deadline): Promise<void> {
  await desktop.listWindows(deadline);
  refuseHidden(desktop, at);
}

/** `within`: in the same window, where what is told of it may only be late. */
function otherThere({ x, y }: Point, what: string, within: boolean): DesktopError {
  return new DesktopError('target_changed', `${what} ${x},${y} just now.`, {
    retry: 'safe',
    hint: 'look again: ui_snapshot.',
    details: { within },
  });
}

/** Of what had to be brought on the screen first. */
export function endUnseen({ element }: Target): DesktopError {
  const message = `${element.ref} ${roleInText(element.role)} was scrolled into view, and what it is dragged onto was not seen before.`;
  return new DesktopError('target_changed', message, {
    retry: 'safe',
    hint: 'drag it again: it shows now.',
    details: { within: true },
  });
}
