export { bootSeat } from './boot.js';
export { sweepDeadSeats } from './cleanup.js';
export { ownSeat } from './launch/launch.js';
export { installLine, packageOf } from './requirements.js';
export { missingForSeat, type Missing } from './requirements.js';
