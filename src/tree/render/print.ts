import type { Element, Span } from '../element.js';
import { QUOTE_LIMIT } from '../quote.js';
import { estimateTokens } from './tokens.js';
import { type Block, MAX_RUN_NAME } from './layout.js';
import { lineText, runText, sheetRowText } from './line.js';
import type { Scope, View } from './view.js';

/** Number of rows and items that a suggested `ui_read` fetches. */
const PAGE_SIZE = 50;

interface PrintState {
  /** Characters of names and values, except for elements that must stay. */
  limit: number;
  /** The limit also applies to elements that must stay: the last resort. */
  hard?: boolean;
  bounds: boolean;
  /** The target that a call must name to get everything again. */
  whole: string;
  /** The budget that such a call needs; printed when a part of the whole itself is hidden. */
  wholeTokens: number;
  /** Refs of the snapshot's roots: opening a part of these takes a bigger budget, not another target. */
  roots: ReadonlySet<string>;
  /** One line for everything hidden, instead of one line per gap. */
  terse?: boolean;
}

export interface Printed {
  lines: string[];
  tokens: number;
  folded: number;
}

/** Prints blocks in their current state and counts the tokens. */
export class Printer {
  readonly state: PrintState;
  private readonly costs = new Map<Block, { text: string; tokens: number }>();
  /** Absent while only tokens are counted. */
  private lines?: string[];
  private tokens = 0;
  private folded = 0;

  constructor(state: PrintState) {
    this.state = state;
  }

  /** From now on, cuts names to the new limit. */
  cutNames(limit: number, hard = false): void {
    const forgetStaying = hard && this.state.hard !== true;
    this.state.limit = limit;
    this.state.hard = hard;
    for (const [block, { text }] of this.costs) {
      // Short lines and the names in a run are already within the limit.
      const same = text.length <= limit || (block.views.length > 1 && limit >= MAX_RUN_NAME);
      if (!same || (forgetStaying && block.mustStay)) this.costs.delete(block);
    }
  }

  print(blocks: readonly Block[]): Printed {
    const lines: string[] = [];
    this.lines = lines;
    this.measure(blocks);
    delete this.lines;
    return { lines, tokens: this.tokens, folded: this.folded };
  }

  /** The same without the lines. */
  measure(blocks: readonly Block[]): { tokens: number; folded: number } {
    this.tokens = 0;
    this.folded = 0;
    this.siblings(blocks, undefined);
    return { tokens: this.tokens, folded: this.folded };
  }

  /** A last line for everything hidden. */
  restText(folded: number): string {
    const indent = this.state.roots.size > 1 ? '' : '  ';
    return `${indent}… +${folded} more: ui_snapshot ${this.state.whole} maxTokens ${this.state.wholeTokens}`;
  }

  /** Tokens of one block with everything printed under it. */
  costOf(block: Block): number {
    this.tokens = 0;
    this.block(block);
    return this.tokens;
  }

  private line(indent: number, text: string, known?: number): void {
    this.tokens += known ?? estimateTokens(`${'  '.repeat(indent)}${text}\n`);
    this.lines?.push('  '.repeat(indent) + text);
  }

  private block(block: Block): void {
    const before = this.costs.get(block);
    if (before && !block.closed) this.line(block.indent, before.text, before.tokens);
    else {
      const text = this.textOf(block);
      const tokens = estimateTokens('  '.repeat(block.indent) + text + '\n');
      if (!block.closed) this.costs.set(block, { text, tokens });
      this.line(block.indent, text, tokens);
    }
    if (block.closed) this.folded += block.count - 1;
    else this.siblings(block.children, block);
  }

  private textOf(block: Block): string {
    const { bounds, hard } = this.state;
    const limit = block.mustStay && hard !== true ? QUOTE_LIMIT : this.state.limit;
    const view = block.views[0]!;
    if (block.sheetRow) return sheetRowText(block.sheetRow, limit || 1);
    if (view.placeholder) return `… +${view.unread} more: ui_snapshot ${view.element.ref}`;
    if (!block.closed) return runText(block.views, { limit, bounds });
    return lineText(view, { limit, bounds, notes: [`${block.count - 1} inside, ${this.call(view.element.ref)}`] });
  }

  private call(ref: string): string {
    const { roots, wholeTokens } = this.state;
    // It was folded by `depth` and not by the budget; the next call leaves `depth` out.
    const isWhole = roots.size === 1 && roots.has(ref) && wholeTokens > 0;
    return isWhole ? `ui_snapshot ${ref} maxTokens ${wholeTokens}` : `ui_snapshot ${ref}`;
  }

  private siblings(blocks: readonly Block[], parent: Block | undefined): void {
    const indent = parent ? parent.indent + 1 : 0;
    const view = parent?.views[0];
    const unnumbered = blocks.some(({ numbers }) => numbers) ? undefined : view?.numbered?.read;
    if (view && unnumbered && blocks.length > 0 && unnumbered[0] > 1)
      this.missing(view, [1, unnumbered[0] - 1], indent, undefined);
    let next = blocks.length > 0 && unnumbered ? unnumbered[1] + 1 : 1;
    let gap: Block[] = [];
    const close = (): void => {
      if (gap.length > 0) this.gap(gap, indent, view);
      gap = [];
    };
    for (const block of blocks) {
      if (block.hidden) {
        this.folded += block.count;
        if (!view?.numbered || !block.numbers) gap.push(block);
        continue;
      }
      close();
      if (view?.numbered && block.numbers) {
        if (block.numbers[0] > next) this.missing(view, [next, block.numbers[0] - 1], indent, undefined);
        next = Math.max(next, block.numbers[1] + 1);
      }
      this.block(block);
    }
    close();
    const last = blocks.at(-1);
    if (view?.numbered && next <= view.numbered.total) this.missing(view, [next, view.numbered.total], indent, last);
    if (view && view.unread > 0 && !view.placeholder) {
      this.folded += view.unread;
      this.line(indent, `… +${view.unread} more: ${this.call(view.element.ref)}`);
    }
  }

  /** `… rows 25-200: ui_read e40 25-74`, appended to the last run of a list if there is one. */
  private missing(view: View, [from, to]: Span, indent: number, last: Block | undefined): void {
    if (this.state.terse) return;
    const { word, total } = view.numbered!;
    const numbers = from === to ? `${word.slice(0, -1)} ${from}` : `${word} ${from}-${to}`;
    const page = Math.min(to, from + PAGE_SIZE - 1, total);
    const marker = `… ${numbers}: ui_read ${view.element.ref} ${from === page ? from : `${from}-${page}`}`;
    const onRun = last && !last.hidden && last.numbers && last.children.length === 0 && last.views.length > 1;
    if (!onRun) return this.line(indent, marker);
    const { text = '', tokens = 0 } = this.costs.get(last) ?? {};
    this.tokens -= tokens;
    this.lines?.pop();
    this.line(indent, `${text} ${marker}`);
  }

  private gap(blocks: readonly Block[], indent: number, parent: View | undefined): void {
    if (this.state.terse) return;
    this.line(indent, this.gapText(blocks, parent));
  }

  gapText(blocks: readonly Block[], parent: View | undefined): string {
    const first = blocks[0]!;
    const count = blocks.reduce((sum, block) => sum + block.count, 0);
    if (first.sheetRow && parent?.sheet) {
      const rows = `${first.sheetRow.row}-${blocks.at(-1)!.sheetRow!.row}`;
      return `… rows ${rows}: ui_read ${parent.element.ref} ${rows}`;
    }
    const views = blocks.flatMap((block) => block.views);
    const { role } = views[0]!;
    const alike = views.every((view) => view.role === role && view.children.length === 0);
    const target = commonAncestor(views) ?? parent?.element;
    return `… +${count} ${alike && !views[0]!.window ? role : 'more'}: ${target ? this.call(target.ref) : 'ui_list_windows'}`;
  }
}

function ancestorsOf(view: View): Element[] {
  const chain: Element[] = [];
  for (let scope: Scope | undefined = view.scope; scope; scope = scope.up) chain.unshift(scope.element);
  return chain;
}

/** The smallest element that contains all of them. */
function commonAncestor(views: readonly View[]): Element | undefined {
  let common = ancestorsOf(views[0]!);
  for (const view of views.slice(1)) {
    const chain = ancestorsOf(view);
    let same = 0;
    while (same < common.length && common[same] === chain[same]) same += 1;
    common = common.slice(0, same);
  }
  return common.at(-1);
}
