import { TEXTS, type Shown } from './shown.js';

export interface TreeRedaction {
  /** What the value of this field is to be called, if it was typed. */
  markOf: (field: string) => string | undefined;
  deep: <T>(json: T) => T;
}

/** The same tree without what is secret; parts that hold nothing stay the very same objects. */
export function redactTree<T extends Shown>(node: T, redaction: TreeRedaction): T {
  const mark = redaction.markOf(node.id);
  const own = mark === undefined ? {} : { ...(node.states?.secret !== true && { value: mark }) };
  const changes = { ...textChanges(node, redaction), ...own };
  const children = mark === undefined ? node.children : node.children.map((child) => hideAll(child, mark));
  const kept = children.map((child) => redactTree(child, redaction));
  const same = kept.every((child, at) => child === node.children[at]) && Object.keys(changes).length === 0;
  return same ? node : { ...node, ...changes, children: kept };
}

function textChanges(node: Shown, { deep }: TreeRedaction): Partial<Shown> {
  const changes: Partial<Record<keyof Shown, unknown>> = {};
  for (const key of [...TEXTS, 'table', 'platformIds'] as const) {
    if (node[key] === undefined) continue;
    // Wrapped, so that a number is known as a value of the screen.
    const { [key]: after } = deep({ [key]: node[key] });
    if (after !== node[key]) changes[key] = after;
  }
  return changes as Partial<Shown>;
}

/** Below a field there is its text once more, cut into lines and runs. */
function hideAll<T extends Shown>(node: T, mark: string): T {
  const hidden = TEXTS.filter((key) => node[key] !== undefined && node[key] !== '').map((key) => [key, mark]);
  const children = node.children.map((child) => hideAll(child, mark));
  return { ...node, ...(Object.fromEntries(hidden) as Partial<Shown>), children };
}
