import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { cleanName } from '../../shared/index.js';

export interface Place {
  line: number;
  column: number;
}

interface YamlFault extends Place {
  message: string;
  hint?: string;
}

type Step = string | number;

/** Plain data with the position of each part. */
export interface PlacedData {
  data: unknown;
  /** Position of a value or, if it does not exist, of the nearest value around it. */
  placeOf: (path: readonly PropertyKey[]) => Place;
  /** Position of a field's name, not of its value. */
  placeOfKey: (path: readonly PropertyKey[], key: string) => Place;
}

const MAX_DEPTH = 20;
const UNSUPPORTED = 'Anchors, aliases and tags are not supported.';

class UnsupportedYaml extends Error {
  constructor(
    readonly at: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/**
 * Reads the plain subset of YAML: maps, lists, strings, numbers and booleans. Other features could hide what a file
 * means.
 */
export function readYaml(source: string): PlacedData | { faults: YamlFault[] } {
  const lines = new LineCounter();
  const place = (at: number): Place => {
    const { line, col } = lines.linePos(at);
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const places = new Map<string, Place>();
  try {
    const document = parseDocument(source, {
      ...{ lineCounter: lines, prettyErrors: false, uniqueKeys: true, schema: 'core', version: '1.2', merge: false },
    });
    const [wrong] = [...document.errors, ...document.warnings];
    if (document.contents) checkPlain(document.contents);
    if (wrong) return { faults: [{ ...place(wrong.pos[0]), message: describeYamlError(wrong.code, wrong.message) }] };
    const data = toPlainData(document.contents, [], (path, at, kind) => places.set(keyOf(path, kind), place(at)));
    return {
      data,
      placeOf: (path) => nearest(places, path),
      placeOfKey: (path, key) => places.get(keyOf([...path.map(stepOf), key], 'key')) ?? nearest(places, path),
    };
  } catch (error) {
    if (error instanceof UnsupportedYaml) {
      const { message, hint } = error;
      return { faults: [{ ...place(error.at), message, ...(hint && { hint }) }] };
    }
    // The parser recurses once per bracket. No real policy is nested that deep.
    if (error instanceof RangeError)
      return { faults: [{ line: 1, column: 1, message: 'The file is nested too deeply.' }] };
    throw error;
  }
}

/**
 * Runs before anything else: `*KeePass*` without quotes is an alias, and the parser's message for that does not help.
 */
function checkPlain(node: unknown, depth = 0): void {
  if (!isNode(node)) return;
  const at = node.range?.[0] ?? 0;
  if (depth > MAX_DEPTH) throw new UnsupportedYaml(at, 'The file is nested too deeply.');
  if (isAlias(node)) throw new UnsupportedYaml(at, UNSUPPORTED, 'Put text that starts with * in quotes: "*KeePass*".');
  if (node.anchor !== undefined) throw new UnsupportedYaml(at, UNSUPPORTED, 'Put text that starts with & in quotes.');
  if (node.tag !== undefined) throw new UnsupportedYaml(at, UNSUPPORTED, 'Put text that starts with ! in quotes.');
  if (isSeq(node)) for (const item of node.items) checkPlain(item, depth + 1);
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      checkPlain(key, depth + 1);
      checkPlain(value, depth + 1);
    }
  }
}

type RecordPlace = (path: readonly Step[], at: number, kind: 'key' | 'value') => void;

function toPlainData(node: unknown, path: readonly Step[], note: RecordPlace): unknown {
  if (!isNode(node)) return null;
  const start = startOf(node);
  note(path, start, 'value');
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item, index) => toPlainData(item, [...path, index], note));
  if (!isMap(node)) throw new UnsupportedYaml(start, UNSUPPORTED);
  const entries = node.items.map(({ key, value }): [string, unknown] => {
    if (!isScalar(key) || typeof key.value !== 'string') {
      throw new UnsupportedYaml(isNode(key) ? startOf(key) : start, 'A field name must be a string.');
    }
    const inside = [...path, key.value];
    note(inside, startOf(key), 'key');
    // A field without a value has no position of its own.
    note(inside, startOf(key), 'value');
    return [key.value, toPlainData(value, inside, note)];
  });
  return Object.fromEntries(entries);
}

const startOf = (node: Node): number => node.range?.[0] ?? 0;
const keyOf = (path: readonly Step[], kind: 'key' | 'value'): string => JSON.stringify([kind, ...path]);
const stepOf = (step: PropertyKey): Step => (typeof step === 'number' ? step : String(step));

function nearest(places: ReadonlyMap<string, Place>, path: readonly PropertyKey[]): Place {
  for (let length = path.length; length >= 0; length--) {
    const found = places.get(keyOf(path.slice(0, length).map(stepOf), 'value'));
    if (found) return found;
  }
  return { line: 1, column: 1 };
}

/** The parser's message may quote the file, and a project's file is not trusted. */
function describeYamlError(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'The field is defined twice.';
  if (code === 'MULTIPLE_DOCS') return 'The file contains more than one document.';
  if (code === 'TAB_AS_INDENT') return 'Indent lines with spaces, not tabs.';
  return `Invalid YAML: ${cleanName(message, 120).text.replace(/[.]?$/, '.')}`;
}
