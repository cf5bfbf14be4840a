import type { WidgetSpec, WindowSpec } from '../../src/drivers/fake/index.js';

/** A letter that is being written, with these fields in it. */
export const letterWith = (...children: WidgetSpec[]): WindowSpec => ({
  ...{ key: 'letter', title: 'Letter', app: 'mail', children },
  bounds: { x: 0, y: 0, width: 400, height: 400 },
});
