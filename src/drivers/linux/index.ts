export { examineSession } from './doctor.js';
export { openLinuxDriver } from './connect.js';
export { bootSeat, installLine, missingForSeat, ownSeat, packageOf, sweepDeadSeats } from './private-desktop/index.js';
export type { Missing } from './private-desktop/index.js';
export type { Environment } from './session-bus.js';
