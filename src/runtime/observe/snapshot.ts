import { missingCapability, requireCapability, type ReadAnswer } from '../../drivers/contract/index.js';
import { DesktopError, hasTrait, type Deadline } from '../../shared/index.js';
import type { Element, Node, Snapshot, WindowInfo } from '../../tree/index.js';
import { plainApp } from './candidate.js';
import type { CallView } from '../visibility/call-view.js';
import { findWindow } from './window.js';

export interface SnapshotOptions {
  /** Ref or title of a window; `*`: all windows. Absent: the active window. */
  window?: string;
  /** Includes elements that are not on the screen. */
  full?: boolean;
  maxNodes?: number;
  /** The apps themselves must answer, after the input that was sent to them. */
  answered?: boolean;
}

export interface SnapshotCall {
  deadline: Deadline;
  onProgress?: (elementsRead: number) => void;
}

/** No single window may use up the time that is needed to compose the answer. */
const SHARE = 0.9;

/** Windows with their trees at one moment. The requested window must answer; its dialogs and menus may fail. */
export async function takeSnapshot(desktop: CallView, options: SnapshotOptions, call: SnapshotCall): Promise<Snapshot> {
  const { windows: all, degraded } = await desktop.listWindows(call.deadline);
  const every = options.window?.trim() === '*';
  const request = every ? undefined : askedWindow(desktop, all, options.window);
  const wanted = request ? familyOf(request, all) : all.filter((window) => window.visible && !window.minimised);
  const reads = readAll(desktop, wanted, request, options, call);
  const reasons = degraded ? [degraded.reason] : [];
  return snapshotOf(desktop, every ? 'desktop' : 'window', await reads, options, reasons);
}

function askedWindow(desktop: CallView, all: WindowInfo[], which: string | undefined): WindowInfo {
  if (which !== undefined) return findWindow(desktop, all, which);
  const shown = all.filter((window) => window.visible && !window.minimised);
  const active = shown.find((window) => window.active) ?? shown.find((window) => window.role !== 'popup') ?? shown[0];
  if (active) return active;
  throw new DesktopError('element_not_found', 'No window is open here.', {
    hint: all.length > 0 ? 'ui_list_windows {hidden: true} shows the hidden ones.' : 'start an app first.',
  });
}

/** A window with the dialogs, menus and pop-ups that belong to it. */
export function familyOf(window: WindowInfo, windows: WindowInfo[]): WindowInfo[] {
  const family = [window];
  for (const member of family) {
    family.push(...windows.filter((other) => other.of === member.ref && !family.includes(other) && other.visible));
  }
  return family;
}

interface Read {
  window: WindowInfo;
  /** Absent if the window does not answer. */
  answer?: ReadAnswer;
}

async function readAll(
  desktop: CallView,
  windows: WindowInfo[],
  request: WindowInfo | undefined,
  options: SnapshotOptions,
  { deadline, onProgress }: SnapshotCall,
): Promise<Read[]> {
  const slice = windows.length > 1 ? deadline.atMost(deadline.remaining() * SHARE) : deadline;
  const counts = new Map<string, number>();
  // A desktop without trees still has windows. Only a caller that asks for the tree of one gets an error.
  if (!desktop.driver.read && !request) {
    const { message } = missingCapability(desktop.driver, 'read');
    const reason = message.replace(/\.$/, '');
    return windows.map((window) => ({
      window,
      answer: { root: bareRoot(window), count: 1, calls: 0, degraded: { reason } },
    }));
  }
  const reads = windows.map(async (window): Promise<Read | undefined> => {
    const progress = (count: number): void => {
      counts.set(window.id, count);
      onProgress?.([...counts.values()].reduce((sum, one) => sum + one, 0));
    };
    const { full, maxNodes, answered } = options;
    try {
      const read = requireCapability(desktop.driver, 'read')(
        { window: window.id },
        { deadline: slice, full, maxNodes, ...(answered && { answered }), onProgress: progress },
      );
      return { window, answer: await read };
    } catch (error) {
      if (window === request) throw withWindowContext(error, window);
      if (hasTrait(error, 'appSilent')) return { window: { ...window, hung: true } };
      if (hasTrait(error, 'gone')) return undefined;
      throw error;
    }
  });
  return (await Promise.all(reads)).filter((read) => read !== undefined);
}

function snapshotOf(
  desktop: CallView,
  scope: 'desktop' | 'window',
  reads: Read[],
  options: SnapshotOptions,
  reasons: string[],
  shown = true,
): Snapshot {
  const id = desktop.snapshots.nextId();
  const roots: Element[] = [];
  let count = 0;
  for (const { window, answer } of reads) {
    const root = answer?.root ?? bareRoot(window);
    const whole = answer !== undefined && !answer.degraded && !options.full && !isTruncated(answer.root);
    roots.push(desktop.refs.adopt(root, window.id, { snapshot: id, root: 'window', whole, shown }));
    count += answer?.count ?? 1;
    if (!answer) reasons.push(`${window.ref} does not answer`);
    else if (answer.degraded) reasons.push(`${window.ref}: ${answer.degraded.reason}`);
  }
  const first = reads[0]?.window;
  return desktop.snapshots.keep({
    ...stamp(desktop, id),
    scope,
    ...(first && { app: appOf(first) }),
    windows: reads.map((read) => read.window),
    roots,
    count,
    ...(scope === 'desktop' && desktop.hiddenWindows.count > 0 && { hiddenByPolicy: desktop.hiddenWindows.count }),
    ...(reasons.length > 0 && { degraded: { reason: reasons.join('; ') } }),
  });
}

/** A snapshot of these windows, as far as they answer. The caller receives only the changes in it. */
export async function snapshotWindows(
  desktop: CallView,
  windows: WindowInfo[],
  call: SnapshotCall,
  options: Pick<SnapshotOptions, 'answered'> = {},
): Promise<Snapshot> {
  const reads = await readAll(desktop, windows, undefined, options, call);
  return snapshotOf(desktop, 'desktop', reads, {}, [], false);
}

/** A snapshot of one element that has already been read. */
export function elementSnapshot(desktop: CallView, window: WindowInfo, answer: ReadAnswer): Snapshot {
  const id = desktop.snapshots.nextId();
  const root = desktop.refs.adopt(answer.root, window.id, { snapshot: id, root: 'element' });
  const { count, degraded } = answer;
  const rest = { app: appOf(window), windows: [window], roots: [root], count, ...(degraded && { degraded }) };
  return desktop.snapshots.keep({ ...stamp(desktop, id), scope: 'element', ...rest });
}

function stamp(desktop: CallView, id: string): Pick<Snapshot, 'schema' | 'untrusted' | 'id' | 'takenAt' | 'driver'> {
  const { kind, name, version } = desktop.driver.describe();
  return { schema: 1, untrusted: true, id, takenAt: new Date().toISOString(), driver: { kind, name, version } };
}

function appOf({ ref, title, app, pid, bounds }: WindowInfo): NonNullable<Snapshot['app']> {
  return { name: app, title, window: ref, ...(pid !== undefined && { pid }), ...(bounds && { bounds }) };
}

/** What is known about a window whose tree cannot be read. */
export function bareRoot(window: WindowInfo): Node {
  const { id, role, title, bounds } = window;
  const states = { enabled: true, visible: true };
  return { id: `silent ${id}`, role, name: title, states, patterns: [], platformIds: {}, bounds, children: [] };
}

export function isTruncated(node: Node): boolean {
  return (node.unread ?? 0) > 0 || node.children.some(isTruncated);
}

/** The driver reports an app; the caller knows windows. */
export function withWindowContext(error: unknown, window: WindowInfo): unknown {
  if (!(error instanceof DesktopError) || !['app_hung', 'process_gone'].includes(error.code)) return error;
  const who = `${plainApp(window.app)} (${window.ref})`;
  const message = error.message.replace(/^The app\b/, who);
  const { hint, retry, retryAfter, delivered, details } = error;
  const named = message === error.message ? `${who}: ${message}` : message;
  return new DesktopError(error.code, named, { hint, retry, retryAfter, delivered, details, cause: error });
}
