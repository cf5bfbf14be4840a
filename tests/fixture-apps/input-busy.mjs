// An input device that never rests, until the process ends: node input-busy.mjs WHAT
// Prints a line when it begins. Uses what was built, as a host does.
import { openInputDevice } from '../../dist/drivers/linux/input/input-device.js';
import { Deadline } from '../../dist/shared/index.js';

const soon = () => Deadline.in(60_000);
const device = await openInputDevice(process.env, soon());
const at = { x: 200, y: 200 };
const letter = (index) => String.fromCodePoint(0x4e00 + (index % 3000));
const acts = {
  type: (round) =>
    device.type(`aB€${[0, 1, 2, 3, 4, 5].map((i) => letter(round * 6 + i)).join('')}`, { deadline: soon() }),
  slowly: (round) => device.type(`Ä${letter(round)}b`, { delayMs: 5, deadline: soon() }),
  drag: () => device.drag(at, { x: 300, y: 260 }, { stepMs: 5, deadline: soon() }),
  click: () => device.click(at, { count: 3, modifiers: ['ctrl', 'shift'], deadline: soon() }),
  press: () => device.press([{ key: 'é', modifiers: ['ctrl', 'alt', 'shift', 'meta'] }], { deadline: soon() }),
};
console.log(JSON.stringify({ begun: process.argv[2] }));
for (let round = 0; ; round++) await acts[process.argv[2]](round);
