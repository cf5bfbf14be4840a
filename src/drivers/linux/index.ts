export { examineSession } from './doctor.js';
export { openLinuxDriver } from './open.js';
export { bootSeat, installLine, missingForSeat, ownSeat, packageOf, sweepDeadSeats } from './seat/index.js';
export type { Missing } from './seat/index.js';
export type { Environment } from './session.js';
