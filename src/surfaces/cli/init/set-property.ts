import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';

/** A text, and what was taken out of it and put in, to the letter and with nothing of what is around it. */
export interface Rewritten {
  text: string;
  out: string;
  into: string;
}

/**
 * The text with a value at a path of its objects. Nothing else is touched: what formats whole lines would reflow a file
 * that is written in one.
 */
export function setProperty(text: string, path: readonly string[], value: unknown): Rewritten {
  const tree = parseTree(text, [], { allowTrailingComma: true })!;
  const there = findNodeAtLocation(tree, [...path]);
  if (there) return replaced(text, there, value);
  const [name, ...above] = [...path].reverse() as [string, ...string[]];
  const parent = findNodeAtLocation(tree, above.reverse());
  return parent ? putIn(text, parent, name, value) : setProperty(text, path.slice(0, -1), { [name]: value });
}

function replaced(text: string, there: Node, value: unknown): Rewritten {
  const property = there.parent!;
  const old = text.slice(there.offset, there.offset + there.length);
  const lined =
    old.includes('\n') || (typeof value === 'object' && there.type !== 'array' && inLines(text, property.parent!));
  const written = lined ? linesOf(value, text, indentAt(text, there.offset)) : JSON.stringify(value);
  const label = text.slice(property.offset, there.offset);
  return {
    text: `${text.slice(0, there.offset)}${written}${text.slice(there.offset + there.length)}`,
    out: `${label}${old}`,
    into: `${label}${written}`,
  };
}

/** As the first: behind another it would need a comma among what is not ours. */
function putIn(text: string, parent: Node, name: string, value: unknown): Rewritten {
  const at = parent.offset + 1;
  const [first] = parent.children!;
  const comma = first ? ',' : '';
  const label = JSON.stringify(name);
  const insert = (before: string, into: string, after: string): Rewritten => ({
    ...{ text: `${text.slice(0, at)}${before}${into}${after}${text.slice(at)}`, out: '', into },
  });
  if (!inLines(text, parent)) {
    const [space] = /^ */.exec(text.slice(at))!;
    return insert(space, `${label}:${space}${JSON.stringify(value)}${comma}`, '');
  }
  const outer = indentAt(text, parent.offset);
  const inner = /\n([ \t]*)$/.exec(text.slice(0, first?.offset ?? 0))?.[1] ?? `${outer}${unitOf(text)}`;
  const eol = eolOf(text);
  const closed = text.slice(at, parent.offset + parent.length).includes('\n');
  const into = `${inner}${label}: ${linesOf(value, text, inner)}${comma}`;
  return insert(eol, into, closed ? '' : `${eol}${outer}`);
}

/** Whether what is in an object stands on lines of its own. An empty one is like the rest of the file. */
function inLines(text: string, { offset, length, children }: Node): boolean {
  const [first] = children!;
  if (first) return text.slice(offset, first.offset).includes('\n');
  const isAll = text.trim().length === length;
  return isAll || text.trim().includes('\n');
}

function linesOf(value: unknown, text: string, indent: string): string {
  return JSON.stringify(value, undefined, unitOf(text)).replaceAll('\n', `${eolOf(text)}${indent}`);
}

const eolOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');
const unitOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';

/** Of the line that a place is in. */
function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))![0];
}
