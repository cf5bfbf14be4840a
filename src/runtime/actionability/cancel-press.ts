import { setTimeout as pause } from 'node:timers/promises';
import { DesktopError, type Deadline, hasTrait } from '../../shared/index.js';
import { FinalActError } from '../request/act-errors.js';
import { describeTarget, type Node, type Point, type Role } from '../../tree/index.js';
import type { CallView } from '../visibility/call-view.js';
import type { Target } from '../locate/target.js';
import { currentTarget } from './recheck-target.js';

/** These do what they are for when the button is let go above them: a press can be called off. */
export const ACTS_ON_RELEASE: ReadonlySet<Role> = new Set([
  'button',
  'togglebutton',
  'checkbox',
  'radio',
  'switch',
  'link',
]);
/**
 * So far from its edge the button is let go. Not close by: a row that an app uses again may be wider in a moment, by
 * its new name (GTK 4 lays out later than it tells of a scroll, and what then lies under the mouse is clicked).
 */
const BESIDE_PX = 24;
/** Meanwhile an app has laid out what it told of. */
const LAID_OUT_MS = 60;

/** Where a mouse button that is down on the wrong thing can be let go of without doing anything. */
export class PressCancellation {
  private pressed?: Node;
  private readonly tried = new Set<string>();
  /** Wherever the mouse can go, what was pressed is there too. */
  stuck = false;

  constructor(
    private readonly desktop: CallView,
    private readonly target: Target,
    private readonly at: Point,
    private readonly deadline: Deadline,
  ) {}

  /**
   * Asked with the button down since `pressedAt`: between the last look and the press something else may have come
   * under the mouse. Undefined when all is well, or when there is nothing to save.
   */
  async find(pressedAt: number): Promise<Point | undefined> {
    const { desktop, target, at, deadline } = this;
    const { driver } = desktop;
    if (!driver.atPoint) return undefined;
    const { id, bounds, states } = target.element;
    const focus = states.focusable && !states.focused ? { pressedAt } : {};
    // Some apps press what they show and tell of it later.
    if (bounds) await driver.waitForTreeSync?.(id, bounds, { deadline, patient: true, at, ...focus });
    const [same, found] = await Promise.all([isSame(desktop, target, deadline), driver.atPoint(at, { deadline })]);
    const own = found?.path.find((one) => one.id === id);
    if (own && same) return undefined;
    this.pressed = own ?? found?.path.findLast(isPressed);
    return this.pressed && this.beside(this.pressed);
  }

  /** Asked with the mouse at `away`: what was pressed may lie there by now. Another point then. */
  async farther(away: Point): Promise<Point | undefined> {
    await pause(Math.min(LAID_OUT_MS, this.deadline.remaining()));
    const there = (await this.pathAt(away)).find(({ id }) => id === this.pressed?.id);
    const place = there && (await this.beside(there));
    this.stuck = there !== undefined && place === undefined;
    return place;
  }

  /** Where nothing else can be pressed, if there is such a place: a page may listen to where the button comes up. */
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

  /** Of who does not answer nothing is known, and where the mouse is is better than where it was pressed. */
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

/** Most apps have done nothing then; those that act on the press have done what they do. */
export function pressCancelled(target: Target, { stuck }: PressCancellation, cause: DesktopError): DesktopError {
  const what = `${describeTarget(target)} was no longer what it was when the mouse button`;
  const where = stuck ? 'let go of on what is there now: it lies wherever the mouse could go' : 'let go of elsewhere';
  return new FinalActError(cause.code, `${what} went down on it; the button was pressed and ${where}.`, {
    delivered: stuck ? 'yes' : 'unknown',
    retry: 'no',
    hint: `look what the press did before you repeat it: ui_snapshot ${target.window.ref}.`,
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
