export { LinuxHands } from './hands.js';
export { openHands } from './open-hands.js';
