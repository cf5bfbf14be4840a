import { DesktopError } from '../shared/index.js';
import type { Element } from './element.js';
import { marked } from './marked.js';
import { Folding } from './render/fold.js';
import { headerText } from './render/header.js';
import type { HeaderFacts } from './render/header.js';
import { lastResort } from './render/last-resort.js';
import type { Block } from './render/layout.js';
import { layout } from './render/layout.js';
import { Printer } from './render/print.js';
import type { Printed } from './render/print.js';
import { snapshotViews } from './render/snapshot-views.js';
import type { View } from './render/view.js';
import { QUOTE_LIMIT } from './quote.js';
import type { Snapshot } from './snapshot.js';
import { estimateTokens } from './tokens.js';

export interface RenderOptions {
  /** Default 2,000, at least 100. */
  maxTokens?: number;
  /** Controls only. */
  interactive?: boolean;
  /** The default; here because other tools have it. */
  compact?: boolean;
  /** Levels below the first line; what is deeper is folded. */
  depth?: number;
  bounds?: boolean;
  /** Also what is not on the screen, and structure without a name. */
  full?: boolean;
  /** Eight hex digits, for tests. */
  nonce?: string;
  /** Said in the first line: why this is not a difference. */
  inFull?: string;
}

export interface Rendered {
  text: string;
  /** An estimate that is never too low. */
  tokens: number;
  /** Elements that are there and not printed. */
  folded: number;
}

export const DEFAULT_MAX_TOKENS = 2000;
export const LEAST_MAX_TOKENS = 100;

/** Characters of the reason in a first line that must be short. */
const SHORT_REASONS = [24, 6, 0];

let marks: number | undefined;

/** Marks of the block with digits that cost as much as digits can. At first use: a program that prints no look starts sooner. */
function marksCost(): number {
  return (marks ??= estimateTokens(marked('', '1a1a1a1a')) + 4);
}

export function checkMaxTokens(maxTokens: number): void {
  if (Number.isInteger(maxTokens) && maxTokens >= LEAST_MAX_TOKENS) return;
  throw new DesktopError('bad_arguments', `maxTokens must be a whole number of at least ${LEAST_MAX_TOKENS}.`, {
    hint: `Leave it out for ${DEFAULT_MAX_TOKENS}.`,
  });
}

function beyondScreen(views: readonly View[]): boolean {
  return views.some((view) => view.table?.shown !== undefined || beyondScreen(view.children));
}

/** The text that a model reads: first line ours, then the app's words between marks, within the budget. */
export function renderSnapshot(snapshot: Snapshot, options: RenderOptions = {}): Rendered {
  const { maxTokens = DEFAULT_MAX_TOKENS } = options;
  checkMaxTokens(maxTokens);
  const views = snapshotViews(snapshot, options);
  const blocks = layout(views, options);
  const elements = blocks.reduce((sum, block) => sum + block.count, 0);
  const facts: HeaderFacts = { elements, folded: 0, beyondScreen: beyondScreen(views) };
  if (options.inFull) facts.inFull = options.inFull;
  const { printed, toFit, reasonLimit } = fit(snapshot, blocks, facts, maxTokens, options);
  facts.folded = printed.folded;
  if (toFit) facts.toFit = maxTokens;
  const header = headerText(snapshot, facts, reasonLimit);
  const text = printed.lines.length > 0 ? `${header}\n${marked(printed.lines.join('\n'), options.nonce)}` : header;
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
  let budget = maxTokens - marksCost() - headerOf();
  if (whole.tokens <= budget) return { printed: printer.print(blocks), toFit: false };
  // Rounded up, with room for the first line and for digits that cost more next time.
  printer.state.wholeTokens = Math.ceil((whole.tokens + maxTokens - budget) / 500) * 500;
  if (new Folding(blocks, printer, budget).run()) return { printed: printer.print(blocks), toFit: true };
  let last: Fit | undefined;
  for (const reasonLimit of SHORT_REASONS) {
    budget = maxTokens - marksCost() - headerOf(reasonLimit);
    last = { printed: lastResort(blocks, printer, budget), toFit: true, reasonLimit };
    if (blocks.some(({ hidden }) => !hidden) && last.printed.tokens <= budget) break;
  }
  return last!;
}
