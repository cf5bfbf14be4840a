export { DBus, DBusError, Peer } from './connection.js';
export type { CallLimits } from './connection.js';
export type { CallSpec, Incoming } from './message.js';
export type { Variant } from './reader.js';
