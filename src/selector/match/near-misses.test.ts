import { expect, it } from 'vitest';
import { el, win } from '../../tree/goldens/build.js';
import { nearMisses, presentInstead } from './near-misses.js';
import { canMatchIn, namesWindow, needsTree, withPartialTitles } from './read-needs.js';
import { resolve } from './resolve.js';
import { ElementIndex } from './scene.js';
import { parseSelector } from '../syntax/parse.js';
import { printSelector } from '../syntax/print.js';

const root = el('w1', 'window', { name: 'Orders' }, [
  el('e1', 'toolbar', { name: 'Main' }, [el('e2', 'button', { name: 'Submit', states: { enabled: false } })]),
  el('e3', 'link', { name: 'Submit' }),
  el('e4', 'button', { name: 'Secret', states: { visible: false } }),
  el('e5', 'button', { name: 'Submit order' }),
  el('e6', 'row', {}, [el('e7', 'cell', { name: 'Army Day' }), el('e8', 'cell', { name: 'April' })]),
]);
const scene = new ElementIndex([{ window: win('w1', 'Orders', 'chromium', { pid: 7 }), root }]);

it.each<[string, [string, string][]]>([
  ['Secret', [['e4', 'hidden']]],
  ['button:Submit && enabled=true', [['e2', 'enabled is false']]],
  [
    'checkbox:Submit',
    [
      ['e2', 'role is button'],
      ['e3', 'role is link'],
    ],
  ],
  [
    'Submt',
    [
      ['e2', 'its name is similar'],
      ['e3', 'its name is similar'],
    ],
  ],
  ['row:"Army Dy"', [['e6', 'its name is similar']]],
  ['toolbar:Main >> "Submit order"', [['e5', 'not inside what was named']]],
  [
    'link:Submit >> nth=3',
    [
      ['e3', 'there are fewer than the position asks for'],
      ['e2', 'role is button'],
    ],
  ],
  ['button:Submit && checked=true', [['e2', 'checked is not a state of it']]],
  ['Zebra', []],
  ['ocr:Submit', []],
])('%s', (selector, expected) => {
  const missed = nearMisses(parseSelector(selector), scene);
  expect(missed.slice(0, expected.length || 1).map(({ element, why }) => [element.ref, why])).toEqual(expected);
});

it.each<[string, string[]]>([
  ['button:Submt', ['e2']],
  ['button:"Submit ordr"', ['e5']],
  ['toolbar:Main >> button:Submt', ['e2']],
  ['button:Submit && enabled=true', ['e2']],
  // Another role, another place, hidden: it is listed, but not what the caller means.
  ['checkbox:Submit', []],
  ['toolbar:Main >> "Submit order"', []],
  ['toolbar:Main >> button:"Submit ordr"', []],
  ['Secret', []],
  ['link:Submit >> nth=3', []],
])('%s: what the caller may mean', (selector, expected) => {
  const missed = nearMisses(parseSelector(selector), scene).filter(({ likely }) => likely);
  expect(missed.slice(0, 1).map(({ element }) => element.ref)).toEqual(expected);
});

it.each<[string, string[]]>([
  ['button:Zebra', ['e2', 'e5']],
  ['link:Zebra', ['e3']],
  ['toolbar:Main >> link:Zebra', ['e2']],
  ['checkbox:Zebra', ['e2', 'e3', 'e5']],
  ['Zebra', ['e2', 'e3', 'e5']],
  ['dialog:Nowhere >> button:Zebra', []],
  ['ocr:Zebra', []],
])('%s: what is there instead', (selector, expected) => {
  expect(presentInstead(parseSelector(selector), scene).map(({ ref }) => ref)).toEqual(expected);
});

it('lists the name with the fewest different letters first', () => {
  const names = ['Save as a copy', 'Save as', 'Safe'];
  const root = el(
    'w1',
    'window',
    { name: 'A' },
    names.map((name, at) => el(`e${at}`, 'button', { name })),
  );
  const missed = nearMisses(parseSelector('button:Save'), new ElementIndex([{ window: win('w1', 'A', 'a'), root }]));
  expect(missed.map(({ element }) => element.name)).toEqual(['Safe', 'Save as', 'Save as a copy']);
});

it.each<[string, boolean, boolean]>([
  // selector, can it match in the window, can it match in a minimised one
  ['Save', true, false],
  ['window=Orders >> Save', true, true],
  ['window=Other >> Save', false, false],
  ['app=chromium && window=Other', false, false],
  ['app=chromium || window=Other', true, true],
  ['!window=Orders >> x', false, false],
  ['process=7 && button:x', true, true],
  ['process=8 && button:x', false, false],
  ['window=/^Ord/ >> x', true, true],
  ['role=dialog >> x', true, true],
  ['w1 >> x', true, true],
  ['w2 >> x', false, false],
  ['@e5', true, true],
])('%s: whether the window is read', (selector, shown, minimised) => {
  const [chain] = parseSelector(selector).alternatives;
  const window = win('w1', 'Orders', 'chromium', { pid: 7 });
  expect(canMatchIn(chain!, window)).toBe(shown);
  expect(canMatchIn(chain!, { ...window, minimised: true })).toBe(minimised);
});

it.each<[string, boolean]>([
  ['window=Orders', false],
  ['app=chromium && role=dialog', false],
  ['window~=x >> nth=0', false],
  ['window=Orders >> x', true],
  ['window=Orders && "x"', true],
  ['role=window', true],
])('%s needs a tree: %s', (selector, needed) =>
  expect(needsTree(parseSelector(selector).alternatives[0]!)).toBe(needed),
);

it.each<[string, boolean]>([
  ['window~=Ord >> x', true],
  ['window~=Ord >> nth=0 >> x', false],
  ['window=Mail >> x', false],
  ['button:Orders', false],
])('%s names the window by its title: %s', (selector, named) => {
  const [chain] = parseSelector(selector).alternatives;
  expect(namesWindow(chain!, win('w1', 'Orders', 'chromium', { pid: 7 }))).toBe(named);
});

it('tests a regex on all names at once, within one limit', () => {
  const names = Array.from({ length: 200 }, (_, at) => el(`e${at}`, 'label', { name: `${'a'.repeat(24)}${at}` }));
  const window = win('w1', 'Slow', 'app');
  const slow = new ElementIndex([{ window, root: el('w1', 'window', { name: 'Slow' }, names) }]);
  // One name takes only a part of the limit; all of them together would exceed it many times.
  expect(() => nearMisses(parseSelector('"Nowhere" >> /^(a|aa)+$/'), slow)).toThrow('The regex is too slow.');
});

it.each<[string, string]>([
  // A title that is open is meant as a whole; another one as a part, as with --window.
  ['window=orders >> Save', 'window=orders >> Save'],
  ['window=Ord >> Save', 'window~=Ord >> Save'],
  ['window=Mail >> Save', 'window~=Mail >> Save'],
  ['window=Ord && role=button', 'window~=Ord && role=button'],
  ['!window=Ord >> Save', '!window~=Ord >> Save'],
  ['window=/^Ord/ >> Save', 'window=/^Ord/ >> Save'],
  ['window!=Ord >> Save', 'window!=Ord >> Save'],
  ['app=Ord >> Save', 'app=Ord >> Save'],
])('%s is read as %s', (selector, readAs) => {
  const read = withPartialTitles(parseSelector(selector), [{ title: 'Orders' }]);
  expect(printSelector(read)).toBe(printSelector(parseSelector(readAs)));
});

it('prefers a name that is exactly as written to one with an ending', () => {
  const root = el('w1', 'window', { name: 'A' }, [
    el('e1', 'button', { name: 'Save…' }),
    el('e2', 'button', { name: 'save' }),
    el('e3', 'button', { name: 'Open…' }),
  ]);
  const scene = new ElementIndex([{ window: win('w1', 'A', 'a'), root }]);
  const found = (selector: string) => resolve(parseSelector(selector), scene).matches.map(({ element }) => element.ref);
  expect([found('button:Save'), found('button:"Save..."'), found('button:Open')]).toEqual([['e2'], ['e1'], ['e3']]);
});
