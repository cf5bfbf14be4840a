import { ATSPI_ROLES } from './atspi.js';
import { AX_ROLES, AX_SUBROLES } from './ax.js';
import { UIA_FIRST, UIA_ROLES } from './uia.js';
import type { Role } from './roles.js';

const AX = new Map(AX_ROLES.map(([name, role]) => [name, role]));
const AX_SUB = new Map(AX_SUBROLES.map(([name, role]) => [name, role]));

/** A number that is not in the table is `unknown`, never an error: toolkits add roles. */
export function roleFromAtspi(number: number): Role {
  return ATSPI_ROLES[number]?.[1] ?? 'unknown';
}

/** @internal No driver uses it yet. */
export function roleFromUia(controlTypeId: number): Role {
  return UIA_ROLES[controlTypeId - UIA_FIRST]?.[1] ?? 'unknown';
}

/** @internal No driver uses it yet. */
export function roleFromAx(role: string, subrole?: string): Role {
  if (subrole?.startsWith('AXMath')) return 'math';
  return (subrole === undefined ? undefined : AX_SUB.get(subrole)) ?? AX.get(role) ?? 'unknown';
}
