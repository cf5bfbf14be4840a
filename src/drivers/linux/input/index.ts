export { LinuxHands } from './hands.js';
export { LazyHands } from './lazy-hands.js';
export { openHands } from './open-hands.js';
export { watchHumans } from './watch-humans.js';
