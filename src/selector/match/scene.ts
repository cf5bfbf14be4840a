import type { Element, Role, Snapshot, WindowInfo } from '../../tree/index.js';

/** A window with its tree, as just read. */
export interface SceneWindow {
  window: WindowInfo;
  root: Element;
  /** Scale of its monitor. */
  scale?: number;
}

/** An element and its position in the scene. */
export interface Place {
  element: Element;
  window: WindowInfo;
  scale: number;
  parent?: Place;
  /** The table or sheet that contains it. */
  table?: Element;
  /** It or an ancestor is hidden by its app. */
  hidden: boolean;
  /** Number in the tree order of the scene; its descendants have the numbers up to `last`. */
  order: number;
  last: number;
}

/** What a selector searches: windows front to back, each in tree order. */
export class ElementIndex {
  readonly places: Place[] = [];
  readonly windows: readonly WindowInfo[];
  private readonly byElement = new Map<Element, Place>();

  constructor(windows: readonly SceneWindow[]) {
    this.windows = windows.map(({ window }) => window);
    for (const { window, root, scale = 1 } of windows) this.add(root, { window, scale });
  }

  placeOf(element: Element): Place | undefined {
    return this.byElement.get(element);
  }

  /** All descendants, without the element itself. */
  inside({ order, last }: Place): Place[] {
    return this.places.slice(order + 1, last + 1);
  }

  private add(element: Element, around: Pick<Place, 'window' | 'scale' | 'parent' | 'table'>): void {
    const order = this.places.length;
    const place: Place = { element, ...around, hidden: isHidden(element, around.parent), order, last: order };
    this.places.push(place);
    this.byElement.set(element, place);
    const table = element.table ? element : around.table;
    for (const child of element.children) this.add(child, { ...around, parent: place, ...(table && { table }) });
    place.last = this.places.length - 1;
  }
}

/**
 * A button in a hidden toolbar reports itself as visible, so ancestors count. Two exceptions are not hidden: the
 * content of a closed menu or list, which is only a click away, and the content of a window that is not shown, because
 * selectors can name that window.
 */
function isHidden({ states }: Element, parent: Place | undefined): boolean {
  if (!parent) return false;
  return !states.visible || (parent.hidden && !isDropdown(parent));
}

const DROPDOWN_OWNERS: ReadonlySet<Role> = new Set(['combobox', 'menubutton', 'menuitem']);

function isDropdown({ element, parent }: Place): boolean {
  return element.role === 'menu' || (parent !== undefined && DROPDOWN_OWNERS.has(parent.element.role));
}

/** @internal */
export function sceneOf({ windows, roots }: Pick<Snapshot, 'windows' | 'roots'>): ElementIndex {
  return new ElementIndex(windows.flatMap((window, at) => (roots[at] ? [{ window, root: roots[at] }] : [])));
}

export function isInside(inner: Place, outer: Place): boolean {
  return inner.order > outer.order && inner.order <= outer.last;
}

/** From the window's root to its parent. */
export function pathTo(place: Place): Element[] {
  const path: Element[] = [];
  for (let at = place.parent; at; at = at.parent) path.unshift(at.element);
  return path;
}
