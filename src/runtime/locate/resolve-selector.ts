import { nearMisses, namesWindow, refsIn, suggest, type Match, type Selector } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import { foundCandidate, missCandidate, windowCandidate, type Candidate } from '../observe/candidate.js';
import type { CallView } from '../visibility/call-view.js';
import { hiddenCountNote } from '../visibility/hidden-windows.js';
import { findElements, firstUnresponsive, type Search } from './elements.js';
import { findWindow } from '../observe/window.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import { readWindowTrees } from '../observe/read-windows.js';
import { staleRef } from './stale-ref.js';

const MOST_CANDIDATES = 10;
const MOST_NEAREST = 5;
/** For what comes near a miss: not more than this is read, since the answer is a no already. */
const NEAR_SHARE = 0.5;

interface Asked {
  selector: Selector;
  /** As the caller wrote it. */
  text: string;
  window?: string;
}

/** Exactly one element, or a refusal that says what there is instead. */
export async function resolveUnique(
  desktop: CallView,
  request: Asked,
  call: SnapshotCall,
): Promise<Match & { search: Search }> {
  const search = await findElements(desktop, request.selector, { within: request.window }, call);
  const [match, ...others] = search.matches;
  if (!match) throw await notFound(desktop, request, search, call);
  if (others.length > 0) throw ambiguous(request, search);
  const titled = windowsNamed(request.selector, search);
  if (titled.length > 1) throw ambiguousWindow(request, titled);
  return { ...match, search };
}

/** A title that fits two windows is refused even if only one of them holds the target: the other may hold it soon. */
function windowsNamed({ alternatives }: Selector, { alternative, windows }: Search): WindowInfo[] {
  const chain = alternatives[alternative]!;
  const open = windows.filter(({ visible, minimised, role }) => (visible || minimised) && role !== 'popup');
  return open.filter((window) => namesWindow(chain, window));
}

function ambiguousWindow({ text }: Asked, windows: WindowInfo[]): DesktopError {
  return new DesktopError('ambiguous_target', `The window in ${excerpt(text)} fits ${windows.length} windows.`, {
    details: { candidates: windows.slice(0, MOST_CANDIDATES).map(windowCandidate), matches: windows.length },
    hint: `name one of them: window ${windows[0]!.ref}.`,
  });
}

/** Several where one is needed, each with a selector of its own. */
export function ambiguous({ text }: Pick<Asked, 'text'>, search: Search): DesktopError {
  const { matches, scene, windows: open } = search;
  const unread = open.filter(({ ref }) => !scene.windows.some((window) => window.ref === ref));
  const candidates = matches.slice(0, MOST_CANDIDATES).map((match): Candidate => {
    const selector = suggest(match.element, scene, unread)?.selector;
    const distance = match.distance === undefined ? undefined : `${Math.round(match.distance)} px away`;
    return { ...foundCandidate(match), ...(selector && { selector }), ...(distance && { note: distance }) };
  });
  const windows = new Set(matches.map(({ window }) => window.ref));
  const where = windows.size > 1 ? `, or window ${[...windows].at(-1)}` : '';
  return new DesktopError('ambiguous_target', `${excerpt(text)} matches ${matches.length}.`, {
    details: { candidates, matches: matches.length },
    hint: `use a ref${where}.`,
  });
}

export async function notFound(
  desktop: CallView,
  request: Asked,
  search: Search,
  call: SnapshotCall,
): Promise<DesktopError> {
  const silence = firstUnresponsive(search);
  if (silence) return silence;
  const gone = await goneRef(desktop, request.selector, search, call);
  if (gone) return gone;
  const unseen = offScreenError(desktop, request, search);
  if (unseen) return unseen;
  const nearest = await nearestOf(desktop, request.selector, search, call);
  const first = nearest[0];
  const where = request.window === undefined ? 'on this desktop' : `in ${search.searched[0]?.ref ?? 'that window'}`;
  // What was not read may hold it: none that was found is not the same as none.
  const unread = search.degraded ? `, and not everything could be read: ${search.degraded.reason}` : '';
  return new DesktopError('element_not_found', `Nothing matches ${excerpt(request.text)} ${where}${unread}.`, {
    details: { nearest, ...(search.degraded && { degraded: search.degraded }) },
    hint:
      (first ? `if it is what you mean, use ${first.ref}.` : 'look first: ui_snapshot, or ui_list_windows.') +
      hiddenCountNote(desktop.hiddenWindows.count),
  });
}

/** The window that was named does not show, and nothing but its name as a first step looks into such a one. */
function offScreenError(desktop: CallView, { window, text }: Asked, search: Search): DesktopError | undefined {
  if (window === undefined || search.searched.length > 0) return undefined;
  const { ref, visible, minimised } = findWindow(desktop, search.windows, window);
  if (visible && !minimised) return undefined;
  const state = minimised ? 'is minimised' : 'does not show';
  return new DesktopError('element_not_found', `${ref} ${state}, and ${excerpt(text)} is looked for in what shows.`, {
    hint: `show it first: ui_window restore ${ref}. To look and no more, put ${ref} >> in front.`,
  });
}

/** A selector that begins at a ref fails because the ref is no more: that is the answer then. */
async function goneRef(
  desktop: CallView,
  { alternatives }: Selector,
  { windows }: Search,
  { deadline }: SnapshotCall,
): Promise<DesktopError | undefined> {
  for (const ref of alternatives.flatMap(refsIn)) {
    const known = ref.startsWith('w') ? undefined : desktop.refs.lookup(ref);
    if (known?.state === 'never') return new DesktopError('element_not_found', `There is no ${ref}.`, LOOK_FIRST);
    if (known?.state !== 'stale') continue;
    const window = windows.find((one) => one.id === known.record?.windowId);
    return staleRef(desktop, ref, known.record, window, deadline);
  }
  return undefined;
}

const LOOK_FIRST = { hint: 'look first: ui_snapshot gives refs.' };

/** What comes near, in the windows where it was looked for, or anywhere. A failure here must not hide the true answer. */
export async function nearestOf(
  desktop: CallView,
  selector: Selector,
  { scene, windows, searched }: Search,
  { deadline }: SnapshotCall,
): Promise<Candidate[]> {
  const here = nearMisses(selector, scene, MOST_NEAREST);
  if (here.length > 0 || searched.length > 0) return here.map(missCandidate);
  try {
    const chain = selector.alternatives[0]!;
    const open = windows.filter(({ visible, minimised }) => visible && !minimised);
    const call = { deadline: deadline.atMost(deadline.remaining() * NEAR_SHARE) };
    const elsewhere = await readWindowTrees(desktop, chain, open, call);
    return nearMisses(selector, elsewhere.scene, MOST_NEAREST).map(missCandidate);
  } catch (error) {
    if (error instanceof DesktopError) return [];
    throw error;
  }
}

const LONGEST_SHOWN = 80;

/** The caller's own words in a sentence of ours: one line, not too long. */
export function excerpt(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN).replace(/\p{Cs}$/u, '')}…` : line;
}
