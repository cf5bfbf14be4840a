import { isDeepStrictEqual } from 'node:util';
import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  type Change,
  diffSnapshots,
  type Element,
  type Snapshot,
  type SnapshotDiff,
  type WindowInfo,
} from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { readAgain, type Target } from '../locate/target.js';
import { familyOf } from '../observe/window.js';
import { snapshotWindows, bareRoot } from '../observe/snapshot.js';
import { focusBeyond, focusFromPoint, isExpectedFocus, type MovedCaret, focusChange } from './focus-changes.js';
import { explainedByTyping } from './typed-text.js';

/** How things stand where an act happens. */
export interface UiState {
  windows: WindowInfo[];
  snapshot: Snapshot;
}

export interface ObservedChanges {
  changed: 'yes' | 'no' | 'unknown';
  /** Why one cannot tell. */
  reason?: string;
  /** A window turned into a hidden one since the act began: nothing that was seen may be told. */
  veiled?: true;
  diff: SnapshotDiff;
  after: UiState;
  opened: WindowInfo[];
  closed: WindowInfo[];
  /** What keys, or a click on something else, gave the focus to. */
  focus?: Element;
  /** What keys did in a text, where nothing else came of them. */
  caret?: MovedCaret;
  /** What changed is not what is waited for: more may come. */
  pending?: true;
  /** Windows opened, closed or got a title while they were looked at: half of it may be missing. */
  overtaken?: true;
  /** The target, where the look does not show it: it is scrolled out of view. */
  aside?: Element;
  /** As it was before, and the window that it is in. */
  asideWas?: { element: Element; root: string };
}

/** Whose effect is looked for. */
export interface ExpectedEffect {
  target?: Target;
  /** That this has the focus is the effect. */
  focuses?: string;
  /** Keys were pressed: that something else has the focus is an effect, too. */
  keys?: boolean;
  /** The target, or a bare point, was clicked: that something beyond it has the focus is an effect, too. */
  clicks?: boolean;
  /** Of a bare point: what lies there. */
  met?: Target;
  /** Of Enter, after so many line ends were typed into the target. */
  entered?: { lines: number };
}

/** Something came of the act, and nobody can see what. */
const RECREATED = 'its app made a part of the window anew, just as it was';

/** The window that is acted on with all that belongs to it; without one, the active window. `listed`: just now. */
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

/** What is different now. Windows that opened anywhere count, since a dialog may belong to another program. */
export async function observeChanges(
  desktop: CallView,
  before: UiState,
  { target, focuses, keys, clicks, met, entered }: ExpectedEffect,
  deadline: Deadline,
): Promise<ObservedChanges> {
  const { windows } = await desktop.listWindows(deadline);
  const known = new Set(before.windows.map(({ id }) => id));
  const there = new Set(windows.map(({ id }) => id));
  const opened = windows.filter(({ id, visible }) => visible && !known.has(id));
  const closed = before.windows.filter(({ id, visible }) => visible && !there.has(id));
  const seen = new Set(before.snapshot.windows.map(({ id }) => id));
  const look = windows.filter(({ id }) => seen.has(id)).concat(opened.filter(({ id }) => !seen.has(id)));
  const snapshot = await snapshotWindows(desktop, look, { deadline });
  const all = diffSnapshots(before.snapshot, snapshot);
  // That the focus went along with the mouse is no effect of what was clicked.
  const silent = new Set(snapshot.windows.filter(({ hung }) => hung).map(({ ref }) => ref));
  const others = ignoreRecreated(all.changes);
  // An app that stops answering in the middle of a read leaves values and elements out (GTK 3 that hangs on a click).
  const cutShort = snapshot.degraded !== undefined && before.snapshot.degraded === undefined;
  const real = others.filter(
    // A window that does not answer shows nothing; that is no sign that all in it is gone.
    (change) =>
      !silent.has(change.root) && !(cutShort && isOnlyMissing(change)) && (change.ref === focuses || isReal(change)),
  );
  const aside =
    target && !findSame({ windows, snapshot }, target.element.ref) && (await lookAside(desktop, target, deadline));
  const asideWas = aside && { element: findSame(before, aside.ref) ?? target.element, root: target.window.ref };
  if (aside && asideWas) real.push(...asideChanges(snapshot, asideWas.element, aside, asideWas.root));
  const titles = otherTitleChanges(before, windows);
  const diff = { ...all, changes: [...titles, ...real] };
  // Of a window that was minimised nothing could be read: that it shows now is what there is to tell.
  const shown = look.some(({ id, minimised }) => !minimised && before.windows.find((one) => one.id === id)?.minimised);
  const unread = snapshot.degraded?.reason ?? (shown ? undefined : before.snapshot.degraded?.reason);
  const elsewhere = shown || opened.length > 0 || closed.length > 0;
  const after = { windows, snapshot };
  // Where a menu closed the focus goes back by itself.
  const moved = clicks && !elsewhere ? movedBy(before, after, target, met) : undefined;
  const focus = keys ? focusChange(before, after, target) : moved;
  const apart = elsewhere || focus !== undefined;
  const some = apart || diff.changes.length > 0;
  const anew = !some && others.length < all.changes.length ? RECREATED : undefined;
  const reason = unread ?? anew;
  const changed = some ? 'yes' : reason ? 'unknown' : 'no';
  const typed = !apart && entered && target && explainedByTyping(real, target, entered.lines);
  // What was clicked for may come after the focus.
  const pending = typed || (moved !== undefined && !isExpectedFocus(moved, met) && diff.changes.length === 0);
  return {
    changed,
    ...(reason && { reason }),
    diff,
    after,
    opened,
    closed,
    ...(focus && { focus }),
    ...(pending && { pending }),
    ...(aside && { aside }),
    ...(asideWas && { asideWas }),
  };
}

/** What an incomplete read leaves out. */
const isOnlyMissing = ({ kind, before, element }: Change): boolean =>
  kind === 'gone' || (before?.value !== undefined && element.value === undefined);

/** What a click gave the focus to: one on the target, or else on what lies at a point. */
function movedBy(before: UiState, after: UiState, target?: Target, met?: Target): Element | undefined {
  return target ? focusBeyond(before, after, target) : focusFromPoint(before, after, met);
}

/** What scrolling took out of view is still there to be read; what its app has hidden is as good as gone. */
async function lookAside(desktop: CallView, target: Target, deadline: Deadline): Promise<Element | undefined> {
  const now = await readAgain(desktop, target, deadline);
  return now?.states.visible ? now : undefined;
}

/** What changed of an element that the look does not show. */
export function asideChanges(snapshot: Snapshot, old: Element, now: Element, root: string): Change[] {
  const one = (element: Element): Snapshot => ({ ...snapshot, scope: 'element', roots: [inView(element)] });
  const { changes } = diffSnapshots(one(old), one(now));
  return changes.filter(isReal).map((change) => ({ ...change, root }));
}

/** That it is out of view is nothing that happened to it. */
function inView(element: Element): Element {
  const { offscreen: _offscreen, ...states } = element.states;
  return { ...element, states, children: [] };
}

/** More than the focus or the desktop's attention. */
export function isReal({ kind, element, before }: Change): boolean {
  return kind !== 'changed' || !before || words(element) !== words(before);
}

function words({ name, value, states, role, error, table, items }: Element): string {
  const { focused: _focused, active: _active, ...rest } = states;
  return JSON.stringify([role, name, value, rest, error, table, items]);
}

/** The target after the act, in view or not; undefined when it is gone. */
export function targetAfter({ after, aside }: ObservedChanges, ref: string): Element | undefined {
  return findSame(after, ref) ?? (aside?.ref === ref ? aside : undefined);
}

/** The same element in a look; undefined when it is not there. */
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

/** A look that fails after the act must not hide that the act was done. */
export function uncertaintyReason(error: unknown): string {
  if (error instanceof DesktopError) return error.message;
  throw error;
}

/**
 * Without what its app threw away and made again just as it was, as LibreOffice does with the buttons of its side bar
 * at every cell: the same words and states at the same place, with the same in it. Nobody sees that.
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
  // Cheap first: of a page that was replaced there are many.
  const [old, now] = [gone.element, fresh.element];
  return old.role === now.role && old.name === now.name && isDeepStrictEqual(seen(old), seen(now));
}

/** All that a person could tell apart; where the focus is, others say. */
function seen({ role, name, value, states, bounds, error, table, items, range, children }: Element): unknown {
  const { focused: _focused, active: _active, ...rest } = states;
  return { role, name, value, rest, bounds, error, table, items, range, children: children.map(seen) };
}

function refsIn({ ref, children }: Element, into: Set<string>): void {
  into.add(ref);
  for (const child of children) refsIn(child, into);
}

/**
 * New titles of windows that nobody looked into, of the apps that were looked at: what is saved in a dialog gives the
 * window behind it its name. Of other apps it would be told as ours, and is not.
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
    // Which window is active is told by itself.
    const titled = ({ title }: WindowInfo): WindowInfo => ({ ...now, title });
    const [from, to] = [old, now].map((one) => ({ ...snapshot, windows: [titled(one)], roots: [rootOf(titled(one))] }));
    return diffSnapshots(from!, to!).changes;
  });
}

const rootOf = (window: WindowInfo): Element => ({ ...bareRoot(window), ref: window.ref, children: [] });

/**
 * Whether other windows are in front of it than before. Lists are front to back; what does not show in both of them
 * opened, closed or was put away, which is told by itself.
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
