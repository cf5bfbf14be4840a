import { DesktopError, type Deadline } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { contains, quote, sameBox, type Point, type WindowInfo, type WindowNode } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';

/**
 * What lies where a drag ends, front to back, as it was when it was judged; and whether that is still in front there
 * before the button is let go of. Only windows are compared: what an app shows in them while something is dragged
 * over it (a gap between two rows, a frame) is no longer what it was in any drag that goes well.
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
    // A window that is moved or sized by the drag comes along with the mouse.
    if (front && front.id === this.dragged.window.id && this.movedWithPointer(front)) return;
    throw dragCancelled(
      this.dragged,
      at,
      front && (hiddenWindows.hides(front.id) ? 'hidden' : describeWindow(front, windows)),
    );
  }

  /** The picture of what is dragged goes with the mouse, past the window manager, and is its app's own. */
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

/** Who may not know of a window is not told its title. */
function describeWindow({ id }: WindowNode, windows: readonly WindowInfo[]): string {
  const window = windows.find((one) => one.id === id);
  return window ? `${window.ref} ${window.role} ${quote(window.title)}` : 'Another window';
}

function dragCancelled({ element, window }: Target, { x, y }: Point, front: string | undefined): DesktopError {
  if (front === 'hidden')
    return hiddenByPolicyError(`What came to ${x},${y}, where ${element.ref} was dragged to and not dropped,`);
  const came = front === undefined ? `What was at ${x},${y} went away` : `${front} came to ${x},${y}`;
  return new FinalActError(
    'target_changed',
    `${came} while ${element.ref} was dragged there; the drag was called off.`,
    {
      retry: 'no',
      hint: `look what is there now: ui_list_windows, ui_snapshot ${window.ref}.`,
    },
  );
}
