import { type Deadline, DesktopError } from '../../shared/index.js';
import {
  describeElement,
  type Box,
  centre,
  contains,
  type Element,
  intersect,
  type Node,
  type Point,
  type Role,
} from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { occluderOf, notActionable } from './hit-target.js';
import { nextEvent } from './wait-for-event.js';

/** `precheck` throws if another element is there now. */
export interface WheelTarget extends WheelPoint {
  precheck: () => Promise<void>;
}

/** Each costs a hit test in the app. */
const MAX_TRIED = 10;

/**
 * A point where the wheel scrolls the target: the hit target is the target or an element in it, and not a control whose
 * value the wheel would change. Waits for that until `actionableBy` is over.
 */
export async function findWheelTarget(
  desktop: CallView,
  target: Target,
  heading: Heading,
  read: () => Promise<Element>,
  { actionableBy, deadline }: { actionableBy: Deadline; deadline: Deadline },
): Promise<WheelTarget> {
  const { axis } = heading;
  for (;;) {
    const change = nextEvent(desktop);
    try {
      const root = await read();
      const tried = wheelPointsIn(root, target.window.bounds, heading).slice(0, MAX_TRIED);
      const inner = innerScrollers(root, axis);
      let why: string | undefined;
      for (const spot of tried) {
        const hitTest = (): Promise<string | undefined> => blockedBy(desktop, target, spot, { axis, inner }, deadline);
        const blocked = await hitTest();
        if (blocked === undefined) return { ...spot, precheck: async () => refuseBlocked(target, await hitTest()) };
        if (blocked !== 'set') why ??= blocked;
      }
      if (why === undefined && root.bounds) throw noWheelPoint(target, allSetByWheel(root, axis)[0], inner[0]);
      if (actionableBy.over) throw notActionable(target, why ?? 'is not on the screen');
      await change.orPause(actionableBy);
    } finally {
      change.stop();
    }
  }
}

/** Undefined if the wheel scrolls the target there; `set`: it would change or scroll another element; otherwise the occluder. */
async function blockedBy(
  desktop: CallView,
  target: Target,
  { at }: WheelPoint,
  { axis, inner }: { axis: Axis; inner: readonly Element[] },
  deadline: Deadline,
): Promise<string | undefined> {
  const { driver } = desktop;
  if (!driver.atPoint) return undefined;
  const found = await driver.atPoint(at, { deadline });
  const cover = await occluderOf(desktop, target, at, found, deadline);
  if (cover) return cover;
  const from = found?.path.findIndex(({ id }) => id === target.element.id) ?? -1;
  const takes = (node: Node): boolean => setByWheel(node, axis) || inner.some(({ id }) => id === node.id);
  const inTarget = found?.path.slice(Math.max(from, 0)) ?? [];
  return inTarget.some(takes) || switchesTab(inTarget, at) ? 'set' : undefined;
}

/** Qt shows another tab when the wheel turns over a tab, or over the rest of the tab bar. */
function switchesTab(path: readonly Node[], at: Point): boolean {
  if (path.at(-1)?.role === 'tablist') return true;
  // GTK 3 puts the page into its tab, whose bounds are those of the label.
  return path.some(({ role, bounds }, index) =>
    role === 'tab' ? (bounds ? contains(bounds, at) : index === path.length - 1) : false,
  );
}

function tabsIn(root: Element): Element[] {
  return [...(root.role === 'tab' ? [root] : []), ...root.children.flatMap(tabsIn)];
}

function refuseBlocked(target: Target, blocked: string | undefined): void {
  if (blocked !== undefined)
    throw notActionable(
      target,
      blocked === 'set' ? 'has another element at the point where the wheel would be turned' : blocked,
    );
}

function noWheelPoint({ element }: Target, set: Element | undefined, inner: Element | undefined): DesktopError {
  if (!set && inner)
    return new DesktopError(
      'not_supported',
      `The wheel over ${describeElement(element)} would scroll ${describeElement(inner)} instead.`,
      {
        retry: 'no',
        hint: 'Name the element to scroll, or use ui_act scroll_into_view to show an element in it.',
      },
    );
  if (!set && (element.role === 'tab' || element.role === 'tablist'))
    return new DesktopError(
      'not_supported',
      `The wheel over ${describeElement(element)} could show another tab and not scroll.`,
      { retry: 'no', hint: 'Name the element to scroll, or use ui_act select to show a tab.' },
    );
  const instead = set
    ? `${set === element || set.ref === element.ref ? 'its own value' : describeElement(set)}`
    : 'another element';
  return new DesktopError(
    'not_supported',
    `The wheel over ${describeElement(element)} would change ${instead} and not scroll.`,
    {
      retry: 'no',
      hint: 'Use ui_act scroll_into_view to show an element in it, or ui_set_value to set a value or a scroll bar.',
    },
  );
}

export type Axis = 'x' | 'y';

/** The scroll direction: forward is down or right. */
export interface Heading {
  axis: Axis;
  forward: boolean;
}

/** A point for the pointer, and how many notches can be turned before another control comes under it. */
interface WheelPoint {
  at: Point;
  notches: number;
}

/** The wheel changes their value instead of scrolling their container. */
const SET_BY_WHEEL: ReadonlySet<Role> = new Set(['spinbutton', 'slider', 'combobox', 'calendar']);
const MAY_SCROLL: ReadonlySet<Role> = new Set(['list', 'listbox', 'table', 'tree', 'treegrid', 'terminal', 'document']);
/** No measured toolkit moves farther with one notch. */
const FARTHEST_NOTCH_PX = 130;
const EDGE_PX = 6;
const PARTS = [0.5, 0.25, 0.75];

/** A scroll bar of this axis scrolls; one of the other axis moves the wrong way. */
function setByWheel({ role, bounds }: Pick<Node, 'role' | 'bounds'>, axis: Axis): boolean {
  if (role !== 'scrollbar') return SET_BY_WHEEL.has(role);
  return bounds !== undefined && (axis === 'y' ? bounds.width > bounds.height : bounds.height > bounds.width);
}

/** All controls in it that the wheel would change, including those out of view: they may come under the pointer. */
export function allSetByWheel(root: Element, axis: Axis): Element[] {
  if (setByWheel(root, axis)) return [root];
  return root.children.flatMap((child) => allSetByWheel(child, axis));
}

/** Inner elements that scroll by themselves: they take the wheel, in GTK also at their end. */
function innerScrollers(root: Element, axis: Axis): Element[] {
  return isScroller(root, axis) ? root.children.flatMap((child) => outermost(child, axis)) : [];
}

function outermost(element: Element, axis: Axis): Element[] {
  if (element.role === 'scrollpane' && isScroller(element, axis)) return [element];
  return element.children.flatMap((child) => outermost(child, axis));
}

/** A pane whose scroll bar cannot move passes the wheel on. For a pane without scroll bars this is unknown. */
function isScroller(element: Element, axis: Axis): boolean {
  const bars = barsOf(element);
  if (bars.length > 0) return bars.some((bar) => isBarOf(bar, axis) && (bar.value === undefined || bar.range));
  return element.role === 'scrollpane';
}

/** The scroll bar of the pane itself, if it has one that can be moved. */
export function ownBar(element: Element, axis: Axis): Element | undefined {
  return barsOf(element).find((bar) => isBarOf(bar, axis) && bar.range);
}

/** Qt puts each scroll bar into a separate group. */
function barsOf({ children }: Element): Element[] {
  const isBar = ({ role }: Element): boolean => role === 'scrollbar';
  const isBox = ({ role, name, children: inside }: Element): boolean =>
    role === 'group' && name === undefined && inside.length > 0 && inside.every(isBar);
  return children.flatMap((child) => (isBar(child) ? [child] : isBox(child) ? child.children : []));
}

function isBarOf({ role, bounds }: Element, axis: Axis): boolean {
  return bounds !== undefined && bounds.width !== bounds.height && !setByWheel({ role, bounds }, axis);
}

/** Many of them scroll without exposing it. If they fill the whole pane, they are its content. */
function mayScroll({ role, states }: Element): boolean {
  return MAY_SCROLL.has(role) || (role === 'textbox' && states.multiline === true);
}

function allThatMay(root: Element): Box[] {
  return root.children.flatMap((child) => (mayScroll(child) ? (child.bounds ?? []) : allThatMay(child)));
}

/** Candidate points: the middle, then those where controls come under the pointer last; also gaps and its scroll bar. */
function wheelPointsIn(root: Element, frame: Box | undefined, heading: Heading): WheelPoint[] {
  const { axis } = heading;
  const area = root.bounds && (frame ? intersect(root.bounds, frame) : root.bounds);
  if (!area) return [];
  const taking = [...allSetByWheel(root, axis), ...innerScrollers(root, axis), ...tabsIn(root)];
  const boxes = taking.flatMap(({ bounds }) => bounds ?? []);
  const doubtful = isScroller(root, axis) ? allThatMay(root) : [];
  const points = [...inside(area), ...boxes.flatMap((box) => beside(box, axis)), ...barsIn(root, axis).map(centre)];
  const free = points.filter((point) => contains(area, point) && !boxes.some((box) => contains(box, point)));
  const spots = free.map((at) => ({ at, notches: notchesUntilHit(at, boxes, heading) }));
  const middle = centre(area);
  const rank = ({ at, notches }: WheelPoint): number => {
    if (doubtful.some((box) => contains(box, at))) return at.x === middle.x && at.y === middle.y ? 0 : -1;
    return at.x === middle.x && at.y === middle.y ? Infinity : notches;
  };
  return spots.sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
}

function inside({ x, y, width, height }: Box): Point[] {
  const along = (from: number, size: number): number[] => [
    ...PARTS.map((part) => Math.floor(from + size * part)),
    from + Math.min(EDGE_PX, size - 1),
    from + Math.max(0, size - 1 - EDGE_PX),
  ];
  return along(y, height).flatMap((down) => along(x, width).map((right) => ({ x: right, y: down })));
}

function beside({ x, y, width, height }: Box, axis: Axis): Point[] {
  const middle = centre({ x, y, width, height });
  const at = (before: number, after: number): Point[] => [before, after].map((place) => ({ ...middle, [axis]: place }));
  return axis === 'y' ? at(y - 2, y + height + 1) : at(x - 2, x + width + 1);
}

function barsIn(root: Element, axis: Axis): Box[] {
  const own = root.role === 'scrollbar' && root.bounds && !setByWheel(root, axis) ? [root.bounds] : [];
  return [...own, ...root.children.flatMap((child) => barsIn(child, axis))];
}

/** Infinity if no box is on the line along which the content moves. */
function notchesUntilHit(at: Point, boxes: readonly Box[], { axis, forward }: Heading): number {
  const [size, across, thickness] =
    axis === 'y' ? (['height', 'x', 'width'] as const) : (['width', 'y', 'height'] as const);
  const distances = boxes
    .filter((box) => at[across] >= box[across] && at[across] < box[across] + box[thickness])
    .map((box) => (forward ? box[axis] - at[axis] : at[axis] - (box[axis] + box[size])))
    .filter((distance) => distance >= 0);
  return Math.max(1, Math.floor(Math.min(Infinity, ...distances) / FARTHEST_NOTCH_PX));
}
