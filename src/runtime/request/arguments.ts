import { z } from 'zod';
import { DesktopError, didYouMean } from '../../shared/index.js';
import type { SnapshotStore } from '../desktop/snapshot-store.js';

interface Property {
  type?: string;
  anyOf?: Property[];
  items?: Property;
}

/** Fields that name an element. */
const TARGETS: ReadonlySet<string> = new Set(['target', 'from', 'to']);

/**
 * Validates a caller's arguments. Models write "5" for 5, "true" for true and null for an absent value: these are
 * accepted, because they are unambiguous. Unknown fields are rejected.
 */
export function validateArguments<Input extends z.ZodObject>(
  tool: string,
  input: Input,
  given: unknown,
  /** Returns the ref of an element that a program names by its snapshot. */
  refOf?: (element: ElementInSnapshot) => string,
): z.output<Input> {
  if (given !== undefined && given !== null && (typeof given !== 'object' || Array.isArray(given))) {
    throw new DesktopError('bad_arguments', `${tool} takes named arguments.`, { hint: fieldsHint(input) });
  }
  const fields = Object.keys(input.shape);
  const args: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!fields.includes(name)) throw unknownField(tool, name, fields);
    if (refOf && TARGETS.has(name) && isElementInSnapshot(value)) args[name] = refOf(value);
    else if (value !== null && value !== undefined) args[name] = value;
  }
  const parsed = input.safeParse(coerce(input, args));
  if (parsed.success && holdsNul(parsed.data)) {
    throw new DesktopError('bad_arguments', `${tool}: no argument can contain the character NUL.`, {
      hint: 'Remove it: no app accepts it in a text.',
    });
  }
  if (parsed.success) return parsed.data;
  throw wrong(tool, parsed.error, input, args);
}

/** D-Bus and X servers end a text there, or end the connection. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.values(value).some(holdsNul);
}

function unknownField(tool: string, name: string, fields: string[]): DesktopError {
  const guess = didYouMean(name, fields);
  const quoted = JSON.stringify(name.slice(0, 40));
  return new DesktopError('bad_arguments', `${tool} has no field ${quoted}.`, {
    hint: guess ? `Did you mean ${guess}?` : fields.length === 0 ? 'It takes none.' : `It takes ${fields.join(', ')}.`,
  });
}

function wrong(tool: string, error: z.ZodError, input: z.ZodObject, given: unknown): DesktopError {
  const issue = error.issues[0]!;
  const field = issue.path.join('.');
  if (field !== '' && (issue.code === 'invalid_type' || issue.code === 'invalid_union') && isMissing(issue.message)) {
    return new DesktopError('bad_arguments', `${tool} needs ${field}.`, { hint: fieldsHint(input) });
  }
  if (issue.code === 'invalid_value')
    return noneOf(tool, field, issue.values.map(String), valueAt(given, issue.path), input);
  const bound = boundWords(issue);
  if (bound) return new DesktopError('bad_arguments', `${tool}: ${field} ${bound}.`, { hint: fieldsHint(input) });
  const words = issue.message.replace(/^Invalid input: expected (\w+), received (\w+).*$/, 'must be a $1, not a $2');
  const sentence = field === '' ? words : `${field} ${words.replace(/^(?!must )/, 'is wrong: ')}`;
  return new DesktopError('bad_arguments', `${tool}: ${sentence.replace(/\.?$/, '.')}`, { hint: fieldsHint(input) });
}

function noneOf(tool: string, field: string, choices: string[], given: unknown, input: z.ZodObject): DesktopError {
  const guess = typeof given === 'string' ? didYouMean(given, choices) : undefined;
  const quoted = typeof given === 'string' ? `, not ${JSON.stringify(given.slice(0, 40))}` : '';
  return new DesktopError('bad_arguments', `${tool}: ${field} is one of ${choices.join(', ')}${quoted}.`, {
    hint: guess ? `Did you mean ${guess}?` : fieldsHint(input),
  });
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key], given);
}

function boundWords(issue: z.core.$ZodIssue): string | undefined {
  const isBound = issue.code === 'too_small' || issue.code === 'too_big';
  if (isBound && issue.origin === 'array' && issue.exact) {
    return `must have ${issue.code === 'too_small' ? issue.minimum : issue.maximum} values`;
  }
  if (issue.code === 'too_small' && issue.origin !== 'number' && issue.minimum === 1) return 'is empty';
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code !== 'too_big') return undefined;
  return issue.origin === 'string' ? `is longer than ${issue.maximum} characters` : `must be at most ${issue.maximum}`;
}

function isMissing(message: string): boolean {
  return message.includes('received undefined');
}

function fieldsHint(input: z.ZodObject): string {
  const fields = Object.keys(input.shape);
  return fields.length === 0 ? 'It takes none.' : `It takes ${fields.join(', ')}.`;
}

/** Cached per tool: creating the schema takes longer than many calls. */
const KNOWN = new WeakMap<z.ZodObject, Record<string, Property>>();

function propertiesOf(input: z.ZodObject): Record<string, Property> {
  const known = KNOWN.get(input);
  if (known) return known;
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const properties = (schema.properties ?? {}) as Record<string, Property>;
  KNOWN.set(input, properties);
  return properties;
}

function coerce(input: z.ZodObject, args: Record<string, unknown>): Record<string, unknown> {
  const properties = propertiesOf(input);
  const entries = Object.entries(args).map(([name, value]) => [name, coerceOne(properties[name], value)] as const);
  return Object.fromEntries(entries);
}

function coerceOne(property: Property | undefined, value: unknown): unknown {
  if (Array.isArray(value) && property?.items) return value.map((item) => coerceOne(property.items, item));
  if (typeof value !== 'string') return value;
  const types = property?.anyOf?.map((one) => one.type) ?? [property?.type];
  if (types.includes('string')) return value;
  if ((types.includes('integer') || types.includes('number')) && /^-?\d+(\.\d+)?$/.test(value.trim()))
    return Number(value);
  if (types.includes('boolean') && /^(true|false)$/i.test(value.trim())) return value.trim().toLowerCase() === 'true';
  return value;
}

/** Programs may use this in place of a ref: an element of one snapshot, by its ref or id there. */
export interface ElementInSnapshot {
  snapshotId: string;
  elementId: string;
}

export function isElementInSnapshot(value: unknown): value is ElementInSnapshot {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return false;
  const { snapshotId, elementId } = value as Partial<ElementInSnapshot>;
  return typeof snapshotId === 'string' && typeof elementId === 'string';
}

/** The ref of the element. It is resolved like any other ref. */
export function refInSnapshot(snapshots: SnapshotStore, { snapshotId, elementId }: ElementInSnapshot): string {
  const id = snapshotId.trim();
  const [snapshot, element] = [quote(id), quote(elementId)];
  if (snapshots.get(id)) {
    const ref = snapshots.refIn(id, elementId);
    if (ref !== undefined) return ref;
    throw new DesktopError('element_not_found', `There was no element ${element} in the snapshot ${snapshot}.`, {
      hint: 'Give a ref or an id from that snapshot.',
    });
  }
  const given = Number(/^s([1-9]\d{0,14})$/.exec(id)?.[1] ?? Infinity);
  const hint = 'Run ui_snapshot again.';
  if (given > snapshots.given)
    throw new DesktopError('element_not_found', `There is no snapshot ${snapshot}.`, { hint });
  throw new DesktopError('stale_ref', `The snapshot ${snapshot} is no longer stored.`, { retry: 'no', hint });
}

const quote = (text: string): string => JSON.stringify(text.slice(0, 40));
