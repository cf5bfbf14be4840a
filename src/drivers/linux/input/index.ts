export { LinuxHands } from './input-device.js';
export { LazyHands } from './input-device.js';
export { openHands } from './input-device.js';
export { watchHumans } from './user-input.js';
