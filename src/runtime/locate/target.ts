import { type Found, type ReadOptions, requireCapability } from '../../drivers/contract/index.js';
import { DesktopError, type Deadline } from '../../shared/index.js';
import { parseSelector } from '../../selector/index.js';
import { ITEM_ROLES, parseRef, type Element, type WindowInfo } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import { findWindow } from '../observe/window.js';
import { isInHiddenTab } from '../visibility/hidden-tabs.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';
import { bareRoot, familyOf, withWindowContext } from '../observe/snapshot.js';
import { resolveUnique } from './resolve-selector.js';
import { staleRef } from './stale-ref.js';

export interface Target {
  window: WindowInfo;
  /** Freshly read. For a window target: its root element. */
  element: Element;
  /** The path from the window's root to the parent, as far as known. */
  path: Element[];
  /** Confidence of a selector's match, and the reasons. A ref is certain. */
  confidence?: number;
  reasons?: string[];
  /** How it was found; a ref is an identity. */
  how?: 'id' | 'name' | 'focus' | 'point';
}

export type TargetRead = Pick<ReadOptions, 'depth' | 'full' | 'detail' | 'maxNodes' | 'fresh'>;

/** Read limit for an item. A larger read gains nothing: the searched content is near the item's text. */
const ITEM_NODES = 2_000;

/**
 * Resolves a string to one element: a ref, `focused`, or a selector with exactly one match. The element is read again
 * and must be the one that the caller saw: a ref never silently refers to another element.
 */
export async function findTarget(
  desktop: CallView,
  target: string,
  within: string | undefined,
  deadline: Deadline,
  read: TargetRead = { depth: 0 },
): Promise<Target> {
  const name = target.trim();
  const ref = parseRef(name);
  const isFocus = name.toLowerCase() === 'focused';
  if (ref === undefined && !isFocus) return selectorTarget(desktop, name, within, deadline, read);
  const { windows } = await desktop.listWindows(deadline);
  const scope = within === undefined ? undefined : familyOf(findWindow(desktop, windows, within), windows);
  const found = isFocus
    ? await focusTarget(desktop, windows, deadline, read)
    : await refTarget(desktop, ref!, windows, deadline, read);
  if (scope && !scope.some((window) => window.ref === found.window.ref)) throw elsewhere(found, scope[0]!);
  return found;
}

/** Searches only its window. The match is then read like a ref. */
async function selectorTarget(
  desktop: CallView,
  text: string,
  within: string | undefined,
  deadline: Deadline,
  read: TargetRead,
): Promise<Target> {
  const request = { selector: parseSelector(text), text, ...(within !== undefined && { window: within }) };
  const { element, path, confidence, reasons, search } = await resolveUnique(desktop, request, { deadline });
  const found = await refTarget(desktop, element.ref, search.windows, deadline, read);
  return { ...found, path, confidence, reasons, how: 'name' };
}

function refTarget(
  desktop: CallView,
  ref: string,
  windows: WindowInfo[],
  deadline: Deadline,
  read: TargetRead,
): Promise<Target> {
  if (!ref.startsWith('w')) return elementTarget(desktop, ref, windows, deadline, read);
  return windowTarget(desktop, findWindow(desktop, windows, ref), deadline, read);
}

async function windowTarget(
  desktop: CallView,
  window: WindowInfo,
  deadline: Deadline,
  read: TargetRead,
): Promise<Target> {
  try {
    // A window can be the target of points and window changes, also on a desktop without trees.
    const isBare = !desktop.driver.read && read.depth === 0;
    const { root } = isBare
      ? { root: bareRoot(window) }
      : await requireCapability(desktop.driver, 'read')({ window: window.id }, { ...read, deadline });
    const seen = { snapshot: desktop.snapshots.lastId, root: 'window', shown: false } as const;
    return { window, element: desktop.refs.adopt(root, window.id, seen), path: [] };
  } catch (error) {
    throw withWindowContext(error, window);
  }
}

async function elementTarget(
  desktop: CallView,
  ref: string,
  windows: WindowInfo[],
  deadline: Deadline,
  read: TargetRead,
): Promise<Target> {
  const known = desktop.refs.lookup(ref);
  if (known.state === 'never') {
    throw new DesktopError('element_not_found', `There is no ${ref}.`, { hint: 'look first: ui_snapshot gives refs.' });
  }
  const record = known.record;
  const window = windows.find((one) => one.id === record?.windowId);
  if (record && desktop.hiddenWindows.hides(record.windowId)) throw hiddenByPolicyError(ref);
  if (record && (await isInHiddenTab(desktop, record.id, deadline))) throw hiddenByPolicyError(ref, 'tab');
  if (!record || !window || known.state === 'stale') throw await staleRef(desktop, ref, record, window, deadline);
  try {
    const proof = record.item && desktop.refs.proofOf(ref);
    const element = await fresh(desktop, window, record.id, proof, deadline, read);
    if (element?.ref === ref) return { window, element, path: (desktop.snapshots.pathOf(ref) ?? []).slice(0, -1) };
  } catch (error) {
    if (!(error instanceof DesktopError && error.code === 'stale_ref')) throw withWindowContext(error, window);
    desktop.refs.gone(record.id, desktop.snapshots.lastId);
  }
  throw await staleRef(desktop, ref, record, window, deadline);
}

/**
 * The current element. For an item or an element inside one, `proof` is the item. It is read completely first: its text
 * shows whether the widget still displays what the caller saw.
 */
async function fresh(
  desktop: CallView,
  window: WindowInfo,
  id: string,
  proof: string | undefined,
  deadline: Deadline,
  read: TargetRead,
): Promise<Element | undefined> {
  const seen = { snapshot: desktop.snapshots.lastId, root: 'element', shown: false } as const;
  if (proof !== undefined) {
    const inItem = async (full: boolean): Promise<Element | undefined> => {
      const { root } = await requireCapability(desktop.driver, 'read')(
        { element: proof },
        {
          ...{ deadline, full, maxNodes: ITEM_NODES },
          ...(read.fresh && { fresh: true }),
        },
      );
      return within(desktop.refs.adopt(root, window.id, seen), id);
    };
    const checked = (await inItem(false)) ?? (await inItem(true));
    if (!checked) return undefined;
  }
  const { root } = await requireCapability(desktop.driver, 'read')({ element: id }, { ...read, deadline });
  return desktop.refs.adopt(root, window.id, seen);
}

/** Reads an element again, wherever it is now. Undefined if it is gone or cannot be read. */
export async function readAgain(
  desktop: CallView,
  { element, window }: Target,
  deadline: Deadline,
): Promise<Element | undefined> {
  try {
    const proof = desktop.refs.get(element.ref)?.item && desktop.refs.proofOf(element.ref);
    const now = await fresh(desktop, window, element.id, proof, deadline, { depth: 0, fresh: true });
    return now?.ref === element.ref ? now : undefined;
  } catch (error) {
    // The read of the window, which accompanies this one, reports whether the app still answers.
    if (error instanceof DesktopError) return undefined;
    throw error;
  }
}

function within(element: Element, id: string): Element | undefined {
  if (element.id === id) return element;
  for (const child of element.children) {
    const found = within(child, id);
    if (found) return found;
  }
  return undefined;
}

async function focusTarget(
  desktop: CallView,
  windows: WindowInfo[],
  deadline: Deadline,
  read: TargetRead,
): Promise<Target> {
  const found = await requireCapability(desktop.driver, 'focused')({ deadline });
  if (found && desktop.hiddenWindows.hides(found.window)) throw hiddenByPolicyError('What has the focus');
  const target = found && (await foundTarget(desktop, found, windows, deadline, read));
  if (target) return { ...target, how: 'focus' };
  const active = windows.find((window) => window.active);
  if (!active)
    throw new DesktopError('element_not_found', 'Nothing has the focus now.', { hint: 'look first: ui_snapshot.' });
  // Windows without a tree, such as the file dialogs of a browser, can still have keyboard focus.
  throw new DesktopError('element_not_found', `Nothing in ${active.ref} says that it has the focus.`, {
    hint: 'look first: ui_snapshot. ui_key presses keys there all the same; a text: ui_clipboard, then ui_key ctrl+v.',
  });
}

/** Assigns refs to an element that the driver found (focus, point). */
export async function foundTarget(
  desktop: CallView,
  found: Found,
  windows: WindowInfo[],
  deadline: Deadline,
  read: TargetRead,
): Promise<Target | undefined> {
  const window = windows.find((one) => one.id === found.window);
  const last = found.path.at(-1);
  if (!window || !last) return undefined;
  if (found.path.length === 1) return windowTarget(desktop, window, deadline, read);
  // A spreadsheet cell is identified by its address. Its row is not a widget that could display another item.
  const sheet = found.path.some(({ table }) => table?.sheet);
  const item = sheet ? undefined : found.path.find((node) => ITEM_ROLES.has(node.role));
  try {
    const element = await fresh(desktop, window, last.id, item?.id, deadline, read);
    if (!element) return undefined;
    const path = desktop.snapshots.pathOf(element.ref)?.slice(0, -1);
    return { window, element, path: path ?? pathWords(found, window) };
  } catch (error) {
    throw withWindowContext(error, window);
  }
}

/** Parents that no snapshot has contained have no refs yet. Their text is enough to describe the place. */
function pathWords(found: Found, window: WindowInfo): Element[] {
  return found.path.slice(0, -1).map((node, i) => ({ ...node, ref: i === 0 ? window.ref : '', children: [] }));
}

function elsewhere({ element, window }: Target, wanted: WindowInfo): DesktopError {
  return new DesktopError('element_not_found', `${element.ref} is in ${window.ref}, not in ${wanted.ref}.`, {
    hint: `leave the window out, or say ${window.ref}.`,
  });
}
