import type { Role } from './roles.js';

/** A platform's word, what it means here, and what else people mean by it when they write it in a selector. */
export type RoleRow = readonly [name: string, role: Role, ...also: Role[]];
