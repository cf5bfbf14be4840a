import { createHash } from 'node:crypto';
import type { Role } from './roles/roles.js';

/** One step of the path from the window to an element. */
export interface PathStep {
  role: Role;
  /** The developer's id. If there is one, the name is ignored, because names change. */
  automationId?: string;
  name?: string;
  /** Index among the siblings with the same role and the same id or name, from 0. */
  index: number;
}

/**
 * Identity for drivers whose platform has none: 64 bits over the whole path. The hash is cryptographic because names
 * come from apps, and an app must not be able to give two elements the same identity.
 * @internal No driver needs it yet.
 */
export function derivedId(path: readonly [PathStep, ...PathStep[]]): string {
  return path.reduce((parent, step) => derivedChildId(parent, step), '');
}

/** The same, one level at a time: `parent` is the parent's derived id, or the window's id (or '') at the top. */
export function derivedChildId(parent: string, step: PathStep): string {
  const key = step.automationId ? ['#', step.automationId] : ['"', step.name ?? ''];
  return hash64(JSON.stringify([parent, step.role, ...key, step.index]));
}

/** The `index` of each sibling's step. @internal */
export function siblingIndexes(siblings: readonly Omit<PathStep, 'index'>[]): number[] {
  const seen = new Map<string, number>();
  return siblings.map(({ role, automationId, name }) => {
    const alike = JSON.stringify(automationId ? [role, '#', automationId] : [role, '"', name ?? '']);
    const index = seen.get(alike) ?? 0;
    seen.set(alike, index + 1);
    return index;
  });
}

/** 16 hexadecimal digits. */
export function hash64(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
