import { parseSelector, printSelector, refsIn, type Step, type Term } from '../selector/index.js';
import { CUT_MARK, DesktopError } from '../shared/index.js';
import { parseRef, type Role, ROLES } from '../tree/index.js';
import type { Args, CallStep, Target } from './trace.js';

/** An argument of a tool. */
export interface ToolField {
  name: string;
  preset?: unknown;
}

/** An argument that can be passed again, or why it cannot. */
export type RecordedArg = { name: string; value: unknown } | { name: string; lost: string };

interface RecordedArgs {
  args: RecordedArg[];
  /** How the arguments differ from the recorded ones. */
  notes: string[];
}

const SELECTOR_FIELDS = new Set(['target', 'from', 'to', 'until', 'condition', 'verify']);
/** Text arguments that a secret may replace. */
const TEXT_FIELDS = new Set(['text', 'value']);
const ONE_SECRET = /^‹secret:([A-Za-z0-9][\w.-]{0,59})›$/;
const REDACTED = /‹[^‹›]{1,100}›/;
/** The ledger ends a truncated text like this, and a truncated object with such a member. */
const TRUNCATED = /…(\(\+\d+\))?$/;
const MAX_TEXT_LENGTH = 200;

/** The arguments of a recorded act for a new call: defaults are left out, refs become selectors. */
export function recordedArgs(step: CallStep, fields: readonly ToolField[]): RecordedArgs {
  const out: RecordedArgs = { args: [], notes: [] };
  const { args = {}, target = {} } = step;
  for (const [name, value] of Object.entries(args)) {
    const field = fields.find((one) => one.name === name);
    if (!field) out.notes.push(`the argument ${name} is left out: the tool does not have it`);
    else if (!sameValue(value, field.preset)) addArg(out, { name, value, args, target });
  }
  return out;
}

interface GivenArg {
  name: string;
  value: Args[string];
  args: Args;
  target: Target;
}

function addArg(out: RecordedArgs, given: GivenArg): void {
  const { name, value, args } = given;
  const lost = lostReason(value);
  const secret = typeof value === 'string' && TEXT_FIELDS.has(name) ? ONE_SECRET.exec(value)?.[1] : undefined;
  if (secret !== undefined) out.args.push({ name: 'secret', value: secret });
  else if (TEXT_FIELDS.has(name) && args.redactInLogs === true)
    out.args.push({ name, lost: 'was kept out of the log' });
  else if (lost !== undefined) out.args.push({ name, lost });
  else if (name === 'window' || name === 'space') addWindow(out, given);
  else if (SELECTOR_FIELDS.has(name)) addSelector(out, given);
  else out.args.push({ name, value });
}

/** A window ref becomes the window's title. Coordinates of a capture are lost with the capture. */
function addWindow(out: RecordedArgs, { name, value, args, target }: GivenArg): void {
  const lost = (why: string): void => void out.args.push({ name, lost: why });
  if (typeof value !== 'string' || !/^[wc]\d+$/.test(value.trim())) out.args.push({ name, value });
  else if (value.trim().startsWith('c')) lost(`belongs to the capture ${value}, which no longer exists`);
  else if (target.window === undefined) lost(`was ${value}, a ref of the recorded session`);
  // The selector that replaces the target already names the window.
  else if (name === 'window' && isRef(args.target) && recordedSelector(target) !== undefined) return;
  else {
    out.args.push({ name, value: target.window.replace(CUT_MARK, '') });
    out.notes.push(`window ${value} is replaced by its title, because refs are valid only in their session`);
  }
}

const isRef = (value: unknown): boolean => typeof value === 'string' && namesRef(value);

function addSelector(out: RecordedArgs, { name, value, args, target }: GivenArg): void {
  const own = name === 'target' || name === 'from' ? value : (args.target ?? args.from);
  const found = recordedSelector(target);
  let lost = false;
  const again = (part: unknown): unknown => {
    if (typeof part === 'string') {
      if (!namesRef(part)) return part;
      if (part === own && found !== undefined) return found;
      lost = true;
      return part;
    }
    if (Array.isArray(part)) return part.map(again);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, member]) => [key, again(member)]));
  };
  const said = again(value);
  if (lost) out.args.push({ name, lost: `was ${JSON.stringify(value)}, a ref of the recorded session` });
  else {
    out.args.push({ name, value: said });
    if (!sameValue(said, value))
      out.notes.push(
        `${name} ${JSON.stringify(value)} is replaced by a selector for the recorded target, because refs are valid only in their session`,
      );
  }
}

/** Why a value is incomplete. */
function lostReason(value: unknown): string | undefined {
  if (typeof value === 'string') {
    if (REDACTED.test(value)) return 'was redacted in the log';
    if (TRUNCATED.test(value) && value.length > MAX_TEXT_LENGTH - 20) return 'is truncated in the log';
    return value.includes('\0') ? 'contains a character that a command line cannot pass' : undefined;
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value) && value.length > 64) return 'is truncated in the log';
  if (!Array.isArray(value) && Object.hasOwn(value, '…')) return 'is truncated in the log';
  if ((value as { redacted?: unknown }).redacted === true) return 'was redacted in the log';
  return Object.values(value)
    .map(lostReason)
    .find((why) => why !== undefined);
}

const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A longer name, or one that the log truncated, is matched by its beginning. */
const MAX_NAME_LENGTH = 60;

/** Whether a text contains a ref, which is valid only in one run of a desktop. */
function namesRef(text: string): boolean {
  if (parseRef(text) !== undefined) return true;
  try {
    return parseSelector(text).alternatives.some((chain) => refsIn(chain).length > 0);
  } catch (error) {
    // An invalid selector contains no ref; the command will report what is wrong with it.
    if (error instanceof DesktopError) return false;
    throw error;
  }
}

const textTerm = (key: 'name' | 'window', value: string): Term => {
  const whole = value.length <= MAX_NAME_LENGTH && !CUT_MARK.test(value);
  const start = value
    .replace(CUT_MARK, '')
    .slice(0, MAX_NAME_LENGTH)
    .replace(/\p{Cs}$/u, '')
    .trimEnd();
  return { kind: 'text', key, ...(whole ? { op: '=', value } : { op: '^=', value: start }) };
};

/** A selector for the recorded target by role, name and window: the best replacement for a ref. */
function recordedSelector({ role, name, window }: Target): string | undefined {
  const known = ROLES.find((one): one is Role => one === role);
  const own: Term[] = [
    ...(known ? [{ kind: 'role' as const, op: '=' as const, roles: [known] }] : []),
    ...(name ? [textTerm('name', name)] : []),
  ];
  if (own.length === 0) return undefined;
  const term: Term = own.length === 1 ? own[0]! : { kind: 'and', terms: own };
  const scope: Step[] = window ? [{ kind: 'match', term: textTerm('window', window) }] : [];
  return printSelector({ alternatives: [{ steps: [...scope, { kind: 'match', term }] }] });
}
