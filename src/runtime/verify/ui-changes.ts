import { isDeepStrictEqual } from 'node:util';
import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  type Box,
  type Change,
  diffSnapshots,
  type Element,
  type Snapshot,
  type SnapshotDiff,
  type WindowInfo,
} from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { readAgain, type Target } from '../locate/target.js';
import { bareRoot, familyOf, snapshotWindows } from '../observe/snapshot.js';
import { focusBeyond, focusFromPoint, isExpectedFocus, type MovedCaret, focusChange } from './focus-changes.js';
import { explainedByTyping } from './typed-text.js';

/** The UI around the target of an act at one moment. */
export interface UiState {
  windows: WindowInfo[];
  snapshot: Snapshot;
}

export interface ObservedChanges {
  changed: 'yes' | 'no' | 'unknown';
  /** Why `changed` is unknown. */
  reason?: string;
  /** Policy has hidden a window since the act began: no observation may be reported. */
  redacted?: true;
  diff: SnapshotDiff;
  after: UiState;
  opened: WindowInfo[];
  closed: WindowInfo[];
  /** The element that got the focus by keys, or by a click on another element. */
  focus?: Element;
  /** How the act moved the caret, if it had no other effect. */
  caret?: MovedCaret;
  /** Where elements are that gained or lost the focus, and nothing else. */
  focusMoved?: Box[];
  /** What changed although the tree is the same, in our words. */
  beyondTree?: string[];
  /** The changes so far are not the expected effect: more may follow. */
  pending?: true;
  /** Windows opened, closed or changed their title during the read: the snapshot may be incomplete. */
  overtaken?: true;
  /** The target, if the snapshot does not contain it because it is scrolled out of view. */
  aside?: Element;
  /** The target before the act, and the ref of its window. */
  asideWas?: { element: Element; root: string };
}

/** Which effect of the act to expect. */
export interface ExpectedEffect {
  target?: Target;
  /** Ref of the element whose focus is the effect. */
  focuses?: string;
  /** Keys were pressed: a focus change is also an effect. */
  keys?: boolean;
  /** The target, or a point, was clicked: focus on an element outside of it is also an effect. */
  clicks?: boolean;
  /** For a click at coordinates: the element there. */
  met?: Target;
  /** Enter was pressed after this many line ends were typed into the target. */
  entered?: { lines: number };
}

/** The act had an effect, but no visible difference. */
const RECREATED = 'the app re-created part of the window without a visible change';

/** The window of the act with its dialogs and menus, or the active window. `listed`: a window list read just now. */
export async function readUiState(
  desktop: CallView,
  window: WindowInfo | undefined,
  deadline: Deadline,
  listed?: WindowInfo[],
): Promise<UiState> {
  const windows = listed ?? (await desktop.listWindows(deadline)).windows;
  const here = window ? windows.find(({ ref }) => ref === window.ref) : windows.find(({ active }) => active);
  return { windows, snapshot: await snapshotWindows(desktop, here ? familyOf(here, windows) : [], { deadline }) };
}

/** Compares the UI with `before`. New windows of any app count, since a dialog may belong to another program. */
export async function observeChanges(
  desktop: CallView,
  before: UiState,
  { target, focuses, keys, clicks, met, entered }: ExpectedEffect,
  deadline: Deadline,
  answered = false,
): Promise<ObservedChanges> {
  const { windows } = await desktop.listWindows(deadline);
  const known = new Set(before.windows.map(({ id }) => id));
  const there = new Set(windows.map(({ id }) => id));
  const opened = windows.filter(({ id, visible }) => visible && !known.has(id));
  const closed = before.windows.filter(({ id, visible }) => visible && !there.has(id));
  const seen = new Set(before.snapshot.windows.map(({ id }) => id));
  const toRead = windows.filter(({ id }) => seen.has(id)).concat(opened.filter(({ id }) => !seen.has(id)));
  const snapshot = await snapshotWindows(desktop, toRead, { deadline }, { answered });
  const all = diffSnapshots(before.snapshot, snapshot);
  const silent = new Set(snapshot.windows.filter(({ hung }) => hung).map(({ ref }) => ref));
  const others = ignoreRecreated(all.changes);
  // An app that stops answering in the middle of a read leaves values and elements out (GTK 3 that hangs on a click).
  const cutShort = snapshot.degraded !== undefined && before.snapshot.degraded === undefined;
  const real = others.filter(
    // A window that does not answer has an empty tree. That does not mean that its content is gone.
    (change) =>
      !silent.has(change.root) && !(cutShort && isOnlyMissing(change)) && (change.ref === focuses || isReal(change)),
  );
  const focusMoved = all.changes.flatMap(({ focusOnly, element }) => (focusOnly && element.bounds) || []);
  const aside =
    target && !findSame({ windows, snapshot }, target.element.ref) && (await readOutOfView(desktop, target, deadline));
  const asideWas = aside && { element: findSame(before, aside.ref) ?? target.element, root: target.window.ref };
  if (aside && asideWas) real.push(...asideChanges(snapshot, asideWas.element, aside, asideWas.root));
  const titles = otherTitleChanges(before, windows);
  const diff = { ...all, changes: [...titles, ...real] };
  // A minimised window could not be read before: that it is shown now is the change to report.
  const shown = toRead.some(
    ({ id, minimised }) => !minimised && before.windows.find((one) => one.id === id)?.minimised,
  );
  const unread = snapshot.degraded?.reason ?? (shown ? undefined : before.snapshot.degraded?.reason);
  const elsewhere = shown || opened.length > 0 || closed.length > 0;
  const after = { windows, snapshot };
  // When a menu closes, the focus returns on its own.
  const moved = clicks && !elsewhere ? movedBy(before, after, target, met) : undefined;
  const focus = keys ? focusChange(before, after, target) : moved;
  const apart = elsewhere || focus !== undefined;
  const some = apart || diff.changes.length > 0;
  const recreated = !some && others.length < all.changes.length ? RECREATED : undefined;
  const reason = unread ?? recreated;
  const changed = some ? 'yes' : reason ? 'unknown' : 'no';
  const typed = !apart && entered && target && explainedByTyping(real, target, entered.lines);
  // The effect of a click may come after the focus change.
  const pending = typed || (moved !== undefined && !isExpectedFocus(moved, met) && diff.changes.length === 0);
  return {
    changed,
    ...(reason && { reason }),
    diff,
    after,
    opened,
    closed,
    ...(focus && { focus }),
    ...(focusMoved.length > 0 && { focusMoved }),
    ...(pending && { pending }),
    ...(aside && { aside }),
    ...(asideWas && { asideWas }),
  };
}

/** A difference that an incomplete read can produce. */
const isOnlyMissing = ({ kind, before, element }: Change): boolean =>
  kind === 'gone' || (before?.value !== undefined && element.value === undefined);

/** The element that got the focus by a click on the target or at a point. */
function movedBy(before: UiState, after: UiState, target?: Target, met?: Target): Element | undefined {
  return target ? focusBeyond(before, after, target) : focusFromPoint(before, after, met);
}

/** An element that is scrolled out of view can still be read. One that the app has hidden counts as gone. */
async function readOutOfView(desktop: CallView, target: Target, deadline: Deadline): Promise<Element | undefined> {
  const now = await readAgain(desktop, target, deadline);
  return now?.states.visible ? now : undefined;
}

/** The changes of an element that the snapshot does not contain. */
export function asideChanges(snapshot: Snapshot, old: Element, now: Element, root: string): Change[] {
  const one = (element: Element): Snapshot => ({ ...snapshot, scope: 'element', roots: [inView(element)] });
  const { changes } = diffSnapshots(one(old), one(now));
  return changes.filter(isReal).map((change) => ({ ...change, root }));
}

/** Without `offscreen`: being out of view is not a change of the element. */
function inView(element: Element): Element {
  const { offscreen: _offscreen, ...states } = element.states;
  return { ...element, states, children: [] };
}

/** A change other than of the focus. The text of a row's cells counts: GTK 3 reports a tick there and nowhere else. */
export function isReal({ focusOnly }: Change): boolean {
  return !focusOnly;
}

/** The target after the act, in view or not; undefined when it is gone. */
export function targetAfter({ after, aside }: ObservedChanges, ref: string): Element | undefined {
  return findSame(after, ref) ?? (aside?.ref === ref ? aside : undefined);
}

/** The same element in a snapshot; undefined when it is not there. */
export function findSame({ snapshot }: UiState, ref: string): Element | undefined {
  const find = (element: Element): Element | undefined => {
    if (element.ref === ref) return element;
    for (const child of element.children) {
      const found = find(child);
      if (found) return found;
    }
    return undefined;
  };
  for (const root of snapshot.roots) {
    const found = find(root);
    if (found) return found;
  }
  return undefined;
}

/** A read that fails after the act must not hide that the act was done. */
export function uncertaintyReason(error: unknown): string {
  if (error instanceof DesktopError) return error.message;
  throw error;
}

/**
 * Removes elements that the app re-created unchanged: same text, states, position and children. LibreOffice does this
 * with the buttons of its side bar at every cell. The user sees no difference.
 */
export function ignoreRecreated(changes: readonly Change[]): Change[] {
  const tops = changes.filter(({ level, element, cell }) => level === 0 && element.bounds && !cell);
  const fresh = tops.filter(({ kind }) => kind === 'new');
  const same = new Set<string>();
  for (const gone of tops.filter(({ kind }) => kind === 'gone')) {
    const at = fresh.findIndex((one) => isSame(gone, one));
    if (at < 0) continue;
    const [again] = fresh.splice(at, 1);
    for (const element of [gone.element, again!.element]) refsIn(element, same);
  }
  return changes.filter(({ kind, ref }) => kind === 'changed' || !same.has(ref));
}

function isSame(gone: Change, fresh: Change): boolean {
  if (gone.root !== fresh.root || gone.in !== fresh.in) return false;
  // The cheap comparison first: a replaced page has many elements.
  const [old, now] = [gone.element, fresh.element];
  return old.role === now.role && old.name === now.name && isDeepStrictEqual(seen(old), seen(now));
}

/** All visible properties. The focus is compared elsewhere. */
function seen({ role, name, value, states, bounds, error, table, items, range, children }: Element): unknown {
  const { focused: _focused, active: _active, ...rest } = states;
  return { role, name, value, rest, bounds, error, table, items, range, children: children.map(seen) };
}

function refsIn({ ref, children }: Element, into: Set<string>): void {
  into.add(ref);
  for (const child of children) refsIn(child, into);
}

/**
 * New titles of windows that were not read, in the apps whose windows were: saving in a dialog renames the window
 * behind it. Title changes of other apps are not effects of the act.
 */
export function otherTitleChanges(before: UiState, windows: readonly WindowInfo[]): Change[] {
  const { snapshot } = before;
  const seen = new Set(snapshot.windows.map(({ id }) => id));
  const apps = new Set(snapshot.windows.flatMap(({ pid }) => pid ?? []));
  return windows.flatMap((now) => {
    const old = before.windows.find(({ id }) => id === now.id);
    const open = now.visible || now.minimised;
    if (!old || !open || seen.has(now.id) || now.pid === undefined || !apps.has(now.pid)) return [];
    if (old.title.trim() === now.title.trim()) return [];
    // The active window is reported separately.
    const titled = ({ title }: WindowInfo): WindowInfo => ({ ...now, title });
    const [from, to] = [old, now].map((one) => ({ ...snapshot, windows: [titled(one)], roots: [rootOf(titled(one))] }));
    return diffSnapshots(from!, to!).changes;
  });
}

const rootOf = (window: WindowInfo): Element => ({ ...bareRoot(window), ref: window.ref, children: [] });

/**
 * Whether different windows are in front of this one than before. Lists are front to back. Windows that are not shown
 * in both lists opened, closed or were minimised, which is reported separately.
 */
export function stackingChanged(before: readonly WindowInfo[], now: readonly WindowInfo[], ref: string): boolean {
  const [was, is] = [inFrontOf(ref, before, now), inFrontOf(ref, now, before)];
  return was.size !== is.size || [...was].some((one) => !is.has(one));
}

function inFrontOf(ref: string, windows: readonly WindowInfo[], others: readonly WindowInfo[]): Set<string> {
  const shown = new Set(others.filter(isShown).map((one) => one.ref));
  const there = windows.filter((one) => isShown(one) && shown.has(one.ref)).map((one) => one.ref);
  return new Set(there.slice(0, Math.max(0, there.indexOf(ref))));
}

const isShown = ({ visible, minimised }: WindowInfo): boolean => visible && !minimised;
