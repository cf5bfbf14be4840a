import { expect, it } from 'vitest';
import { box, el, win } from '../tree/goldens/build.js';
import { calculator, fileDialog } from '../tree/goldens/examples.js';
import type { Element } from '../tree/index.js';
import { resolve } from './match/resolve.js';
import { ElementIndex, sceneOf } from './match/scene.js';
import { suggest } from './suggest.js';
import { parseSelector } from './syntax/parse.js';

function suggested(scene: ElementIndex, ref: string): [string | undefined, string | undefined] {
  const { element } = scene.places.find((place) => place.element.ref === ref)!;
  const found = suggest(element, scene);
  return [found?.selector, found?.by];
}

const toolbar = (ref: string, name: string, ...children: Element[]): Element => el(ref, 'toolbar', { name }, children);
const save = (ref: string, given: Parameters<typeof el>[2] = {}): Element =>
  el(ref, 'button', { name: 'Save', ...given });

function editor(): ElementIndex {
  const person = (n: number, name: string): Element =>
    el(`e${n}`, 'row', {}, [el(`e${n + 1}`, 'cell', { name }), el(`e${n + 2}`, 'button', { name: 'Edit' })]);
  const root = el('w3', 'window', { name: 'notes' }, [
    toolbar('e1', 'Main', save('e2')),
    toolbar('e3', 'More', save('e4'), el('e5', 'button', { name: 'Print', platformIds: { automationId: 'print' } })),
    el('e6', 'button', { name: 'Go', platformIds: { automationId: 'gen-8841207' } }),
    el('e7', 'table', {}, [person(10, 'Alice'), person(20, 'Bob')]),
    el('e30', 'group', {}, [
      el('e31', 'label', { name: 'Total', ...box(0, 0, 50, 20) }),
      el('e32', 'textbox', box(60, 0, 50, 20)),
      el('e33', 'label', { name: 'Tax', ...box(0, 30, 50, 20) }),
      el('e34', 'textbox', box(60, 30, 50, 20)),
    ]),
    el('e35', 'group', {}, [
      el('e36', 'label', { name: 'Sender', ...box(0, 100, 50, 20) }),
      el('e37', 'button', { name: 'Choose', ...box(60, 100, 50, 20) }),
      el('e38', 'label', { name: 'Receiver', ...box(0, 130, 50, 20) }),
      el('e39', 'button', { name: 'Choose', ...box(60, 130, 50, 20) }),
    ]),
    el('e40', 'list', {}, [el('e41', 'image'), el('e42', 'image')]),
    el('e48', 'group', { name: 'Sum' }, [
      el('e49', 'searchbox', { states: { editable: true } }),
      el('e60', 'searchbox', { states: { readonly: true } }),
    ]),
    el('e43', 'button', { name: 'Hidden', states: { visible: false } }),
    el('e44', 'sheet', { name: 'Sheet1', table: { rows: 9, columns: 9, sheet: true } }, [
      el('e45', 'cell', { cell: { row: 7, column: 2, address: 'B7' } }),
      el('e46', 'cell', { cell: { row: 8, column: 2, address: 'B8' } }),
    ]),
    el('e47', 'heading', { name: `Long ${'x'.repeat(200)}` }),
  ]);
  const other = el('w4', 'window', { name: 'other' }, [toolbar('e50', 'Main', save('e51'))]);
  return new ElementIndex([
    { window: win('w3', 'notes', 'mousepad'), root },
    { window: win('w4', 'other', 'gedit'), root: other },
  ]);
}

it.each([
  ['e2', 'app="mousepad" >> toolbar:"Main" >> button:"Save"', 'name'],
  ['e51', 'app="gedit" >> button:"Save"', 'name'],
  ['e5', 'app="mousepad" >> #print', 'id'],
  ['e6', 'app="mousepad" >> button:"Go"', 'name'],
  ['e12', 'app="mousepad" >> role=row && has("Alice") >> button:"Edit"', 'item'],
  ['e20', 'app="mousepad" >> role=row && has("Bob")', 'item'],
  ['e32', 'app="mousepad" >> label:"Total" >> right-of >> role=textbox', 'label'],
  ['e39', 'app="mousepad" >> label:"Receiver" >> right-of >> button:"Choose"', 'label'],
  ['e42', 'window="notes" >> role=image >> nth=1', 'position'],
  ['e49', 'app="mousepad" >> group:"Sum" >> role=searchbox && editable=true', 'role'],
  ['e60', 'app="mousepad" >> group:"Sum" >> role=searchbox && editable=false', 'role'],
  ['e43', 'app="mousepad" >> button:"Hidden" && visible=false', 'name'],
  ['e45', 'app="mousepad" >> cell:B7', 'address'],
  ['e47', `app="mousepad" >> role=heading && name^="Long ${'x'.repeat(55)}"`, 'name'],
  ['w3', 'window="notes"', 'name'],
])('%s: %s', (ref, selector, by) => expect(suggested(editor(), ref)).toEqual([selector, by]));

it('every element of a real snapshot gets a selector that finds it, and none by position if it has a unique name', () => {
  for (const scene of [sceneOf(calculator()), sceneOf(fileDialog()), editor()]) {
    for (const { element } of scene.places) {
      const found = suggest(element, scene);
      expect(found, element.ref).toBeDefined();
      expect(only(found!.selector, scene), found!.selector).toBe(element);
    }
  }
  const keys = sceneOf(calculator());
  for (const { element } of keys.places.filter((place) => place.element.role === 'button')) {
    expect(suggest(element, keys)?.by).toBe('name');
  }
});

it.each<[string, string, string, Partial<Parameters<typeof win>[3]>]>([
  ['another app', 'app="mousepad" >> button:"Go"', 'other', {}],
  ['another window of the app', 'window="notes" >> button:"Go"', 'mousepad', {}],
  ['another window of the app and of that title', 'w3 >> button:"Go"', 'mousepad', { title: 'Notes' }],
])('a suggestion does not match in %s that was not read: %s', (_, selector, app, given) => {
  const scene = editor();
  const { element } = scene.places.find((place) => place.element.ref === 'e6')!;
  const unread = [win('w9', 'elsewhere', app, given)];
  expect(suggest(element, scene, unread)?.selector.replace('@', '')).toBe(selector);
});

it('a title that two windows share is not used, even if only one of them contains the element', () => {
  const twin = (ref: string, ...children: Element[]) => ({
    window: win(ref, 'Twin', 'app'),
    root: el(ref, 'window', { name: 'Twin' }, children),
  });
  const scene = new ElementIndex([twin('w1', el('e1', 'image'), el('e2', 'image')), twin('w2', el('e3', 'image'))]);
  expect(suggested(scene, 'e2')).toEqual(['app="app" >> role=image >> nth=1', 'position']);
});

function only(selector: string, scene: ElementIndex): Element | undefined {
  const { matches } = resolve(parseSelector(selector), scene);
  return matches.length === 1 ? matches[0]!.element : undefined;
}
