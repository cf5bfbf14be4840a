import {
  nearMisses,
  namesWindow,
  presentInstead,
  refsIn,
  suggest,
  type Match,
  type Selector,
} from '../../selector/index.js';
import { DesktopError, type ErrorOptions } from '../../shared/index.js';
import type { WindowInfo } from '../../tree/index.js';
import {
  foundCandidate,
  missCandidate,
  presentCandidate,
  windowCandidate,
  type Candidate,
} from '../observe/candidate.js';
import type { CallView } from '../visibility/call-view.js';
import { hiddenCountNote } from '../visibility/hidden-windows.js';
import { findElements, firstUnresponsive, type Search } from './elements.js';
import { findWindow } from '../observe/window.js';
import type { SnapshotCall } from '../observe/snapshot.js';
import { readWindowTrees } from '../observe/read-windows.js';
import { staleRef } from './stale-ref.js';

const MOST_CANDIDATES = 10;
const MOST_NEAREST = 5;
const MOST_THERE = 10;
/** Read limit for similar elements: the answer is already negative. */
const NEAR_SHARE = 0.5;

/** A selector has no match in the windows that were searched. */
export class NoMatchError extends DesktopError {
  constructor(
    readonly searched: WindowInfo[],
    message: string,
    options: ErrorOptions,
  ) {
    super('element_not_found', message, options);
  }
}

interface Asked {
  selector: Selector;
  /** Source text of the selector. */
  text: string;
  window?: string;
}

/** Returns exactly one element, or throws an error that lists the alternatives. */
export async function resolveUnique(
  desktop: CallView,
  request: Asked,
  call: SnapshotCall,
): Promise<Match & { search: Search }> {
  const search = await findElements(desktop, request.selector, { within: request.window }, call);
  const [match, ...others] = search.matches;
  if (!match) throw await notFound(desktop, request, search, call);
  if (others.length > 0) throw ambiguous(request, search);
  const titled = windowsNamed(search);
  if (titled.length > 1) throw ambiguousWindow(request, titled);
  return { ...match, search };
}

/** A title that matches two windows is refused even if only one of them contains the target: the other may soon, too. */
function windowsNamed({ readAs, alternative, windows }: Search): WindowInfo[] {
  const chain = readAs.alternatives[alternative]!;
  const open = windows.filter(({ visible, minimised, role }) => (visible || minimised) && role !== 'popup');
  return open.filter((window) => namesWindow(chain, window));
}

function ambiguousWindow({ text }: Asked, windows: WindowInfo[]): DesktopError {
  return new DesktopError('ambiguous_target', `The window in ${excerpt(text)} fits ${windows.length} windows.`, {
    details: { candidates: windows.slice(0, MOST_CANDIDATES).map(windowCandidate), matches: windows.length },
    hint: `name one of them: window ${windows[0]!.ref}.`,
  });
}

/** The error for several matches, each with its own selector. */
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
  const likely = nearest.find((one) => one.likely);
  const there = likely ? [] : presentInstead(request.selector, search.scene);
  const where = request.window === undefined ? 'on this desktop' : `in ${search.searched[0]?.ref ?? 'that window'}`;
  // Unread parts may contain it: "none found" is not "none exists".
  const unread = search.degraded ? `, and not everything could be read: ${search.degraded.reason}` : '';
  return new NoMatchError(search.searched, `Nothing matches ${excerpt(request.text)} ${where}${unread}.`, {
    details: {
      nearest,
      ...(there.length > 0 && { there: there.slice(0, MOST_THERE).map(presentCandidate), thereTotal: there.length }),
      ...(search.degraded && { degraded: search.degraded }),
    },
    hint:
      (likely ? `if it is what you mean, use ${likely.ref}.` : 'look first: ui_snapshot, or ui_list_windows.') +
      hiddenCountNote(desktop.hiddenWindows.count),
  });
}

/** The named window is not visible. Only a selector that names it as its first step searches such a window. */
function offScreenError(desktop: CallView, { window, text }: Asked, search: Search): DesktopError | undefined {
  if (window === undefined || search.searched.length > 0) return undefined;
  const { ref, visible, minimised } = findWindow(desktop, search.windows, window);
  if (visible && !minimised) return undefined;
  const state = minimised ? 'is minimised' : 'does not show';
  return new DesktopError(
    'element_not_found',
    `${ref} ${state}, and ${excerpt(text)} is searched in visible windows only.`,
    {
      hint: `show it first: ui_window restore ${ref}. To find it without showing it, put ${ref} >> in front.`,
    },
  );
}

/** If the selector starts at a stale ref, the error is about that ref. */
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

/** Similar elements in the searched windows, or anywhere. A failure here must not hide the actual error. */
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
    const others = nearMisses(selector, elsewhere.scene, MOST_NEAREST);
    return others.map((one) => missCandidate({ ...one, likely: false }));
  } catch (error) {
    if (error instanceof DesktopError) return [];
    throw error;
  }
}

const LONGEST_SHOWN = 80;

/** The caller's text for use in an error message: one line, shortened. */
export function excerpt(text: string): string {
  const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line.length > LONGEST_SHOWN ? `${line.slice(0, LONGEST_SHOWN).replace(/\p{Cs}$/u, '')}…` : line;
}
