import type { Box } from '../geometry.js';
import { ITEM_ROLES, type Role } from '../roles/roles.js';
import type { Block } from './layout.js';
import type { Printer } from './print.js';

const FIRST_LINES = 8;
const SHORT_NAME = 40;
const BAR_ROLES: ReadonlySet<Role> = new Set(['toolbar', 'menubar', 'statusbar']);
const SIDEBAR_ROLES: ReadonlySet<Role> = new Set([
  'list',
  'listbox',
  'tree',
  'region',
  'group',
  'tablist',
  'scrollpane',
]);

/** All blocks, parents first. */
export function everyBlock(blocks: readonly Block[], all: Block[] = []): Block[] {
  for (const block of blocks) {
    all.push(block);
    everyBlock(block.children, all);
  }
  return all;
}

/** Open, and no ancestor is closed or hidden. */
function isOpen(block: Block): boolean {
  for (let at: Block | undefined = block; at; at = at.parent) if (at.closed || at.hidden) return false;
  return true;
}

function roleOf(block: Block): Role {
  return block.views[0]!.element.role;
}

/** Runs and rows after the first 8 of a container. */
function beyondFirst(container: Block): Block[] {
  const lines = container.children.filter(
    (block) => block.views.length > 1 || block.views[0]!.cells || block.sheetRow || ITEM_ROLES.has(roleOf(block)),
  );
  return lines.slice(FIRST_LINES).filter((block) => !block.mustStay);
}

/** A tall narrow element at the left or right edge of its window. */
function isSideBar(block: Block, window: Box | undefined): boolean {
  const box = block.views[0]!.element.bounds;
  if (!box || !window || !SIDEBAR_ROLES.has(roleOf(block))) return false;
  const atEdge =
    box.x - window.x < 0.05 * window.width || window.x + window.width - box.x - box.width < 0.05 * window.width;
  return atEdge && box.width < 0.3 * window.width && box.height > 0.5 * window.height;
}

function isBar(block: Block): boolean {
  if (BAR_ROLES.has(roleOf(block))) return true;
  let root = block;
  while (root.parent) root = root.parent;
  return root !== block && isSideBar(block, root.views[0]!.element.bounds);
}

/**
 * Folds in the order that the interface documents, until the text fits the budget. Each step ends as soon as it fits;
 * within a step, the largest saving goes first.
 */
export class Folding {
  private tokens: number;

  constructor(
    private readonly roots: readonly Block[],
    private readonly printer: Printer,
    private readonly budget: number,
  ) {
    this.tokens = printer.measure(roots).tokens;
  }

  get fits(): boolean {
    return this.tokens <= this.budget;
  }

  /** True if it fits in the end. */
  run(): boolean {
    if (this.fits) return true;
    this.hideBeyondFirst();
    if (this.fits) return true;
    this.printer.cutNames(SHORT_NAME);
    this.tokens = this.printer.measure(this.roots).tokens;
    if (this.fits) return true;
    this.closeLargest(everyBlock(this.roots).filter((block) => isOpen(block) && isBar(block)));
    if (this.fits) return true;
    return this.closeDeepest();
  }

  /** Applies `change` to blocks inside `around` and keeps the token count up to date. */
  private apply(around: Block, change: () => void): number {
    const before = this.printer.costOf(around);
    change();
    const saved = before - this.printer.costOf(around);
    this.tokens -= saved;
    return saved;
  }

  private hideBeyondFirst(): void {
    const jobs = everyBlock(this.roots)
      .filter(isOpen)
      .map((container) => ({ container, blocks: beyondFirst(container), saved: 0 }))
      .filter(({ blocks }) => blocks.length > 0);
    const hide = (blocks: readonly Block[], hidden: boolean): void => {
      for (const block of blocks) block.hidden = hidden;
    };
    for (const job of jobs) {
      job.saved = this.apply(job.container, () => hide(job.blocks, true));
      hide(job.blocks, false);
      this.tokens += job.saved;
    }
    for (const { container, blocks, saved } of jobs.sort((a, b) => b.saved - a.saved)) {
      if (this.fits) return;
      if (saved > 0) this.apply(container, () => hide(blocks, true));
    }
  }

  private closeLargest(blocks: readonly Block[]): Block | undefined {
    const sized = blocks
      .filter((block) => !block.mustStay && block.children.length > 0)
      .map((block) => ({ block, cost: this.printer.costOf(block) }));
    for (const { block } of sized.sort((a, b) => b.cost - a.cost)) {
      if (this.fits) return undefined;
      if (!isOpen(block)) continue;
      const saved = this.apply(block, () => (block.closed = true));
      if (saved <= 0) {
        block.closed = false;
        this.tokens += saved;
      } else if (this.fits) return block;
    }
    return undefined;
  }

  private closeDeepest(): boolean {
    const levels = new Map<number, Block[]>();
    // A snapshot of one window must not end with that window closed.
    const lowest = this.roots.length > 1 ? 0 : 1;
    for (const block of everyBlock(this.roots)) {
      if (block.indent < lowest || block.children.length === 0 || !isOpen(block)) continue;
      levels.set(block.indent, [...(levels.get(block.indent) ?? []), block]);
    }
    for (const level of [...levels.keys()].sort((a, b) => b - a)) {
      const last = this.closeLargest(levels.get(level) ?? []);
      if (last) this.reopenPart(last);
      if (this.fits) return true;
    }
    return false;
  }

  /** The last container that was folded shows its first lines again, as many as fit. */
  private reopenPart(container: Block): void {
    const lines = container.children.filter((block) => !block.hidden);
    const show = (count: number): boolean => {
      this.apply(container, () => {
        container.closed = count === 0;
        for (const [at, block] of lines.entries()) block.hidden = at >= count;
      });
      return this.fits;
    };
    let good = 0;
    let bad = lines.length;
    while (bad - good > 1) {
      const middle = Math.floor((good + bad) / 2);
      if (show(middle)) good = middle;
      else bad = middle;
    }
    show(good);
  }
}
