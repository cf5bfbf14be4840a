import { requireCapability } from '../../drivers/contract/index.js';
import { type Deadline, DesktopError } from '../../shared/index.js';
import { type Box, intersect, type Node, type Point, type WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop/desktop.js';

export interface RedactedRegions {
  /** On the screen. */
  boxes: Box[];
  /** Refs of windows that did not answer. */
  silent: string[];
}

/** Longer than the time after which an app counts as hung; the capture itself needs time too. */
const READ_MS = 2_200;

/** Finds the secret fields in windows. */
export class SecretRegions {
  /** Ids of windows that had secret fields before. */
  private readonly holders = new Set<string>();

  constructor(private readonly desktop: Desktop) {}

  async find(windows: readonly WindowInfo[], area: Box | undefined, deadline: Deadline): Promise<RedactedRegions> {
    const shown = windows.filter(({ visible, minimised, bounds }) => visible && !minimised && bounds);
    const concerned = shown.filter(({ bounds }) => !area || intersect(bounds!, area));
    const found = await Promise.all(concerned.map((window) => this.inWindow(window, deadline)));
    return {
      boxes: found.flatMap(({ boxes }) => boxes).filter((box) => !area || intersect(box, area)),
      silent: found.flatMap(({ silent }) => silent),
    };
  }

  private async inWindow(window: WindowInfo, deadline: Deadline): Promise<RedactedRegions> {
    const { taint } = this.desktop.secrecy;
    const boxes = window.hung ? undefined : await this.read(window, deadline);
    if (boxes) {
      if (boxes.length > 0) this.holders.add(window.id);
      else this.holders.delete(window.id);
      return { boxes, silent: [] };
    }
    // The app does not report their positions now, but the window is known to have secret fields.
    if (this.holders.has(window.id) || taint.isTouched(window.id))
      return { boxes: [window.bounds!], silent: [window.ref] };
    return { boxes: [], silent: [window.ref] };
  }

  /** Undefined if the app does not answer, or if its answer is incomplete and a secret was typed into it. */
  private async read({ id, bounds }: WindowInfo, deadline: Deadline): Promise<Box[] | undefined> {
    try {
      const options = { deadline: deadline.atMost(READ_MS) };
      const { root, degraded } = await requireCapability(this.desktop.driver, 'read')({ window: id }, options);
      const { taint } = this.desktop.secrecy;
      if (taint.empty) return [...secretBoxes(root)];
      if (degraded && taint.isTouched(id)) return undefined;
      const { boxes, whole } = taint.redactionBoxes([root], id);
      return whole ? [bounds!] : [...secretBoxes(root), ...boxes];
    } catch (error) {
      deadline.throwIfOver('The picture');
      if (error instanceof DesktopError) return undefined;
      throw error;
    }
  }
}

function* secretBoxes(node: Node): Generator<Box> {
  if (node.states.secret && node.bounds) yield node.bounds;
  for (const child of node.children) yield* secretBoxes(child);
}

/** Fills the boxes (in screen coordinates) with black. */
export function paintBlack(
  picture: { width: number; height: number; rgba: Buffer; origin: Point },
  boxes: readonly Box[],
): void {
  const { width, height, rgba, origin } = picture;
  for (const box of boxes) {
    const part = intersect(box, { ...origin, width, height });
    if (!part) continue;
    for (let y = part.y - origin.y; y < part.y - origin.y + part.height; y += 1) {
      const start = (y * width + part.x - origin.x) * 4;
      rgba.fill(BLACK, start, start + part.width * 4);
    }
  }
}

const BLACK = Buffer.from([0, 0, 0, 255]);
