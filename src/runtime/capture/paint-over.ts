import { intersect, type Box, type Point } from '../../tree/index.js';

/** Fills the boxes (places on the screen) with black. */
export function paintOver(
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
