import { ATSPI_RENAMED, ATSPI_ROLES } from './atspi.js';
import { AX_ROLES, AX_SUBROLES } from './ax.js';
import { isRole, type Role, type RoleRow } from './roles.js';
import { UIA_ROLES, UIA_FIRST } from './uia.js';

/** ARIA roles with another name in our vocabulary. Users and models who know the web write them in selectors. */
const ARIA_ROLES: readonly RoleRow[] = [
  ['banner', 'region'],
  ['blockquote', 'group'],
  ['code', 'text'],
  ['complementary', 'region'],
  ['contentinfo', 'region'],
  ['definition', 'group'],
  ['deletion', 'mark'],
  ['directory', 'list'],
  ['emphasis', 'text'],
  ['feed', 'group'],
  ['generic', 'group'],
  ['gridcell', 'cell'],
  ['img', 'image'],
  ['insertion', 'mark'],
  ['main', 'region'],
  ['marquee', 'log'],
  ['navigation', 'region'],
  ['none', 'group'],
  ['note', 'article'],
  ['presentation', 'group'],
  ['search', 'region'],
  ['status', 'statusbar'],
  ['strong', 'text'],
  ['subscript', 'text'],
  ['superscript', 'text'],
  ['term', 'group'],
  ['time', 'text'],
];

/** Platforms that have role names of their own. */
export type RolePlatform = 'atspi' | 'uia' | 'ax';

/** Reduces `ControlType.Edit`, `AXTextField`, `push button`, `push-button` or `EditControl` to the bare role name. */
function normaliseWord(text: string): string {
  return text
    .toLowerCase()
    .replace(/^\s*controltype\./, '')
    .replace(/[\s\-_]+/g, '')
    .replace(/^ax/, '')
    .replace(/control$/, '');
}

type Words = ReadonlyMap<string, readonly Role[]>;

function wordsOf(...tables: readonly (readonly RoleRow[])[]): Words {
  const words = new Map<string, Role[]>();
  for (const [name, ...roles] of tables.flat()) {
    const word = normaliseWord(name);
    const known = words.get(word) ?? [];
    words.set(word, [...known, ...roles.filter((role) => !known.includes(role))]);
  }
  return words;
}

const PLATFORM_WORDS: Record<RolePlatform, Words> = {
  atspi: wordsOf(ATSPI_ROLES, ATSPI_RENAMED),
  uia: wordsOf(UIA_ROLES),
  ax: wordsOf(AX_ROLES, AX_SUBROLES),
};
const EVERY_PLATFORM = wordsOf(ATSPI_ROLES, ATSPI_RENAMED, UIA_ROLES, AX_ROLES, AX_SUBROLES, ARIA_ROLES);

/**
 * The roles that a role word stands for. Our vocabulary comes first, then the names of all platforms; a name with two
 * meanings gives both. With a platform, its names come first (`atspi` + `text` is a textbox); our words count where
 * that platform has no such name, because selectors are printed with them. Empty for an unknown word.
 */
export function rolesNamed(text: string, platform?: RolePlatform): Role[] {
  const word = normaliseWord(text);
  const own: readonly Role[] = isRole(word) ? [word] : [];
  if (platform !== undefined) return [...(PLATFORM_WORDS[platform].get(word) ?? own)];
  return [...(own.length > 0 ? own : (EVERY_PLATFORM.get(word) ?? []))];
}

/** The word that `rolesNamed` resolves to exactly these roles; our own word if there is a choice. */
export function roleWord(roles: readonly Role[], platform?: RolePlatform): string | undefined {
  const reads = (word: string): boolean => sameRoles(rolesNamed(word, platform), roles);
  const own = roles.length === 1 ? roles[0] : undefined;
  if (own !== undefined && reads(own)) return own;
  const words = platform === undefined ? EVERY_PLATFORM : PLATFORM_WORDS[platform];
  return [...words.keys()].find(reads);
}

function sameRoles(a: readonly Role[], b: readonly Role[]): boolean {
  return a.length === b.length && a.every((role) => b.includes(role));
}

/** Every role word, for did-you-mean. */
export function roleWords(platform?: RolePlatform): string[] {
  return [...(platform === undefined ? EVERY_PLATFORM : PLATFORM_WORDS[platform]).keys()];
}

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
