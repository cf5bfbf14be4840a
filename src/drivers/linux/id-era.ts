import type { Node } from '../../tree/index.js';
import type { ReadAnswer } from '../contract/index.js';
import { stale } from './atspi/lineage.js';

/**
 * A bus that was restarted gives the names of the one before to other apps. So ids are marked with how often that
 * happened, and an id from before means nothing any more.
 */
export class IdEra {
  private era = 0;

  next(): void {
    this.era++;
  }

  /** As callers know it. Ids of windows are the display's and stay as they are. */
  out(id: string): string {
    return this.era > 0 && id.startsWith(':') ? `${this.era}${id}` : id;
  }

  /** As the bus knows it; `stale_ref` for what is from before. */
  in(id: string): string {
    const [, era, rest] = /^(\d*)(:.*)$/s.exec(id) ?? [];
    if (rest === undefined) return id;
    if (era !== (this.era === 0 ? '' : String(this.era))) throw stale();
    return rest;
  }

  answer(answer: ReadAnswer): ReadAnswer {
    return this.era === 0 ? answer : { ...answer, root: this.node(answer.root) };
  }

  nodes(nodes: Node[]): Node[] {
    return this.era === 0 ? nodes : nodes.map((node) => this.node(node));
  }

  private node(node: Node): Node {
    const { id, labelId, children } = node;
    return {
      ...node,
      id: this.out(id),
      ...(labelId !== undefined && { labelId: this.out(labelId) }),
      children: this.nodes(children),
    };
  }
}
