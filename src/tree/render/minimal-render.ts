import { estimateTokens } from './tokens.js';
import { everyBlock } from './fold.js';
import type { Block } from './layout.js';
import type { Printed, Printer } from './print.js';

/** Names get shorter until the most important lines fit; 0 prints no names at all. */
const LIMITS = [40, 24, 12, 6, 2, 0];
/** Tokens of the shortest useful line: `e1 button`. */
const LEAST_LINE = 3;

/**
 * Smaller is more important: the window, focus, dialogs, other windows, other elements that must stay, top containers,
 * the rest.
 */
function importance(block: Block, first: Block | undefined): number {
  if (block.sheetRow) return block.stay ? 4 : 6;
  let rank = block.indent === 0 ? 3 : block.stay && block.children.length === 0 ? 4 : 6;
  if (block.indent === 1 && block.children.length > 0) rank = 5;
  for (const { element, role } of block.views) {
    const { active, focused, modal } = element.states;
    if (block === first || (block.indent === 0 && active)) return 0;
    if (focused) rank = Math.min(rank, 1);
    else if (modal || role.endsWith('dialog')) rank = Math.min(rank, 2);
  }
  return rank;
}

interface Ranked {
  block: Block;
  rank: number;
}

/** Most important first. A container is at least as important as its content. */
function ranked(roots: readonly Block[]): Ranked[] {
  const list: Ranked[] = [];
  const add = (block: Block): number => {
    const entry = { block, rank: importance(block, roots[0]) };
    list.push(entry);
    if (!block.closed) for (const child of block.children) entry.rank = Math.min(entry.rank, add(child));
    return entry.rank;
  };
  roots.forEach(add);
  return list.sort((a, b) => a.rank - b.rank);
}

/**
 * Used when folding cannot save any more: window, focus, dialog and one line per top container, then whatever still
 * fits, and one line with the number of missing elements. Always fits a budget of 100 tokens or more.
 */
export function minimalRender(roots: readonly Block[], printer: Printer, budget: number): Printed {
  for (const block of everyBlock(roots))
    if (block.indent > 0 && !block.stay && block.children.length > 0) block.closed = true;
  const order = ranked(roots);
  printer.state.terse = true;
  const tokensWith = (count: number): number => {
    order.forEach(({ block }, at) => (block.hidden = at >= count));
    const { tokens, folded } = printer.measure(roots);
    return folded === 0 ? tokens : tokens + estimateTokens(printer.restText(folded) + '\n');
  };
  for (const limit of LIMITS) {
    printer.cutNames(limit, true);
    let good = 0;
    let bad = Math.min(order.length, Math.ceil(budget / LEAST_LINE)) + 1;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      if (tokensWith(middle) <= budget) good = middle;
      else bad = middle;
    }
    tokensWith(good);
    const next = order[good];
    if (!next || next.rank > 2) break;
  }
  const printed = printer.print(roots);
  if (printed.folded === 0) return printed;
  const rest = printer.restText(printed.folded);
  return { ...printed, lines: [...printed.lines, rest], tokens: printed.tokens + estimateTokens(rest + '\n') };
}
