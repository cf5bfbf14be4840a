import type { CallSpec } from '../dbus/index.js';

/** One call that changes something in the app, ready to be sent. */
export interface Deed {
  call: Omit<CallSpec, 'destination'>;
  /** The platform's own word for it. */
  by: string;
  /** Sent after it, on the same line, if it was not refused. */
  then?: Deed;
  /** An answer of false means that the app has nothing of the kind, not that it failed. */
  falseIsNone?: boolean;
}

/** It is so already: nothing is sent. */
export interface Already {
  already: string;
}

export const deed = (
  path: string,
  iface: string,
  member: string,
  signature: string,
  body: readonly unknown[],
  by = `${iface.slice(iface.lastIndexOf('.') + 1)} ${member}`,
): Deed => ({ call: { path, interface: iface, member, ...(signature && { signature, body }) }, by });
