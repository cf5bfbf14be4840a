import { everyBlock } from './fold.js';
import type { Block } from './layout.js';
import type { Printed, Printer } from './print.js';

/** Names get shorter until the lines that matter most fit; 0 is no names at all. */
const LIMITS = [40, 24, 12, 6, 2, 0];

/** Small is important: the window, focus, dialogs, other windows, what else must stay, top containers, the rest. */
function importance(block: Block, first: Block | undefined): number {
  const states = block.views.map((view) => view.element.states);
  if (block === first || (block.indent === 0 && states.some((state) => state.active))) return 0;
  if (states.some((state) => state.focused)) return 1;
  if (states.some((state) => state.modal) || block.views.some(({ role }) => role.endsWith('dialog'))) return 2;
  if (block.indent === 0) return 3;
  if (block.stay && block.children.length === 0) return 4;
  return block.indent === 1 && block.children.length > 0 ? 5 : 6;
}

function ranked(roots: readonly Block[]): { block: Block; rank: number }[] {
  const ranks = new Map<Block, number>();
  const rank = (block: Block): number => {
    const own = Math.min(importance(block, roots[0]), ...(block.closed ? [] : block.children.map(rank)));
    ranks.set(block, own);
    return own;
  };
  roots.forEach(rank);
  const list = everyBlock(roots).flatMap((block) => {
    const known = ranks.get(block);
    return known === undefined ? [] : [{ block, rank: known }];
  });
  return list.sort((a, b) => a.rank - b.rank);
}

/**
 * When no fold is left: window, focus, dialog and one line per top container, then whatever still fits, and one line
 * that says how much is missing. Always fits a budget of 100 tokens and more.
 */
export function lastResort(roots: readonly Block[], printer: Printer, budget: number): Printed {
  for (const block of everyBlock(roots))
    if (block.indent > 0 && !block.stay && block.children.length > 0) block.closed = true;
  const order = ranked(roots);
  printer.state.terse = true;
  let printed: Printed = { lines: [], tokens: 0, folded: 0 };
  for (const limit of LIMITS) {
    printer.cutNames(limit, true);
    const show = (count: number): boolean => {
      for (const [at, { block }] of order.entries()) block.hidden = at >= count;
      printed = printAll(roots, printer);
      return printed.tokens <= budget;
    };
    let good = 0;
    let bad = order.length + 1;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      if (show(middle)) good = middle;
      else bad = middle;
    }
    show(good);
    const next = order[good];
    if (!next || next.rank > 2) break;
  }
  return printed;
}

function printAll(roots: readonly Block[], printer: Printer): Printed {
  const printed = printer.print(roots);
  if (printed.folded === 0) return printed;
  return printer.withRest(printed);
}
