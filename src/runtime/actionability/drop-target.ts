import { DesktopError, type Deadline } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { contains, quote, sameBox, type Point, type WindowInfo, type WindowNode } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

/**
 * Remembers the windows at the end of a drag, front to back, as they were when policy evaluated the drag, and checks
 * before the release that the same window is in front. Only windows are compared: during every successful drag an app
 * changes what it shows in them (a gap between two rows, a frame).
 */
export class DropTarget {
  private readonly before: ReadonlyMap<string, WindowNode>;

  constructor(
    private readonly desktop: CallView,
    private readonly dragged: Target,
  ) {
    this.before = new Map(desktop.hiddenWindows.stack.map((one) => [one.id, one]));
  }

  async check(at: Point, deadline: Deadline): Promise<void> {
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
