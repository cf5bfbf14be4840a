import { z } from 'zod';
import { cleanName, didYouMean } from '../../shared/index.js';
import type { Place, PlacedData } from './yaml.js';

/** An error in a file: where it is, what is wrong, and what was probably meant. */
export interface PolicyFault extends Place {
  message: string;
  hint?: string;
}

type Issue = z.core.$ZodIssue;

/** Quotes text of a file that may come from an untrusted source. */
export const quoted = (text: string): string => JSON.stringify(cleanName(text, 40).text);

export function faultsOf(given: Issue, schema: z.ZodType, { data, placeOf, placeOfKey }: PlacedData): PolicyFault[] {
  const issue = nearestUnionIssue(given);
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = [...new Set(keysAt(schema, path))];
    return issue.keys.map((key) => ({ ...placeOfKey(path, key), ...unknownField(key, path, known) }));
  }
  const what = path.length === 0 ? 'the file' : fieldName(path);
  return [{ ...placeOf(path), ...describeIssue(issue, what, valueAt(data, path)) }];
}

function unknownField(
  key: string,
  path: readonly PropertyKey[],
  known: readonly string[],
): Omit<PolicyFault, keyof Place> {
  const where = path.length === 0 ? '' : ` in ${fieldName(path)}`;
  if (known.includes(key)) return { message: `${quoted(key)} cannot be combined with the other fields${where}.` };
  const guess = didYouMean(key, known);
  return {
    message: `Unknown field ${quoted(key)}${where}.`,
    ...(known.length > 0 && { hint: guess ? `Did you mean ${guess}?` : `Valid fields: ${known.join(', ')}.` }),
  };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  ...{
    string: 'a string (in quotes, if YAML would read it as another type)',
    number: 'a number',
    int: 'a whole number',
  },
  ...{ boolean: 'true or false', array: 'a list', object: 'a map of fields', record: 'a map of fields' },
};

function describeIssue(issue: Issue, what: string, value: unknown): Omit<PolicyFault, keyof Place> {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { message: `${what} is missing.` };
      return { message: `${what} must be ${TYPE_NAMES[issue.expected] ?? 'of another type'}.` };
    case 'invalid_value': {
      const words = issue.values.map(String);
      if (value === undefined) return { message: `${what} is missing.`, hint: `Valid values: ${words.join(', ')}.` };
      const guess = typeof value === 'string' ? didYouMean(value, words) : undefined;
      const shown = typeof value === 'string' ? quoted(value) : 'that';
      return {
        message: `${what} cannot be ${shown}.`,
        hint: guess ? `Did you mean ${guess}?` : `Valid values: ${words.join(', ')}.`,
      };
    }
    case 'too_small':
      return { message: `${what} is ${issue.origin === 'number' ? 'under' : 'shorter than'} ${issue.minimum}.` };
    case 'too_big':
      return { message: `${what} is ${issue.origin === 'number' ? 'over' : 'longer than'} ${issue.maximum}.` };
    case 'custom':
      return { message: `${what} ${issue.message}.`, ...(issue.params && { hint: String(issue.params.hint) }) };
    case 'invalid_format':
      return {
        message: `${what} ${issue.message.startsWith('Invalid') ? 'has an invalid format' : issue.message}.`,
      };
    case 'invalid_key':
      return { message: `${what} is not a valid name: use letters, digits, dots and dashes.` };
    default:
      return { message: `${what} is invalid.` };
  }
}

/** Of several forms that a value may have, reports the error for the nearest one. */
function nearestUnionIssue(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  const { path } = issue;
  const unknown = issue.errors.map((errors) => errors.flatMap((error) => unknownKeys(error)));
  const nowhere = (unknown[0] ?? []).filter((key) => unknown.every((keys) => keys.includes(key)));
  if (nowhere.length > 0) return { code: 'unrecognized_keys', keys: nowhere, path, message: '' };
  // An error in the value as a whole is further away than an error in one of its fields.
  const distance = (errors: readonly Issue[]): number =>
    errors.reduce((sum, error) => sum + (error.path.length === 0 && error.code !== 'unrecognized_keys' ? 10 : 1), 0);
  const [best] = issue.errors.filter((errors) => errors.length > 0).sort((a, b) => distance(a) - distance(b));
  return best ? nearestUnionIssue({ ...best[0]!, path: [...path, ...best[0]!.path] }) : issue;
}

function unknownKeys(issue: Issue): string[] {
  return issue.code === 'unrecognized_keys' && issue.path.length === 0 ? issue.keys : [];
}

/** `rules[2].when.app`: list items are counted from 1. */
function fieldName(path: readonly PropertyKey[]): string {
  const text = path.reduce<string>((before, step) => {
    if (typeof step === 'number') return `${before}[${step + 1}]`;
    const name = /^[\w.-]{1,40}$/.test(String(step)) ? String(step) : quoted(String(step));
    return before === '' ? name : `${before}.${name}`;
  }, '');
  return text;
}

function valueAt(data: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null ? (value as Record<PropertyKey, unknown>)[step] : undefined,
    data,
  );
}

/** The fields that the schema allows at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const bare = unwrapOptional(schema);
  const [step, ...rest] = path;
  if (bare instanceof z.ZodUnion) return bare.options.flatMap((option) => keysAt(option as z.ZodType, path));
  if (step === undefined) return bare instanceof z.ZodObject ? Object.keys(bare.shape) : [];
  if (bare instanceof z.ZodObject) {
    const inner = (bare.shape as Record<string, z.ZodType>)[String(step)];
    return inner ? keysAt(inner, rest) : [];
  }
  if (bare instanceof z.ZodArray) return keysAt(bare.element as z.ZodType, rest);
  if (bare instanceof z.ZodRecord) return keysAt(bare.valueType as z.ZodType, rest);
  return [];
}

function unwrapOptional(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional ? unwrapOptional(schema.unwrap() as z.ZodType) : schema;
}
