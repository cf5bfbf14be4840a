export { LinuxHands } from './hands.js';
export { LazyHands } from './lazy-hands.js';
export { openHands } from './open-hands.js';
export type { HumanKind } from './human-signs.js';
export { watchHumans } from './watch-humans.js';
export type { HumanEvent, HumanEvents } from './watch-humans.js';
