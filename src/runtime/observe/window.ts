import { normaliseLabel, sameLabel } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import { parseRef, quote, type WindowInfo } from '../../tree/index.js';
import { windowCandidate } from './candidate.js';
import type { CallView } from '../visibility/call-view.js';
import { hiddenByPolicyError, hiddenCountNote } from '../visibility/hidden-windows.js';

const LONGEST_TITLE = 500;

/** Finds a window by ref or title: an equal title first, then a containing one. Two matches are refused. */
export function findWindow(desktop: CallView, windows: WindowInfo[], which: string): WindowInfo {
  const ref = parseRef(which);
  if (ref?.startsWith('e')) throw notAWindow(ref);
  if (ref) return byRef(desktop, windows, ref);
  const title = which.slice(0, LONGEST_TITLE);
  if (normaliseLabel(title) === '') {
    throw new DesktopError('bad_arguments', 'The window is empty.', {
      hint: 'Give a ref (w2) or a part of its title.',
    });
  }
  const open = windows.filter((window) => window.visible || window.minimised);
  const fits = windowsTitled(open, title);
  if (fits.length === 1) return fits[0]!;
  if (fits.length > 1) throw ambiguous(title, fits, sameLabel(fits[0]!.title, title));
  throw new DesktopError('element_not_found', `No open window has ${quote(title)} in its title.`, {
    ...openOnes(windows),
    hint:
      (open.length > 0 ? 'use one of these, or open the window first.' : 'no window is open: start an app first.') +
      hiddenCountNote(desktop.hiddenWindows.count),
  });
}

/** Windows with that title; if there are none, those that contain it. Menus, which are titled like their app, come last. */
export function windowsTitled(windows: readonly WindowInfo[], title: string): WindowInfo[] {
  const wanted = normaliseLabel(title);
  const among = (some: readonly WindowInfo[]): WindowInfo[] => {
    const equal = some.filter((window) => sameLabel(window.title, title));
    return equal.length > 0 ? equal : some.filter((window) => normaliseLabel(window.title).includes(wanted));
  };
  const found = among(windows.filter(({ menu }) => !menu));
  return found.length > 0 ? found : among(windows);
}

function byRef(desktop: CallView, windows: WindowInfo[], ref: string): WindowInfo {
  const found = windows.find((window) => window.ref === ref);
  if (found) return found;
  const was = desktop.refs.get(ref);
  if (was && desktop.hiddenWindows.hides(was.id)) throw hiddenByPolicyError(ref);
  const words = desktop.shows(desktop.lastKnown(ref)) ? ` (was ${was?.role} ${quote(was?.name ?? '')})` : '';
  const message = was ? `${ref}${words} is closed.` : `There is no window ${ref}.`;
  throw new DesktopError('element_not_found', message, {
    ...openOnes(windows),
    retry: 'no',
    hint: 'use a window that is open, or ui_list_windows.',
  });
}

function ambiguous(title: string, fits: WindowInfo[], equal: boolean): DesktopError {
  const how = equal ? 'is the title' : 'is in the title';
  return new DesktopError('ambiguous_target', `${quote(title)} ${how} of ${fits.length} windows.`, {
    details: { candidates: fits.map(windowCandidate) },
    hint: `use a ref: window ${fits[0]!.ref}.`,
  });
}

function notAWindow(ref: string): DesktopError {
  return new DesktopError('bad_arguments', `${ref} is an element, not a window.`, {
    hint: 'give it as target, or a window as w2 or by its title.',
  });
}

function openOnes(windows: WindowInfo[]): { details: { candidates: ReturnType<typeof windowCandidate>[] } } {
  const open = windows.filter((window) => window.visible || window.minimised);
  return { details: { candidates: open.map(windowCandidate) } };
}
