import { editDistance } from '../../shared/index.js';
import type { RolePlatform } from '../../tree/index.js';
import { type NthStep, type Relation, RELATIONS, type RelationStep, type Source, type Step } from '../ast.js';
import type { Cursor } from './cursor.js';
import { shown } from './syntax-error.js';

const NTH = /nth\s*=(?!=|~)\s*/iy;
const INTEGER = /([+-]?\d{1,9})(?![\p{L}\p{N}_.])/uy;
const RELATION = /(right-of|left-of|above|below|near|inside)\s*(?:(\()\s*|(?=>>|\?\?|\)|$))/iy;
const LIMIT = /(\d{1,6})\s*\)/y;
const WORD_BETWEEN = /(\p{Ll}[\p{L}]*(?:[-_ ]\p{L}+)?)\s*(?:\(\s*\d+\s*\))?\s*(?=>>)/uy;

/** `nth=…`; undefined if there is none here. */
export function readNth(cursor: Cursor, first: boolean): NthStep | undefined {
  const at = cursor.at;
  if (!cursor.take(NTH)) return undefined;
  if (first) {
    const hint = 'Write what to choose from: role=button >> nth=0.';
    throw cursor.fault({
      at,
      length: 'nth'.length,
      message: 'nth needs a step before it',
      hint,
      expected: ['a selector'],
    });
  }
  const number = cursor.take(INTEGER);
  // -0 becomes 0, because otherwise two spellings of one selector would differ.
  if (number) return { kind: 'nth', index: Number(number[1]) || 0 };
  throw cursor.fault({
    message: 'nth takes a whole number',
    hint: 'The first is nth=0, the last nth=-1.',
    expected: ['a number'],
  });
}

/** A relation, with or without its limit; undefined if there is none here. */
export function readRelation(cursor: Cursor): RelationStep | undefined {
  const found = cursor.take(RELATION);
  if (!found) return undefined;
  const relation = found[1]!.toLowerCase() as Relation;
  if (found[2] === undefined) return { kind: 'relation', relation };
  const limit = cursor.take(LIMIT);
  if (limit) return { kind: 'relation', relation, limit: Number(limit[1]) };
  throw cursor.fault({
    message: `${relation}( ) takes a limit in pixels`,
    hint: `The anchor stands before: "Total" >> ${relation} >> role=textbox.`,
    expected: ['a number'],
  });
}

/** Between two `>>`, a word that is nearly a relation is a mistake and not a name. */
export function refuseMisspelled(cursor: Cursor): void {
  const word = cursor.peek(WORD_BETWEEN)?.[1];
  if (word === undefined || word.length > 'right-of'.length + 2) return;
  const meant = RELATIONS.find((relation) => {
    const edits = relation.endsWith('-of') ? 2 : 1;
    return editDistance(word.toLowerCase(), relation, edits) <= edits;
  });
  if (meant === undefined) return;
  throw cursor.fault({
    length: word.length,
    message: `unknown relation "${shown(word)}"`,
    hint: `Did you mean ${meant}? To match the text itself, quote it.`,
    expected: [...RELATIONS],
    didYouMean: [meant],
  });
}

/** Checks where relations and positions are allowed. Looks at the newest step; `ended` if no other step follows. */
export function checkOrder(cursor: Cursor, steps: readonly Step[], places: readonly number[], ended = false): void {
  const step = steps.at(-1)!;
  const at = places[steps.length - 1]!;
  const before = steps.at(-2);
  if (step.kind === 'match') return;
  if (step.kind === 'nth') {
    if (before?.kind !== 'relation') return;
    const hint = `Write … >> ${before.relation} >> role=textbox >> nth=${step.index}.`;
    throw cursor.fault({
      at,
      length: 3,
      message: `${before.relation} needs a target before nth`,
      hint,
      expected: ['a selector'],
    });
  }
  const { relation } = step;
  const length = relation.length;
  if (!before) {
    const hint = `"Total" >> ${relation} >> role=textbox. The name: "${relation}".`;
    throw cursor.fault({
      at,
      length,
      message: `${relation} needs an anchor before it`,
      hint,
      expected: ['a selector'],
    });
  }
  if (before.kind === 'relation') {
    const hint = `Put a target between them: … >> ${before.relation} >> role=textbox >> ${relation} >> …`;
    throw cursor.fault({ at, length, message: 'two relations in a row', hint, expected: ['a selector'] });
  }
  if (!ended) return;
  const hint = `… >> ${relation} >> role=textbox`;
  throw cursor.fault({
    at,
    length,
    message: `${relation} needs a target after it`,
    hint,
    expected: ['>>'],
    found: 'the end',
  });
}

export interface StepContext {
  source?: Source;
  /** Position of the step's prefix, for errors about the prefix itself. */
  prefixAt: number;
}

/** The platform whose role names a prefix selects. */
export function platformOf(source: Source | undefined): RolePlatform | undefined {
  return source === 'atspi' || source === 'uia' || source === 'ax' ? source : undefined;
}
