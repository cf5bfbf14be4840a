import type { Role } from './roles/roles.js';

/** What a ref means, and what its caller last saw of it. */
export interface RefRecord {
  readonly ref: string;
  /** The driver's id of the element or window. */
  readonly id: string;
  readonly windowId: string;
  readonly role: Role;
  /** As a caller last saw it: an act on another name is an act on something the caller does not know. Window: title. */
  readonly name?: string;
  /** Windows only. */
  readonly app?: string;
  /** The innermost item that the element is in, or is. */
  readonly item?: { readonly id: string; readonly role: Role; readonly name: string; readonly text: string };
  /** Snapshots. */
  readonly firstSeenIn: string;
  readonly seenIn: string;
  /** The first snapshot without it. It may come back. */
  readonly goneSince?: string;
  /** Its identity means another element now; it does not come back. */
  readonly stale: boolean;
}

export type RefLookup =
  /** There at the last look. */
  | { state: 'here'; record: RefRecord }
  /** Was not there at the last whole look at its window (`goneSince`); it keeps its ref if it comes back. */
  | { state: 'missing'; record: RefRecord }
  /** Never again that element. Without a record: so long ago that only the number is remembered. */
  | { state: 'stale'; record?: RefRecord }
  /** No such ref was ever given. */
  | { state: 'never' };

/** `e12`, `@e12` and `@12` are one ref, `w2` is a window's. Anything else is none. */
export function parseRef(text: string): string | undefined {
  const written = text.trim();
  const element = /^(?:@?e|@)([1-9]\d{0,14})$/.exec(written);
  if (element) return `e${element[1]}`;
  return /^w[1-9]\d{0,14}$/.test(written) ? written : undefined;
}
