// @module-tag safety
import { describe, expect, it } from 'vitest';
import { elementOf, targetOf } from '../../../tests/scenes/aims.js';
import type { Element } from '../../tree/index.js';
import { asShown, cellsBeside, handlersAround } from './shown-names.js';

type Words = Parameters<typeof elementOf>[0];

const text = (name: string, children: Element[] = []): Element => elementOf({ id: name, role: 'text', name, children });
const unnamed = (role: Element['role'], children: Element[], other: Words = {}): Element =>
  elementOf({ id: role, role, name: undefined, children, ...other });
const namesOf = (element: Element): (string | undefined)[] =>
  asShown(targetOf({}, { element })).map((one) => one.element.name);

describe('the names under which a target is shown', () => {
  it.each<[string, Element, (string | undefined)[]]>([
    ['the text of a row', unnamed('listitem', [text('Forbidden')]), ['Forbidden', undefined]],
    ['all texts of a row', unnamed('row', [text('a.txt'), text('5 kB')]), ['a.txt 5 kB', 'a.txt', '5 kB', undefined]],
    ['texts deep in a cell', unnamed('cell', [unnamed('group', [text('Forbidden')])]), ['Forbidden', undefined]],
    ['the own name and the texts', unnamed('option', [text('b')], { name: 'a' }), ['a', 'b']],
    ['each text once', unnamed('option', [text('a')], { name: 'a' }), ['a']],
    [
      'not those of the rows below a row',
      unnamed('treeitem', [text('a'), unnamed('treeitem', [text('b')])]),
      ['a', undefined],
    ],
    [
      'not those of a control in a row',
      unnamed('row', [text('a'), unnamed('button', [text('b')], { name: 'c' })]),
      ['a', undefined],
    ],
    ['the text of a button without a name', unnamed('button', [text('Send')]), ['Send', undefined]],
    ['only the own name of a button', unnamed('button', [text('now')], { name: 'Send' }), ['Send']],
    ['nothing of what a group contains', unnamed('group', [text('a')]), [undefined]],
    ['nothing of an empty row', unnamed('row', []), [undefined]],
  ])('%s', (_, element, names) => {
    expect(namesOf(element)).toEqual(names);
  });
});

describe('the elements around a part', () => {
  const window = elementOf({ id: 'window', role: 'window', name: 'Forbidden window' });
  const page = elementOf({ id: 'page', role: 'document', name: 'Forbidden page' });
  const zone = elementOf({ id: 'zone', role: 'group', name: 'Drop zone' });
  const row = unnamed('row', [text('Forbidden.txt')]);
  const around = (words: Words, path: Element[]): string[] =>
    handlersAround(targetOf({}, { element: elementOf({ role: 'text', ...words }), path })).map((one) => one.element.id);

  it('are all that have a name, and rows', () => {
    expect(around({}, [window, page, zone, unnamed('group', []), row])).toEqual(['zone', 'row']);
  });

  it('count for a row, and not for a control', () => {
    expect(around({ role: 'listitem' }, [window, zone])).toEqual(['zone']);
    expect(around({ role: 'button' }, [window, zone])).toEqual([]);
  });
});

describe('the cells beside a part, without a row around them', () => {
  const cell = (id: string, y: number, other: Words = {}): Element =>
    elementOf({ id, role: 'cell', name: id, bounds: { x: 0, y, width: 50, height: 20 }, ...other });
  const beside = (cells: Element[], element: Element = cells[0]!, above: Element[] = []): string[] => {
    const table = elementOf({ id: 'table', role: 'table', children: cells });
    return cellsBeside(targetOf({}, { element, path: [table, ...above] })).map((one) => one.element.id);
  };

  it('are those at the same height', () => {
    expect(beside([cell('a', 0), cell('b', 0), cell('c', 20), cell('d', 0, { bounds: undefined })])).toEqual(['b']);
  });

  it('are those with the same number of the row, also out of view', () => {
    const at = (row: number): Words => ({ cell: { row, column: 1 }, bounds: undefined });
    expect(beside([cell('a', 0, at(1)), cell('b', 0, at(1)), cell('c', 0, at(2))])).toEqual(['b']);
  });

  it('count for a text in a cell, and not for a button in it', () => {
    const cells = [cell('a', 0), cell('b', 0)];
    expect(beside(cells, text('inner'), [cells[0]!])).toEqual(['b']);
    expect(beside(cells, elementOf({ role: 'button' }), [cells[0]!])).toEqual([]);
  });
});
