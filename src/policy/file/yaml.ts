import { isAlias, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';
import { cleanName } from '../../shared/index.js';

export interface Place {
  line: number;
  column: number;
}

export interface YamlFault extends Place {
  message: string;
  hint?: string;
}

type Step = string | number;

/** Plain data, and where each part of it stands. */
export interface PlacedData {
  data: unknown;
  /** Of a part or, if there is none there, of the nearest one around it. */
  placeOf: (path: readonly PropertyKey[]) => Place;
  /** Of a field's name, rather than of what it holds. */
  placeOfKey: (path: readonly PropertyKey[], key: string) => Place;
}

const DEEPEST = 20;
const PLAIN_ONLY = 'Anchors, aliases and tags are not read here.';

class NotPlain extends Error {
  constructor(
    readonly at: number,
    message: string,
    readonly hint?: string,
  ) {
    super(message);
  }
}

/** The plain part of YAML: maps, lists, texts, numbers, true and false. Anything cleverer could hide what a file says. */
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
    if (wrong) return { faults: [{ ...place(wrong.pos[0]), message: inOurWords(wrong.code, wrong.message) }] };
    const data = plain(document.contents, [], (path, at, kind) => places.set(keyOf(path, kind), place(at)));
    return {
      data,
      placeOf: (path) => nearest(places, path),
      placeOfKey: (path, key) => places.get(keyOf([...path.map(stepOf), key], 'key')) ?? nearest(places, path),
    };
  } catch (error) {
    if (error instanceof NotPlain) {
      const { message, hint } = error;
      return { faults: [{ ...place(error.at), message, ...(hint && { hint }) }] };
    }
    // The parser goes down one call for each bracket; whoever nests so deep does not mean a policy.
    if (error instanceof RangeError) return { faults: [{ line: 1, column: 1, message: 'It is nested too deep.' }] };
    throw error;
  }
}

/** Before all else, since `*KeePass*` without quotes is an alias and the parser's words for that help nobody. */
function checkPlain(node: unknown, depth = 0): void {
  if (!isNode(node)) return;
  const at = node.range?.[0] ?? 0;
  if (depth > DEEPEST) throw new NotPlain(at, 'It is nested too deep.');
  if (isAlias(node)) throw new NotPlain(at, PLAIN_ONLY, 'Put a text that begins with * in quotes: "*KeePass*".');
  if (node.anchor !== undefined) throw new NotPlain(at, PLAIN_ONLY, 'Put a text that begins with & in quotes.');
  if (node.tag !== undefined) throw new NotPlain(at, PLAIN_ONLY, 'Put a text that begins with ! in quotes.');
  if (isSeq(node)) for (const item of node.items) checkPlain(item, depth + 1);
  if (isMap(node)) {
    for (const { key, value } of node.items) {
      checkPlain(key, depth + 1);
      checkPlain(value, depth + 1);
    }
  }
}

type Note = (path: readonly Step[], at: number, kind: 'key' | 'value') => void;

function plain(node: unknown, path: readonly Step[], note: Note): unknown {
  if (!isNode(node)) return null;
  const start = startOf(node);
  note(path, start, 'value');
  if (isScalar(node)) return node.value;
  if (isSeq(node)) return node.items.map((item, index) => plain(item, [...path, index], note));
  if (!isMap(node)) throw new NotPlain(start, PLAIN_ONLY);
  const entries = node.items.map(({ key, value }): [string, unknown] => {
    if (!isScalar(key) || typeof key.value !== 'string') {
      throw new NotPlain(isNode(key) ? startOf(key) : start, 'The name of a field must be a text.');
    }
    const inside = [...path, key.value];
    note(inside, startOf(key), 'key');
    // A field without a value has no place of its own.
    note(inside, startOf(key), 'value');
    return [key.value, plain(value, inside, note)];
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

/** The parser may quote the file, and a project's file may come from anywhere. */
function inOurWords(code: string, message: string): string {
  if (code === 'DUPLICATE_KEY') return 'A field stands there twice.';
  if (code === 'MULTIPLE_DOCS') return 'There is more than one document in it.';
  if (code === 'TAB_AS_INDENT') return 'Lines are indented by spaces, not by tabs.';
  return `It is not YAML: ${cleanName(message, 120).text.replace(/[.]?$/, '.')}`;
}
