import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  BASES,
  FACTORS,
  KEYS,
  LIMITS,
  nearestOf,
  parseSelector,
  PREFIXES,
  relate,
  RELATIONS,
} from '../../src/selector/index.js';
import type { Box } from '../../src/tree/index.js';

const DOCS = new URL('../../docs/', import.meta.url);
const page = readFileSync(new URL('selectors.md', DOCS), 'utf8');

function section(heading: string): string {
  const [, after = ''] = page.split(`\n## ${heading}\n`);
  return after.split('\n## ')[0]!;
}

/** Rows of the tables of a section, cell by cell; a bar in a cell is written `\|`. */
function rows(heading: string): string[][] {
  const lines = section(heading)
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('|---'));
  return lines.map((line) =>
    line
      .slice(2, -2)
      .split(/ \| /)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
}

const spans = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, code]) => code!);

test('every example is a selector', () => {
  const examples = rows('Examples').flatMap(([cell]) => spans(cell!));
  expect(examples.length).toBeGreaterThan(25);
  for (const example of examples) expect(() => parseSelector(example), example).not.toThrow();
});

test('every key and prefix is there', () => {
  const keys = spans(
    rows('Keys')
      .flatMap(([cell]) => cell!)
      .join(' '),
  );
  expect(keys.sort()).toEqual([...KEYS].sort());
  for (const prefix of PREFIXES) expect(section('Keys')).toContain(`\`${prefix}:\``);
});

test('the numbers of confidence are those in use', () => {
  const table = rows('Confidence').slice(1);
  const listed = table.filter(([, number]) => /^\d/.test(number!)).map(([, number, why]) => `${number} ${why}`);
  const used = [
    ...Object.values(BASES).map(({ base, why }) => `${base.toFixed(2)} ${why}`),
    ...Object.values(FACTORS).map(({ factor, why }) => `${factor.toFixed(2)} ${why}`),
  ];
  expect(listed).toEqual(used);
});

test('the limits are those in use', () => {
  const { characters, alternatives, steps, nesting } = LIMITS;
  expect(section('Syntax errors and limits')).toContain(
    `${characters.toLocaleString('en')} characters, ${alternatives} alternatives, ${steps} steps and ${nesting} levels`,
  );
});

describe('the pictures of the relations', () => {
  test('one for each', () => {
    expect(readdirSync(new URL('selectors/', DOCS)).sort()).toEqual(RELATIONS.map((name) => `${name}.svg`).sort());
  });

  test.each(RELATIONS)('%s is drawn as it works', (relation) => {
    const svg = readFileSync(new URL(`selectors/${relation}.svg`, DOCS), 'utf8');
    const boxes = [...svg.matchAll(/class="(\w+)" x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"/g)].map(
      ([, drawn, x, y, width, height]) => ({
        drawn: drawn!,
        bounds: { x: Number(x), y: Number(y), width: Number(width), height: Number(height) } satisfies Box,
      }),
    );
    const anchor = boxes.find(({ drawn }) => drawn === 'anchor')!;
    const others = boxes.filter((one) => one !== anchor);
    const related = relate(anchor.bounds, others, relation);
    const nearest = nearestOf(related, relation).map(({ candidate }) => candidate);
    const as = (drawn: string) => others.filter((one) => one.drawn === drawn);
    expect(nearest).toEqual(as('wins'));
    expect(related.map(({ candidate }) => candidate).filter((one) => !nearest.includes(one))).toEqual(as('further'));
    expect(as('no').length).toBeGreaterThan(0);
    expect(others.length - related.length).toBe(as('no').length);
  });
});
