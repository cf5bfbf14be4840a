/*
 * What D-Bus allows as names. A bus or app that is sent anything else does not answer with an error: it drops the
 * connection, and with it every other call that is under way.
 */

const LONGEST = 255;
const PATH = /^\/(?:[A-Za-z0-9_]+(?:\/[A-Za-z0-9_]+)*)?$/;
const INTERFACE = /^[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)+$/;
const MEMBER = /^[A-Za-z_][A-Za-z0-9_]*$/;
const UNIQUE = /^:[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$/;
const WELL_KNOWN = /^[A-Za-z_-][A-Za-z0-9_-]*(?:\.[A-Za-z_-][A-Za-z0-9_-]*)+$/;

export function refuseBadPath(path: string): void {
  if (!PATH.test(path)) throw new Error(`no object path: ${JSON.stringify(path)}`);
}

/** All of a call's header that stays the same for calls of its kind. */
export function refuseBadNames(spec: { destination?: string; interface: string; member: string }): void {
  const { destination, interface: iface, member } = spec;
  if (!fits(INTERFACE, iface)) throw new Error(`no interface: ${JSON.stringify(iface)}`);
  if (!fits(MEMBER, member)) throw new Error(`no member: ${JSON.stringify(member)}`);
  if (destination !== undefined && !fits(UNIQUE, destination) && !fits(WELL_KNOWN, destination))
    throw new Error(`no bus name: ${JSON.stringify(destination)}`);
}

function fits(shape: RegExp, name: string): boolean {
  return name.length <= LONGEST && shape.test(name);
}
