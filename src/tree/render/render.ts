import { DesktopError } from '../../shared/index.js';
import type { Element } from '../element.js';
import { cut, QUOTE_LIMIT, withUntrustedMarkers } from '../quote.js';
import { WINDOW_ROLES } from '../roles/roles.js';
import type { Snapshot, WindowInfo } from '../snapshot.js';
import { Folding } from './fold.js';
import { type Block, layout } from './layout.js';
import { minimalRender } from './minimal-render.js';
import { type Printed, Printer } from './print.js';
import { labelsIn, viewOf } from './prune.js';
import { estimateTokens } from './tokens.js';
import type { View, ViewOptions } from './view.js';

export interface RenderOptions {
  /** Default 2,000, at least 100. */
  maxTokens?: number;
  /** Only controls. */
  interactive?: boolean;
  /** No structure without a name. This is the default; with `full` it has to be requested. */
  compact?: boolean;
  /** Levels below the first line; deeper elements are folded. */
  depth?: number;
  bounds?: boolean;
  /** Also elements that are not on screen, and structure without a name. */
  full?: boolean;
  /** Eight hex digits, for tests. */
  nonce?: string;
  /** Printed in the header: why this is not a diff. */
  inFull?: string;
}

export interface Rendered {
  text: string;
  /** An estimate that is never too low. */
  tokens: number;
  /** Number of elements that exist but are not printed. */
  folded: number;
}

const DEFAULT_MAX_TOKENS = 2000;
const MIN_MAX_TOKENS = 100;

/** Limits for the reason in a header that must be short, in characters. */
const SHORT_REASONS = [24, 6, 0];

let markerTokens: number | undefined;

/**
 * Tokens of the markers, with the most expensive digits. Computed at first use, so that programs that print no snapshot
 * start faster.
 */
function markersCost(): number {
  return (markerTokens ??= estimateTokens(withUntrustedMarkers('', '1a1a1a1a')) + 4);
}

export function checkMaxTokens(maxTokens: number): void {
  if (Number.isInteger(maxTokens) && maxTokens >= MIN_MAX_TOKENS) return;
  throw new DesktopError('bad_arguments', `maxTokens must be a whole number of at least ${MIN_MAX_TOKENS}.`, {
    hint: `Leave it out for ${DEFAULT_MAX_TOKENS}.`,
  });
}

function continuesOffScreen(views: readonly View[]): boolean {
  return views.some((view) => view.table?.shown !== undefined || continuesOffScreen(view.children));
}

/** The text that a model reads: our header line, then the app's text between untrusted markers, within the budget. */
export function renderSnapshot(snapshot: Snapshot, options: RenderOptions = {}): Rendered {
  const { maxTokens = DEFAULT_MAX_TOKENS } = options;
  checkMaxTokens(maxTokens);
  const views = snapshotViews(snapshot, options);
  const blocks = layout(views, options);
  const elements = blocks.reduce((sum, block) => sum + block.count, 0);
  const facts: HeaderFacts = { elements, folded: 0, beyondScreen: continuesOffScreen(views) };
  if (options.inFull) facts.inFull = options.inFull;
  const { printed, toFit, reasonLimit } = fit(snapshot, blocks, facts, maxTokens, options);
  facts.folded = printed.folded;
  if (toFit) facts.toFit = maxTokens;
  const header = headerText(snapshot, facts, reasonLimit);
  const text =
    printed.lines.length > 0 ? `${header}\n${withUntrustedMarkers(printed.lines.join('\n'), options.nonce)}` : header;
  return { text, tokens: estimateTokens(text), folded: printed.folded };
}

interface Fit {
  printed: Printed;
  toFit: boolean;
  reasonLimit?: number;
}

function fit(snapshot: Snapshot, blocks: Block[], facts: HeaderFacts, maxTokens: number, options: RenderOptions): Fit {
  const printer = new Printer({
    limit: QUOTE_LIMIT,
    bounds: options.bounds === true,
    whole: snapshot.scope === 'desktop' ? '*' : (snapshot.roots[0]?.ref ?? '*'),
    wholeTokens: 0,
    roots: new Set(snapshot.roots.map((root: Element) => root.ref)),
  });
  const whole = printer.measure(blocks);
  const headerOf = (reasonLimit?: number): number =>
    estimateTokens(headerText(snapshot, { ...facts, folded: facts.elements, toFit: maxTokens }, reasonLimit) + '\n');
  let budget = maxTokens - markersCost() - headerOf();
  if (whole.tokens <= budget) return { printed: printer.print(blocks), toFit: false };
  // Rounded up, with room for the header and for digits that cost more next time.
  printer.state.wholeTokens = Math.ceil((whole.tokens + maxTokens - budget) / 500) * 500;
  if (new Folding(blocks, printer, budget).run()) return { printed: printer.print(blocks), toFit: true };
  let last: Fit | undefined;
  for (const reasonLimit of SHORT_REASONS) {
    budget = maxTokens - markersCost() - headerOf(reasonLimit);
    last = { printed: minimalRender(blocks, printer, budget), toFit: true, reasonLimit };
    if (blocks.some(({ hidden }) => !hidden) && last.printed.tokens <= budget) break;
  }
  return last!;
}

interface HeaderFacts {
  elements: number;
  folded: number;
  /** The budget, if it was the reason to fold. */
  toFit?: number;
  /** A table continues below the screen. */
  beyondScreen?: boolean;
  /** Why this is the whole text and not a diff. */
  inFull?: string;
}

const MAX_NAMED_WINDOWS = 4;
const MAX_REASON = 120;

/** `w2`, `e14 in w1`, `w3 and w5`, `6 windows`. */
export function subjectOf(snapshot: Snapshot): string {
  const refs = snapshot.windows.map(({ ref }) => ref);
  const root = snapshot.roots[0];
  if (snapshot.scope === 'element' && root) return refs[0] ? `${root.ref} in ${refs[0]}` : root.ref;
  if (refs.length === 0) return snapshot.scope === 'desktop' ? 'the desktop' : (root?.ref ?? 'nothing');
  if (refs.length > MAX_NAMED_WINDOWS) return `${refs.length} windows`;
  return refs.length === 1 ? refs[0]! : `${refs.slice(0, -1).join(', ')} and ${refs.at(-1)}`;
}

function pluralise(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/**
 * Why something on the screen may be missing from the snapshot. Undefined: what is not in it is not there. Items of a
 * long list that are off screen are counted by the list and are no gap.
 */
export function incompleteReason({ degraded, roots }: Pick<Snapshot, 'degraded' | 'roots'>): string | undefined {
  if (degraded) return degraded.reason;
  const unread = roots.reduce((sum, root) => sum + unreadIn(root), 0);
  return unread === 0 ? undefined : `${unread} ${unread === 1 ? 'element was' : 'elements were'} not read`;
}

function unreadIn({ unread = 0, items, table, children }: Element): number {
  const own = items || table ? 0 : unread;
  return children.reduce((sum, child) => sum + unreadIn(child), own);
}

/** The header contains only our own words, never text from an app. */
function headerText(snapshot: Snapshot, facts: HeaderFacts, reasonLimit = MAX_REASON): string {
  const { folded, toFit } = facts;
  const incomplete = incompleteReason(snapshot);
  const parts = [`snapshot ${snapshot.id} of ${subjectOf(snapshot)}`, pluralise(facts.elements, 'element')];
  if (folded > 0) parts.push(`${folded} folded${toFit === undefined ? '' : ` to fit ${toFit} tokens`}`);
  else if (incomplete === undefined) parts.push(facts.beyondScreen ? 'nothing on screen folded' : 'nothing folded');
  if (snapshot.hiddenByPolicy) parts.push(`${pluralise(snapshot.hiddenByPolicy, 'window')} hidden by policy`);
  if (facts.inFull) parts.push(`in full: ${facts.inFull}`);
  if (incomplete !== undefined) {
    const { text, hidden } = cut(incomplete.replace(/\s+/g, ' ').trim(), reasonLimit);
    parts.push(text ? `complete: no, ${text}${hidden > 0 ? '…' : ''}` : 'complete: no');
  }
  return parts.join(', ');
}

function withTitleOfOwner(window: WindowInfo, windows: readonly WindowInfo[]): WindowInfo {
  if (!window.of || window.ofTitle !== undefined) return window;
  const owner = windows.find(({ ref }) => ref === window.of);
  return owner ? { ...window, ofTitle: owner.title } : window;
}

/** The app's own role wins if the window manager only reports "window". */
function windowRole(window: WindowInfo, root: Element): string {
  if (window.role === 'window' || root.role === 'alertdialog') {
    return WINDOW_ROLES.has(root.role) ? root.role : window.role;
  }
  return window.role;
}

function windowView(view: View, root: Element, window: WindowInfo): View {
  const { active, modal } = { active: window.active, modal: window.modal ?? root.states.modal };
  const { offscreen: _, ...states } = root.states;
  const element: Element = { ...root, states: { ...states, visible: true, active, modal } };
  return { ...view, element, window, ref: window.ref, role: windowRole(window, root), name: window.title.trim() };
}

/** One view per root: a window's line comes from the window list, the rest from its tree. */
export function snapshotViews(snapshot: Snapshot, options: ViewOptions): View[] {
  const labels = labelsIn(snapshot.roots);
  return snapshot.roots.map((root, at) => {
    const unseen = snapshot.scope === 'element' && root.states.offscreen === true;
    const view = viewOf(root, { element: root }, { ...options, labels, unseen });
    if (snapshot.scope === 'element') return { ...view, ref: root.ref };
    const window = snapshot.windows.find(({ ref }) => ref === root.ref) ?? snapshot.windows[at];
    return window ? windowView(view, root, withTitleOfOwner(window, snapshot.windows)) : { ...view, ref: root.ref };
  });
}
