import { expect, it } from 'vitest';
import { aimAt, elementOf, targetOf } from '../../../tests/scenes/aims.js';
import type { Element } from '../../tree/index.js';
import { evaluatedIn, evaluatedOffScreen, notEvaluated, triggeredBy } from './triggered-controls.js';

// A word in a button in a window; what else a press on the word presses.

type Words = Parameters<typeof elementOf>[0];

const WORD: Words = { id: 'word', ref: 'e1', role: 'text', name: 'forever' };
const BOX = { x: 40, y: 50, width: 40, height: 20 };
const LARGE = { x: 0, y: 0, width: 100, height: 100 };
const MIDDLE = { x: 40, y: 40, width: 20, height: 20 };
const ELSEWHERE = { x: 300, y: 200, width: 40, height: 20 };

interface Scene {
  verb?: string;
  word?: Words;
  /** Directly around the word. */
  around?: Words;
  /** In the word. */
  inside?: Words;
  /** Beside it in the window. */
  beside?: Words;
}

function pressed({ verb = 'click', word, around, inside, beside }: Scene): string[] {
  const control = (id: string, other: Words): Element => elementOf({ id, role: 'button', bounds: BOX, ...other });
  const element = elementOf({ ...WORD, bounds: BOX, children: inside ? [control('inside', inside)] : [], ...word });
  const parent = elementOf({ id: 'around', role: 'group', name: undefined, children: [element], ...around });
  const window = elementOf({
    ...{ id: 'window', role: 'window', name: 'Accounts' },
    children: [parent, ...(beside ? [control('beside', beside)] : [])],
  });
  const target = targetOf({}, { element, path: [window, parent] });
  return triggeredBy(verb, target).map((one) => one.element.id);
}

it.each<[string, Scene, string[]]>([
  ['the button that it is in', { around: { role: 'button', name: 'Delete' } }, ['around']],
  ['no group without a name that it is in', {}, []],
  ['a group with a name that it is in', { around: { name: 'Danger' } }, ['around']],
  ['no group around a control', { word: { role: 'button' }, around: { name: 'Danger' } }, []],
  ['what lies in it where it is pressed', { inside: {} }, ['inside']],
  ['not what lies in it elsewhere', { inside: { bounds: ELSEWHERE } }, []],
  [
    'what lies on the point where it is clicked',
    { word: { clickPoint: { x: 305, y: 205 } }, inside: { bounds: ELSEWHERE } },
    ['inside'],
  ],
  ['what lies in its middle', { word: { bounds: LARGE }, inside: { bounds: MIDDLE } }, ['inside']],
  ['not what lies in its corner', { word: { bounds: LARGE }, inside: { bounds: { ...MIDDLE, x: 0, y: 0 } } }, []],
  ['not what has no place', { inside: { bounds: undefined } }, []],
  ['not what does not show', { inside: { states: { visible: false } } }, []],
  ['not what is out of view', { inside: { states: { offscreen: true } } }, []],
  ['a text in it where it is pressed', { inside: { role: 'text' } }, ['inside']],
  ['not a group in it', { inside: { role: 'group', name: undefined } }, []],
  ['nothing in what has no place itself', { word: { bounds: undefined }, inside: {} }, []],
  ['not what lies there and is not in it', { beside: {} }, []],
  ['what it is the label of', { beside: { labelId: 'word', bounds: ELSEWHERE } }, ['beside']],
  ['what it is in the label of', { beside: { labelId: 'around', bounds: ELSEWHERE } }, ['beside']],
  ['not what has another label', { beside: { labelId: 'other', bounds: ELSEWHERE } }, []],
  ['no group that it is the label of', { beside: { role: 'group', labelId: 'word' } }, []],
  ['itself not once more', { word: { role: 'button', labelId: 'word' } }, []],
])('a press presses %s', (_, scene, ids) => {
  expect(pressed(scene)).toEqual(ids);
});

const IN_A_BUTTON: Scene = { around: { role: 'button', name: 'Delete' } };

it.each<[string, Scene, string[]]>([
  ['the mouse above it', { verb: 'hover' }, []],
  ['the wheel', { verb: 'scroll' }, []],
  ['keys for what takes no focus: it is clicked for it', { verb: 'key' }, ['around']],
  ['keys for what takes the focus', { verb: 'key', word: { states: { focusable: true } } }, []],
  ['keys for a field', { verb: 'type', word: { role: 'textbox' } }, []],
  ['a click on a field', { word: { role: 'textbox' } }, ['around']],
  ['a click on what takes the focus', { word: { states: { focusable: true } } }, ['around']],
])('what is around it is pressed, or not, by %s', (_, scene, ids) => {
  expect(pressed({ ...IN_A_BUTTON, ...scene })).toEqual(ids);
});

it('what is pressed with it has the way to it', () => {
  const button = elementOf({ id: 'button', children: [elementOf(WORD)] });
  const window = elementOf({ id: 'window', role: 'window', children: [button] });
  const target = targetOf({}, { element: button.children[0]!, path: [window, button] });
  expect(triggeredBy('click', target)).toEqual([{ ...target, element: button, path: [window] }]);
});

it.each<[string, Words[], string[]]>([
  ['a control in it', [WORD, { id: 'new', role: 'button', name: 'New' }], ['New']],
  ['only controls', [WORD, { id: 'group', role: 'group', name: 'G' }, { id: 'new', name: 'New' }], ['New']],
  ['not one that was decided on', [WORD, { id: 'again', role: 'button', name: 'Send' }], []],
  ['one of that name in another role', [WORD, { id: 'new', role: 'link', name: 'Send' }], ['Send']],
  [
    'one of that name with a secret',
    [WORD, { id: 'new', role: 'button', name: 'Send', states: { secret: true } }],
    ['Send'],
  ],
  ['nothing if the target is not at the point', [{ id: 'new', role: 'button', name: 'New' }], []],
])('of the elements at the point, policy has yet to decide on %s', (_, found, names) => {
  const evaluated = new Set(
    evaluatedIn([
      aimAt({ role: 'button', name: 'Send' }),
      { verb: 'key', needs: {}, lands: { target: targetOf({ role: 'link', name: 'Read' }) } },
      { verb: 'copy', needs: {} },
    ]),
  );
  const target = targetOf({}, { element: elementOf(WORD) });
  const path = [elementOf({ id: 'window', role: 'window' }), ...found.map((one) => elementOf(one))];
  expect(evaluated.size).toBe(2);
  const controls = notEvaluated(evaluated, target, { path } as never);
  expect(controls.map(({ element }) => element.name)).toEqual(names);
  for (const { path: above } of controls) expect(above.at(-1)).toBe(target.element);
});

it.each<[string, Words, boolean]>([
  ['a text in view', { role: 'text', bounds: BOX }, false],
  ['a text out of view', { role: 'text', bounds: BOX, states: { offscreen: true } }, true],
  ['a text without a place', { role: 'text', bounds: undefined }, true],
  [
    'a button out of view: it is pressed wherever it is clicked',
    { role: 'button', states: { offscreen: true } },
    false,
  ],
  ['a row out of view: it may contain controls', { role: 'listitem', states: { offscreen: true } }, true],
  ['a row in view', { role: 'listitem', bounds: BOX }, false],
])('the click point was unknown: %s', (_, words, unknown) => {
  expect(evaluatedOffScreen(targetOf({}, { element: elementOf(words) }))).toBe(unknown);
});
