import { expect, it } from 'vitest';
import { elementOf, targetOf } from '../../../tests/scenes/aims.js';
import { chosenIn } from './triggered-controls.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const LIST = elementOf({ id: 'list', role: 'combobox', name: 'Do', states: { editable: true } });

const chosen = (args: object, { tool = 'ui_set_value', element = LIST } = {}): (string | undefined)[] => [
  ...new Set(
    chosenIn(withTraits({ tool, class: 'act', caller: 'cli', args: { ...args } }), targetOf({}, { element })).map(
      ({ element: { name } }) => name,
    ),
  ),
];

it.each<[string, object, object, string[]]>([
  ['a text is the option that is called so', { value: ' Delete all ' }, {}, ['Delete all']],
  ['a number too', { value: 7 }, {}, ['7']],
  ['in a list too', { value: 'a' }, { element: elementOf({ role: 'listbox' }) }, ['a']],
  ['nothing chooses nothing', { value: '  ' }, {}, []],
  ['no value either', {}, {}, []],
  ['what is neither chooses nothing', { value: true }, {}, []],
  ['a secret is no option', { value: 'a', secret: 'pin' }, {}, []],
  ['a field has no options', { value: 'a' }, { element: elementOf({ role: 'textbox' }) }, []],
  ['another tool chooses nothing', { value: 'a', text: 'a' }, { tool: 'ui_type' }, []],
  ['a tool without text chooses nothing', { value: 'a' }, { tool: 'ui_click' }, []],
])('%s', (_, args, where, names) => {
  expect(chosen(args, where)).toEqual(names);
});

it('an option is in its list, and whatever toolkits call it', () => {
  const found = chosenIn(
    withTraits({ tool: 'ui_set_value', class: 'act', caller: 'cli', args: { value: 'a' } }),
    targetOf({}, { element: LIST }),
  );
  expect(found.map(({ element: { role } }) => role)).toEqual(['option', 'listitem', 'menuitem']);
  for (const { path } of found) expect(path.at(-1)).toBe(LIST);
});
