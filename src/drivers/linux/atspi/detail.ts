import { cleanValue, looksSecret, type Node, type Pattern } from '../../../tree/index.js';
import {
  ACCESSIBLE,
  ACTION,
  EDITABLE_TEXT,
  isActions,
  readAttributes,
  readInterfaces,
  readString,
  SELECTION,
  TABLE,
  TEXT,
  VALUE,
} from './accessible.js';
import type { AppCalls } from './app-connection.js';

const DESCRIPTION_LIMIT = 2000;

type Detail = Partial<Pick<Node, 'actions' | 'description' | 'patterns' | 'platformIds' | 'level'>>;

/** Reads details that a snapshot leaves out: they cost extra calls and models rarely need them. */
export async function readDetail(calls: AppCalls, path: string, node: Node): Promise<Detail> {
  const [interfaces, attributes, description] = await Promise.all([
    readInterfaces(calls, path),
    readAttributes(calls, path),
    readString(calls, path, ACCESSIBLE, 'Description'),
  ]);
  const actions = interfaces.has(ACTION) ? await readActions(calls, path) : [];
  const placeholder = attributes.get('placeholder-text') ?? '';
  const text = cleanValue(description || placeholder, DESCRIPTION_LIMIT).text;
  const level = levelIn(attributes);
  return {
    patterns: patternsOf(interfaces, node),
    actions,
    ...(text !== '' && { description: text }),
    ...(level !== undefined && { level }),
    platformIds: {
      ...node.platformIds,
      ...pick('automationId', attributes.get('id') ?? (await readString(calls, path, ACCESSIBLE, 'AccessibleId'))),
      ...pick('className', attributes.get('class')),
    },
  };
}

/**
 * True if the description, the placeholder or the developer's id of a text field looks like a secret. A snapshot does
 * not print these, so they are read for fields only.
 */
export async function hasSecretHint(calls: AppCalls, path: string): Promise<boolean> {
  const [attributes, description, accessibleId] = await Promise.all([
    readAttributes(calls, path),
    readString(calls, path, ACCESSIBLE, 'Description'),
    readString(calls, path, ACCESSIBLE, 'AccessibleId'),
  ]);
  const labels = [description, attributes.get('placeholder-text'), attributes.get('id'), accessibleId];
  return labels.some((label) => label !== undefined && looksSecret(cleanValue(label, DESCRIPTION_LIMIT).text));
}

function pick<K extends string>(key: K, value: string | undefined): Partial<Record<K, string>> {
  return value ? ({ [key]: cleanValue(value, 200).text } as Record<K, string>) : {};
}

function patternsOf(interfaces: ReadonlySet<string>, node: Node): Pattern[] {
  const patterns: Pattern[] = [];
  if (interfaces.has(ACTION)) patterns.push('invoke');
  if (interfaces.has(VALUE)) patterns.push('value');
  if (interfaces.has(TEXT)) patterns.push('text');
  if (interfaces.has(EDITABLE_TEXT) && node.states.editable) patterns.push('editabletext');
  if (interfaces.has(SELECTION)) patterns.push('selection');
  if (interfaces.has(TABLE)) patterns.push('table');
  if (node.states.focusable) patterns.push('focus');
  return patterns;
}

async function readActions(calls: AppCalls, path: string): Promise<string[]> {
  const answer = await calls.maybe(calls.call(path, ACTION, 'GetActions'));
  const actions = calls.understood(answer?.[0], isActions) ?? [];
  return actions.slice(0, 50).map(([name]) => cleanValue(name, 80).text);
}

export async function readLevel(calls: AppCalls, path: string): Promise<number | undefined> {
  return levelIn(await readAttributes(calls, path));
}

function levelIn(attributes: ReadonlyMap<string, string>): number | undefined {
  const level = Number(attributes.get('level'));
  return Number.isInteger(level) && level > 0 ? level : undefined;
}
