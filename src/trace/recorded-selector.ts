import { parseSelector, printSelector, refsIn, type Step, type Term } from '../selector/index.js';
import { DesktopError } from '../shared/index.js';
import { parseRef, ROLES, type Role } from '../tree/index.js';
import type { Target } from './trace.js';

/** A longer name is asked for by its beginning; so is one that the log has cut. */
const LONGEST_NAME = 60;
const CUT_MARK = /…\(\+\d+\)$/;

/** Whether a text names something by a number that only one run of a desktop knows. */
export function namesRef(text: string): boolean {
  if (parseRef(text) !== undefined) return true;
  try {
    return parseSelector(text).alternatives.some((chain) => refsIn(chain).length > 0);
  } catch (error) {
    // What is no selector holds no ref either; the command will say what is wrong with it.
    if (error instanceof DesktopError) return false;
    throw error;
  }
}

const text = (key: 'name' | 'window', value: string): Term => {
  const whole = value.length <= LONGEST_NAME && !CUT_MARK.test(value);
  const start = value
    .replace(CUT_MARK, '')
    .slice(0, LONGEST_NAME)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return { kind: 'text', key, ...(whole ? { op: '=', value } : { op: '^=', value: start }) };
};

/** What was found, as a selector of role, name and window: the next best to what the caller wrote. */
export function recordedSelector({ role, name, window }: Target): string | undefined {
  const known = ROLES.find((one): one is Role => one === role);
  const own: Term[] = [
    ...(known ? [{ kind: 'role' as const, op: '=' as const, roles: [known] }] : []),
    ...(name ? [text('name', name)] : []),
  ];
  if (own.length === 0) return undefined;
  const term: Term = own.length === 1 ? own[0]! : { kind: 'and', terms: own };
  const scope: Step[] = window ? [{ kind: 'match', term: text('window', window) }] : [];
  return printSelector({ alternatives: [{ steps: [...scope, { kind: 'match', term }] }] });
}
