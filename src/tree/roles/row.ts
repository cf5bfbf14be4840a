import type { Role } from './roles.js';

/** A platform's role name, our role for it, and other roles that users may mean by that name in a selector. */
export type RoleRow = readonly [name: string, role: Role, ...also: Role[]];
