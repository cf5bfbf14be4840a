import type { Element, Span } from '../element.js';
import { isInteractive, NAMED_BY_CONTENT, roleInText, STRUCTURE_ROLES, type Role } from '../roles/roles.js';
import { sheetView, tableView } from './table.js';
import {
  hasFunction,
  isDrawn,
  isPlainText,
  isSheet,
  isShown,
  isTable,
  PRINTED_STRUCTURE_ROLES,
  mustStay,
  refOf,
  type PruneContext,
  type Scope,
  type View,
  type ViewOptions,
} from './view.js';

const NEVER_PRINTED: ReadonlySet<Role> = new Set(['scrollbar', 'separator']);
/** Printed only with a name, children or a function. */
const EMPTY_IF_BARE: ReadonlySet<Role> = new Set([
  'image',
  'menubar',
  'toolbar',
  'statusbar',
  'tablist',
  'menu',
  'popup',
]);
/** Also printed when only controls were requested. */
const ALWAYS_PRINTED: ReadonlySet<Role> = new Set(['alert', 'alertdialog', 'dialog', 'notification']);

function ownText(element: Element): string {
  const text = element.name?.trim() ? element.name : element.value === undefined ? '' : String(element.value);
  return text.trim();
}

function repeats(text: string, parent: Element | undefined): boolean {
  if (!parent) return false;
  const name = parent.name?.trim();
  if (text === name || (typeof parent.value === 'string' && text === parent.value.trim())) return true;
  return name !== undefined && NAMED_BY_CONTENT.has(parent.role) && name.includes(text);
}

function namesNext(label: Element, next: Element | undefined): boolean {
  return next?.nameFrom === 'label' && next.labelId === undefined && next.name === label.name;
}

function printedRole(element: Element): string {
  if (element.role === 'label') return 'text';
  return isSheet(element) ? 'sheet' : roleInText(element.role);
}

/** The printed children of `element`; `parent` is the printed element above them. */
export function childViews(element: Element, parent: Element, scope: Scope, context: PruneContext): View[] {
  const views: View[] = [];
  for (const [at, child] of element.children.entries()) {
    if (child.states.visible === false && !isShown(child, context)) continue;
    if (NEVER_PRINTED.has(child.role) && !mustStay(child)) continue;
    if (isPlainText(child) && (context.labels.has(child.id) || namesNext(child, element.children[at + 1]))) continue;
    views.push(...viewsOf(child, parent, scope, context));
  }
  if (element !== parent && element.unread) views.push(placeholder(element, scope));
  return views;
}

function placeholder(element: Element, scope: Scope): View {
  const { unread = 0 } = element;
  return { element, role: 'more', name: '', children: [], scope, unread, placeholder: true };
}

/** Whether structure without a name is printed. */
const printsStructure = ({ full, compact }: PruneContext): boolean => full === true && compact !== true;

function viewsOf(element: Element, parent: Element, scope: Scope, context: PruneContext): View[] {
  const inner: Scope = { element, up: scope };
  const shown = isShown(element, context);
  if (PRINTED_STRUCTURE_ROLES.has(element.role) && !hasFunction(element)) {
    const hasOwnText = typeof element.value === 'string' && element.value.trim() !== '';
    const name = element.name?.trim();
    const hasOwnName = hasOwnText || (name ? name !== parent.name?.trim() : printsStructure(context));
    // An element without size may contain elements on the screen, so its children are checked one by one.
    if (!hasOwnName || !shown) return childViews(element, parent, inner, context);
  }
  if (!shown) return [];
  if (isPlainText(element)) return plainViews(element, parent, scope, context);
  const view = viewOf(element, inner, context);
  if (!printsStructure(context) && EMPTY_IF_BARE.has(element.role)) {
    const repeated = element.role === 'image' && repeats(element.name?.trim() ?? '', parent);
    if ((!view.name || repeated) && view.children.length === 0 && !hasFunction(element) && !view.unread) return [];
  }
  if (context.interactive && view.children.length === 0 && !view.unread && !view.sheet) {
    const wanted =
      isInteractive(element) ||
      ALWAYS_PRINTED.has(element.role) ||
      mustStay(element) ||
      hasFunction(element) ||
      isDrawn(element);
    if (!wanted) return [];
  }
  return [view];
}

/** Text and the elements inside it: a link in a paragraph. */
function plainViews(element: Element, parent: Element, scope: Scope, context: PruneContext): View[] {
  const text = ownText(element);
  const inside = childViews(element, parent, { element, up: scope }, context);
  const ref = refOf(element);
  const isOmitted = context.interactive && !mustStay(element) && ref === undefined;
  // Empty, but focused: it is the only hint where typed keys would go.
  if (text === '' ? element.states.focused !== true || ref === undefined : repeats(text, parent) || isOmitted)
    return inside;
  const texts = inside.filter((view) => isPlainText(view.element));
  const isCovered = texts.every((view) => view.ref === undefined && text.includes(view.name));
  // The parts in reading order are clearer than the whole text followed by its links.
  const repeated = texts.some((view) => text.includes(view.name));
  if (ref === undefined && repeated && (texts.length < inside.length || !isCovered)) return inside;
  const children = inside.filter((view) => !isCovered || !texts.includes(view));
  const view: View = { element, role: printedRole(element), name: text, children, scope, unread: element.unread ?? 0 };
  return [ref === undefined ? view : { ...view, ref }];
}

/** The view of one element, whether or not pruning would keep it. */
export function viewOf(element: Element, inner: Scope, context: PruneContext): View {
  const ref = refOf(element);
  const view: View = {
    element,
    role: printedRole(element),
    name: element.name?.trim() ?? '',
    children: [],
    unread: element.unread ?? 0,
  };
  if (ref !== undefined) view.ref = ref;
  if (inner.up) view.scope = inner.up;
  if (isSheet(element)) view.sheet = sheetView(element);
  else if (isTable(element)) tableView(view, inner, context, childViews);
  else {
    view.children = childViews(element, element, inner, context);
    listNumbers(view, context);
    takeOnlyText(view);
  }
  return view;
}

/** An item without a name that contains a single text takes that text as its name. */
function takeOnlyText(view: View): void {
  const only = view.children[0];
  if (view.name || view.children.length !== 1 || !only || !NAMED_BY_CONTENT.has(view.element.role)) return;
  if (!isPlainText(only.element) || only.children.length > 0 || mustStay(only.element)) return;
  view.name = only.name;
  view.children = [];
}

const LISTS: ReadonlySet<Role> = new Set(['list', 'listbox']);
const ITEMS: ReadonlySet<Role> = new Set(['listitem', 'option']);

function itemsIn(element: Element): Element[] {
  return element.children.flatMap((child) => {
    if (ITEMS.has(child.role)) return [child];
    return STRUCTURE_ROLES.has(child.role) && !child.name ? itemsIn(child) : [];
  });
}

/** Numbers the items of a list, so that items which are not printed can be named: `items 4-12`. */
function listNumbers(view: View, options: ViewOptions): void {
  const { element } = view;
  if (options.interactive === true && view.children.length === 0) return;
  if (!LISTS.has(element.role) && element.items === undefined) return;
  const items = itemsIn(element);
  // Children of a huge container are numbered too, whatever their roles are.
  const read = items.length === 0 && element.items !== undefined ? element.children : items;
  const total = element.items?.total ?? read.length;
  // The items that were read are consecutive. If some were not read, the driver reports where they begin.
  const first = total > read.length ? (element.items?.shown?.[0] ?? 1) : 1;
  const numberOf = new Map(read.map((item, at) => [item, first + at]));
  for (const child of view.children) {
    const number = numberOf.get(child.element);
    if (number !== undefined) child.number = number;
  }
  if (total > 0 && (read.length > 0 || element.items)) {
    const known = read.length > 0 && { read: [first, first + read.length - 1] satisfies Span };
    view.numbered = { word: 'items', total, ...known };
  }
  // The numbers already report the unread items.
  if (view.numbered && total > read.length) view.unread = 0;
}

export function labelsIn(roots: readonly Element[]): Set<string> {
  const fields = new Map<string, Element>();
  const names = new Map<string, string | undefined>();
  const walk = (element: Element): void => {
    if (element.labelId !== undefined) fields.set(element.labelId, element);
    if (isPlainText(element)) names.set(element.id, element.name);
    element.children.forEach(walk);
  };
  roots.forEach(walk);
  const labels = new Set<string>();
  for (const [id, field] of fields) {
    if (field.name && (field.nameFrom === 'label' || field.name === names.get(id))) labels.add(id);
  }
  return labels;
}
