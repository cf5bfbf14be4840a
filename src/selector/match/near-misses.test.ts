import { expect, it } from 'vitest';
import { el, win } from '../../tree/goldens/build.js';
import { nearMisses } from './near-misses.js';
import { canMatchIn, namesWindow, needsTree } from './read-needs.js';
import { ElementIndex } from './scene.js';
import { parseSelector } from '../syntax/parse.js';

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
