export { LinuxInputDevice } from './input-device.js';
export { LazyInputDevice } from './input-device.js';
export { openInputDevice } from './input-device.js';
export { watchUserInput } from './user-input.js';
