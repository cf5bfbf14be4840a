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

/** `precheck` fails when something else is there by now. */
export interface WheelTarget extends WheelPoint {
  precheck: () => Promise<void>;
}

/** Each costs a question to the app. */
const MOST_TRIED = 10;

/**
 * Where the wheel scrolls the target: it, or something in it, is what one meets there, and it is nothing that the
 * wheel would change instead. Waits for that until `ready` is over.
 */
export async function findWheelTarget(
  desktop: CallView,
  target: Target,
  heading: Heading,
  look: () => Promise<Element>,
  { ready, deadline }: { ready: Deadline; deadline: Deadline },
): Promise<WheelTarget> {
  const { axis } = heading;
  for (;;) {
    const change = nextEvent(desktop);
    try {
      const root = await look();
      const tried = wheelPointsIn(root, target.window.bounds, heading).slice(0, MOST_TRIED);
      const inner = innerScrollers(root, axis);
      let why: string | undefined;
      for (const spot of tried) {
        const meet = (): Promise<string | undefined> => metAt(desktop, target, spot, { axis, inner }, deadline);
        const met = await meet();
        if (met === undefined) return { ...spot, precheck: async () => refuseMet(target, await meet()) };
        if (met !== 'set') why ??= met;
      }
      if (why === undefined && root.bounds) throw nowhere(target, allSetByWheel(root, axis)[0], inner[0]);
      if (ready.over) throw notActionable(target, why ?? 'is not on the screen');
      await change.orPause(ready);
    } finally {
      change.stop();
    }
  }
}

/** Undefined when the wheel scrolls there; `set`: it would change or scroll what is there; else what is in the way. */
async function metAt(
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
  return found?.path.slice(Math.max(from, 0)).some(takes) ? 'set' : undefined;
}

function refuseMet(target: Target, met: string | undefined): void {
  if (met !== undefined)
    throw notActionable(target, met === 'set' ? 'has something else where the wheel would be turned' : met);
}

function nowhere({ element }: Target, set: Element | undefined, inner: Element | undefined): DesktopError {
  if (!set && inner)
    return new DesktopError(
      'not_supported',
      `The wheel over ${describeElement(element)} would scroll ${describeElement(inner)} instead.`,
      {
        retry: 'no',
        hint: 'ui_act scroll_into_view brings up what is in it; name what is to scroll.',
      },
    );
  const instead = set
    ? `${set === element || set.ref === element.ref ? 'its own value' : describeElement(set)}`
    : 'something else';
  return new DesktopError(
    'not_supported',
    `The wheel over ${describeElement(element)} would change ${instead} and not scroll.`,
    {
      retry: 'no',
      hint: 'ui_act scroll_into_view brings up what is in it, ui_set_value sets values and scroll bars.',
    },
  );
}

export type Axis = 'x' | 'y';

/** Where one scrolls to: forward is down or right, and what lies there comes. */
export interface Heading {
  axis: Axis;
  forward: boolean;
}

/** A place for the mouse, and how many notches can be turned there before something else comes under it. */
interface WheelPoint {
  at: Point;
  notches: number;
}

/** The wheel changes what they are set to, instead of scrolling what they are in. */
const SET_BY_WHEEL: ReadonlySet<Role> = new Set(['spinbutton', 'slider', 'combobox', 'calendar']);
const MAY_SCROLL: ReadonlySet<Role> = new Set(['list', 'listbox', 'table', 'tree', 'treegrid', 'terminal', 'document']);
/** No toolkit that was measured moves farther with one notch. */
const FARTHEST_NOTCH_PX = 130;
const EDGE_PX = 6;
const PARTS = [0.5, 0.25, 0.75];

/** A scroll bar of this axis scrolls, one of the other moves the wrong way. */
function setByWheel({ role, bounds }: Pick<Node, 'role' | 'bounds'>, axis: Axis): boolean {
  if (role !== 'scrollbar') return SET_BY_WHEEL.has(role);
  return bounds !== undefined && (axis === 'y' ? bounds.width > bounds.height : bounds.height > bounds.width);
}

/** All in it that the wheel would change, also what is scrolled out: it may come under the mouse. */
export function allSetByWheel(root: Element, axis: Axis): Element[] {
  if (setByWheel(root, axis)) return [root];
  return root.children.flatMap((child) => allSetByWheel(child, axis));
}

/** What scrolls by itself inside of what scrolls: it takes the wheel, in GTK also at its end. */
function innerScrollers(root: Element, axis: Axis): Element[] {
  return isScroller(root, axis) ? root.children.flatMap((child) => outermost(child, axis)) : [];
}

function outermost(element: Element, axis: Axis): Element[] {
  if (element.role === 'scrollpane' && isScroller(element, axis)) return [element];
  return element.children.flatMap((child) => outermost(child, axis));
}

/** A pane whose scroll bar has no way to go lets the wheel through; of one without scroll bars nobody knows. */
function isScroller(element: Element, axis: Axis): boolean {
  const bars = barsOf(element);
  if (bars.length > 0) return bars.some((bar) => isBarOf(bar, axis) && (bar.value === undefined || bar.range));
  return element.role === 'scrollpane';
}

/** The scroll bar of the pane itself, where there is one that can be moved. */
export function ownBar(element: Element, axis: Axis): Element | undefined {
  return barsOf(element).find((bar) => isBarOf(bar, axis) && bar.range);
}

/** Qt puts each into a box of its own. */
function barsOf({ children }: Element): Element[] {
  const isBar = ({ role }: Element): boolean => role === 'scrollbar';
  const isBox = ({ role, name, children: inside }: Element): boolean =>
    role === 'group' && name === undefined && inside.length > 0 && inside.every(isBar);
  return children.flatMap((child) => (isBar(child) ? [child] : isBox(child) ? child.children : []));
}

function isBarOf({ role, bounds }: Element, axis: Axis): boolean {
  return bounds !== undefined && bounds.width !== bounds.height && !setByWheel({ role, bounds }, axis);
}

/** Many of them scroll and do not tell; where they fill the whole pane, they are what it scrolls. */
function mayScroll({ role, states }: Element): boolean {
  return MAY_SCROLL.has(role) || (role === 'textbox' && states.multiline === true);
}

function allThatMay(root: Element): Box[] {
  return root.children.flatMap((child) => (mayScroll(child) ? (child.bounds ?? []) : allThatMay(child)));
}

/** Where one may try: the middle, then where the least comes under the mouse; also gaps, and its own scroll bar. */
function wheelPointsIn(root: Element, frame: Box | undefined, heading: Heading): WheelPoint[] {
  const { axis } = heading;
  const area = root.bounds && (frame ? intersect(root.bounds, frame) : root.bounds);
  if (!area) return [];
  const boxes = [...allSetByWheel(root, axis), ...innerScrollers(root, axis)].flatMap(({ bounds }) => bounds ?? []);
  const doubtful = isScroller(root, axis) ? allThatMay(root) : [];
  const points = [...inside(area), ...boxes.flatMap((box) => beside(box, axis)), ...barsIn(root, axis).map(centre)];
  const free = points.filter((point) => contains(area, point) && !boxes.some((box) => contains(box, point)));
  const spots = free.map((at) => ({ at, notches: untilMet(at, boxes, heading) }));
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

/** Infinity where none of them comes along the line on which everything moves. */
function untilMet(at: Point, boxes: readonly Box[], { axis, forward }: Heading): number {
  const [size, across, thickness] =
    axis === 'y' ? (['height', 'x', 'width'] as const) : (['width', 'y', 'height'] as const);
  const distances = boxes
    .filter((box) => at[across] >= box[across] && at[across] < box[across] + box[thickness])
    .map((box) => (forward ? box[axis] - at[axis] : at[axis] - (box[axis] + box[size])))
    .filter((distance) => distance >= 0);
  return Math.max(1, Math.floor(Math.min(Infinity, ...distances) / FARTHEST_NOTCH_PX));
}
