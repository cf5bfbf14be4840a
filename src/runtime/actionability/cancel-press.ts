import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, type Deadline, hasTrait } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { describeTarget, type Node, type Point, type Role } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { currentTarget } from './recheck-target.js';

/** These act when the button is released over them, so a press can be cancelled. */
export const ACTS_ON_RELEASE: ReadonlySet<Role> = new Set([
  'button',
  'togglebutton',
  'checkbox',
  'radio',
  'switch',
  'link',
]);
/**
 * The distance from the element's edge at which the button is released. Not closer: a row that an app reuses may become
 * wider with its new name (GTK 4 lays out after it reports a scroll, and clicks the element that is then under the
 * pointer).
 */
const BESIDE_PX = 24;
/** After this time an app has laid out the changes that it reported. */
const LAID_OUT_MS = 60;

/** Finds a point where a mouse button that went down on the wrong element can be released without an effect. */
export class PressCancellation {
  private pressed?: Node;
  private readonly tried = new Set<string>();
  /** The pressed element covers every point that the pointer could go to. */
  stuck = false;

  constructor(
    private readonly desktop: CallView,
    private readonly target: Target,
    private readonly at: Point,
    private readonly deadline: Deadline,
  ) {}

  /**
   * Called with the button down since `pressedAt`, or for a further press: between the precheck and the press another
   * element may have come under the pointer. Undefined if the target was pressed, or if releasing elsewhere would not help.
   */
  async find(pressedAt?: number): Promise<Point | undefined> {
    const { desktop, target, at, deadline } = this;
    const { driver } = desktop;
    if (!driver.atPoint) return undefined;
    const { id, bounds, states } = target.element;
    const focus = pressedAt !== undefined && states.focusable && !states.focused ? { pressedAt } : {};
    // Some apps press what they show and report it later.
    if (bounds) await driver.waitForTreeSync?.(id, bounds, { deadline, patient: true, at, ...focus });
    const [same, found] = await Promise.all([isSame(desktop, target, deadline), driver.atPoint(at, { deadline })]);
    const own = found?.path.find((one) => one.id === id);
    if (own && same) return undefined;
    this.pressed = own ?? found?.path.findLast(isPressed);
    return this.pressed && this.beside(this.pressed);
  }

  /** Called with the pointer at `away`: the pressed element may have moved there. If so, returns another point. */
  async farther(away: Point): Promise<Point | undefined> {
    await pause(Math.min(LAID_OUT_MS, this.deadline.remaining()));
    const there = (await this.pathAt(away)).find(({ id }) => id === this.pressed?.id);
    const place = there && (await this.beside(there));
    this.stuck = there !== undefined && place === undefined;
    return place;
  }

  /** A point where no control is, if there is one: a page may also handle the release. */
  private async beside({ bounds }: Node): Promise<Point | undefined> {
    if (!bounds) return undefined;
    const { x, y } = this.at;
    const places = [
      { x: bounds.x - BESIDE_PX, y },
      { x: bounds.x + bounds.width + BESIDE_PX, y },
      { x, y: bounds.y - BESIDE_PX },
      { x, y: bounds.y + bounds.height + BESIDE_PX },
    ].filter((place) => place.x >= 0 && place.y >= 0 && !this.tried.has(`${place.x},${place.y}`));
    let best = places[0];
    for (const place of places) {
      if ((await this.pathAt(place)).some(isPressed)) continue;
      best = place;
      break;
    }
    if (best) this.tried.add(`${best.x},${best.y}`);
    return best;
  }

  /** If the app does not answer, the point counts as free: it is still better than the point of the press. */
  private async pathAt(point: Point): Promise<readonly Node[]> {
    try {
      return (await this.desktop.driver.atPoint!(point, { deadline: this.deadline }))?.path ?? [];
    } catch (error) {
      if (error instanceof DesktopError) return [];
      throw error;
    }
  }
}

const isPressed = ({ role }: Node): boolean => ACTS_ON_RELEASE.has(role);

/** Most apps have done nothing in this case. Apps that act on the press have acted. */
export function pressCancelled(
  target: Target,
  { stuck }: PressCancellation,
  cause: DesktopError,
  { sent, count }: { sent: number; count: number },
): DesktopError {
  const what = `${describeTarget(target)} changed while the mouse button`;
  const where = stuck
    ? 'released on the element that is there now, which covers every point nearby'
    : 'released elsewhere';
  const earlier = sent > 0 ? `; ${sent} of ${count} clicks ${sent === 1 ? 'was' : 'were'} sent before` : '';
  const code = sent > 0 ? 'target_changed' : cause.code;
  return new FinalActError(code, `${what} went down on it; the button was pressed and ${where}${earlier}.`, {
    delivered: stuck || sent > 0 ? 'yes' : 'unknown',
    retry: 'no',
    hint: `Run ui_snapshot ${target.window.ref} to see what the press did before you repeat it.`,
    details: cause.details,
    cause,
  });
}

async function isSame(desktop: CallView, target: Target, deadline: Deadline): Promise<boolean> {
  try {
    await currentTarget(desktop, target, deadline);
    return true;
  } catch (error) {
    if (error instanceof DesktopError) return !hasTrait(error, 'targetLost') && error.code !== 'element_not_found';
    throw error;
  }
}
