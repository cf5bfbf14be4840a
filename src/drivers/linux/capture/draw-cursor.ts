import type { CursorImage } from 'x11';
import type { Picture } from '../../contract/index.js';

/** Puts the mouse pointer where it is, as far as it is in the picture. */
export function drawCursor(picture: Picture, cursor: CursorImage): void {
  const left = cursor.x - cursor.xhot - picture.origin.x;
  const top = cursor.y - cursor.yhot - picture.origin.y;
  for (let row = Math.max(0, -top); row < Math.min(cursor.height, picture.height - top); row += 1) {
    for (let column = Math.max(0, -left); column < Math.min(cursor.width, picture.width - left); column += 1) {
      const from = (row * cursor.width + column) * 4;
      const to = ((top + row) * picture.width + left + column) * 4;
      const behind = 255 - cursor.cursorImage[from + 3]!;
      for (let channel = 0; channel < 3; channel += 1) {
        // The pointer is blue first, the picture red first.
        const over = cursor.cursorImage[from + 2 - channel]! + (picture.rgba[to + channel]! * behind) / 255;
        picture.rgba[to + channel] = Math.min(255, Math.round(over));
      }
    }
  }
}
