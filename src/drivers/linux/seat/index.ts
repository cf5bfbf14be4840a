export { bootSeat } from './boot.js';
export { sweepDeadSeats } from './end-seat.js';
export { ownSeat } from './own-seat.js';
export { installLine, packageOf } from './packages.js';
export { missingForSeat, type Missing } from './requirements.js';
