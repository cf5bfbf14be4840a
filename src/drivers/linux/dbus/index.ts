export { DBus, DBusError } from './connection.js';
export type { CallLimits, Peer } from './connection.js';
export type { CallSpec, Incoming } from './message.js';
export type { Variant } from './reader.js';
