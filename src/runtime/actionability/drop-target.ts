import { DesktopError, type Deadline } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import {
  contains,
  isInteractive,
  quote,
  sameBox,
  type Point,
  type WindowInfo,
  type WindowNode,
} from '../../tree/index.js';
import type { Found } from '../../drivers/contract/index.js';
import { type EvaluatedControls, isEvaluated } from '../request/policy-request.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

/** An element over which the button would be released. Without a target it is unknown. */
interface DropElement {
  window?: WindowInfo | undefined;
  target?: Target;
}

export type AuthorizeDrop = (elements: readonly DropElement[], at: Point, dragged: Target) => void;

/**
 * Remembers the windows at the end of a drag, front to back, as they were when policy evaluated the drag, and checks
 * before the release that the same window is in front. In it another element may be at the end (a row that makes room,
 * a menu that opened): policy evaluates it like a click before the button is released over it.
 */
export class DropTarget {
  private readonly before: ReadonlyMap<string, WindowNode>;

  constructor(
    private readonly desktop: CallView,
    private readonly dragged: Target,
    /** Throws unless policy allows to release the button over them. */
    private readonly authorize: AuthorizeDrop,
    private readonly evaluated: EvaluatedControls,
  ) {
    this.before = new Map(desktop.hiddenWindows.stack.map((one) => [one.id, one]));
  }

  /** `known`: the id of the element that policy evaluated there. */
  async check(at: Point, known: string | undefined, deadline: Deadline): Promise<void> {
    await this.checkWindow(at, deadline);
    await this.checkElement(at, known, deadline);
  }

  private async checkWindow(at: Point, deadline: Deadline): Promise<void> {
    const was = [...this.before.values()].find((one) => isAt(one, at));
    const { windows } = await this.desktop.listWindows(deadline);
    const { hiddenWindows } = this.desktop;
    const front = hiddenWindows.stack.find((one) => isAt(one, at) && !this.isDragIcon(one));
    if (front?.id === was?.id) return;
    // A window that is moved or sized by the drag follows the pointer.
    if (front && front.id === this.dragged.window.id && this.movedWithPointer(front)) return;
    throw dragCancelled(
      this.dragged,
      at,
      front && (hiddenWindows.hides(front.id) ? 'hidden' : describeWindow(front, windows)),
    );
  }

  /** The app is asked now, because it may have opened something since the button went down. */
  private async checkElement(at: Point, known: string | undefined, deadline: Deadline): Promise<void> {
    const { driver, hiddenWindows } = this.desktop;
    if (!driver.atPoint) return;
    const beneath = hiddenWindows.stack.filter((one) => this.isDragIcon(one)).map(({ id }) => id);
    const hitTest = (): Promise<Found | undefined> => driver.atPoint!(at, { deadline, beneath });
    let found: Found | undefined;
    try {
      const first = await hitTest();
      const area = { x: at.x, y: at.y, width: 1, height: 1 };
      // Chromium answers with what it found there last time, and shows a menu before it reports it.
      const id = first?.path.at(-1)?.id;
      if (id !== undefined) await driver.waitForTreeSync?.(id, area, { deadline, patient: true });
      found = await hitTest();
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      // The element is unknown, and rules treat it as any element.
      const window = await this.windowOf(hiddenWindows.frontAt(at)?.id, deadline);
      return this.authorize([{ window }], at, this.dragged);
    }
    const elements = found ? this.cameDuringDrag(found, known) : [];
    if (!found || elements.length === 0) return;
    const window = await this.windowOf(found.window, deadline);
    if (!window) throw dragCancelled(this.dragged, at, 'Another window');
    const path = found.path.map((one) => ({ ...one, ref: '', children: [] }));
    const targets = elements.map((one) => ({
      ...{ window, element: path[one]!, path: path.slice(0, one), how: 'point' as const },
    }));
    this.authorize(
      targets.map((target) => ({ window, target })),
      at,
      this.dragged,
    );
  }

  private async windowOf(id: string | undefined, deadline: Deadline): Promise<WindowInfo | undefined> {
    return (await this.desktop.listWindows(deadline)).windows.find((one) => one.id === id);
  }

  /** Positions in the path: the controls and the innermost element, without those that policy has evaluated. */
  private cameDuringDrag({ path }: Found, known: string | undefined): number[] {
    const own = path.findLastIndex(({ id }) => id === this.dragged.element.id || id === known);
    return path.flatMap((one, at) => {
      if (at <= own || isEvaluated(this.evaluated, one)) return [];
      // A text or an image in an element that was evaluated is part of it.
      return isInteractive(one) || (own < 0 && at === path.length - 1) ? [at] : [];
    });
  }

  /** The drag icon follows the pointer without the window manager, and belongs to the dragged element's app. */
  private isDragIcon({ id, role, menu, pid }: WindowNode): boolean {
    return role === 'popup' && !menu && !this.before.has(id) && pid !== undefined && pid === this.dragged.window.pid;
  }

  private movedWithPointer({ id, bounds }: WindowNode): boolean {
    const was = this.before.get(id)?.bounds;
    return was !== undefined && bounds !== undefined && !sameBox(was, bounds);
  }
}

const isAt = ({ bounds, visible, minimised }: WindowNode, point: Point): boolean =>
  bounds !== undefined && visible && !minimised && contains(bounds, point);

/** A caller that may not see a window does not get its title. */
function describeWindow({ id }: WindowNode, windows: readonly WindowInfo[]): string {
  const window = windows.find((one) => one.id === id);
  return window ? `${window.ref} ${window.role} ${quote(window.title)}` : 'Another window';
}

function dragCancelled({ element, window }: Target, { x, y }: Point, front: string | undefined): DesktopError {
  if (front === 'hidden')
    return hiddenByPolicyError(`The drag was cancelled: the point ${x},${y}, to which ${element.ref} was dragged,`);
  const came = front === undefined ? `The window at ${x},${y} went away` : `${front} came to ${x},${y}`;
  return new FinalActError(
    'target_changed',
    `${came} while ${element.ref} was dragged there; the drag was cancelled.`,
    {
      retry: 'no',
      hint: `Run ui_list_windows and ui_snapshot ${window.ref} to see what is there now.`,
    },
  );
}
