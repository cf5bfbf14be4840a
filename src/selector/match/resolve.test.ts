import { expect, it } from 'vitest';
import { box, el, win } from '../../tree/goldens/build.js';
import type { Element } from '../../tree/index.js';
import { resolve, type ResolveOptions } from './resolve.js';
import { ElementIndex } from './scene.js';
import { parseSelector } from '../syntax/parse.js';

/** A text editor with its dialog, and a minimised calculator. */
function desktop(): ElementIndex {
  const row = (n: number, name: string): Element =>
    el(`e${n}`, 'row', {}, [
      el(`e${n + 1}`, 'cell', { name }),
      el(`e${n + 2}`, 'cell', {}, [el(`e${n + 3}`, 'button', { name: 'Delete' })]),
    ]);
  const dialog = el('w5', 'dialog', { name: 'Save As' }, [
    el('e60', 'label', { name: 'Name:', id: 'l1', ...box(10, 10, 50, 20) }),
    el('e61', 'textbox', { name: 'Name:', nameFrom: 'label', labelId: 'l1', ...box(70, 10, 100, 20) }),
    el('e62', 'textbox', { ...box(180, 10, 100, 20), value: '7' }),
    el('e63', 'label', { name: 'Total', ...box(10, 50, 50, 20) }),
    el('e64', 'group', { ...box(70, 50, 210, 20) }, [
      el('e65', 'textbox', { ...box(70, 50, 100, 20) }),
      el('e66', 'textbox', { ...box(180, 50, 100, 20) }),
    ]),
    el('e67', 'button', { name: 'Save', ...box(10, 90, 60, 20) }, [el('e68', 'label', { name: 'Save' })]),
    el('e69', 'button', { name: 'Cancel', ...box(80, 90, 60, 20) }),
  ]);
  const main = el('w3', 'window', { name: 'notes - Mousepad' }, [
    el('e1', 'toolbar', { name: 'Main' }, [
      el('e2', 'button', { name: 'Save' }),
      el('e3', 'button', { name: 'Open', platformIds: { automationId: 'open' } }),
    ]),
    el('e4', 'group', { name: 'Notes' }, [
      el('e5', 'group', { name: 'Notes' }, [el('e6', 'label', { name: 'Notes' })]),
    ]),
    el('e7', 'table', {}, [row(10, 'Alice'), row(20, 'Bob')]),
    el('e8', 'button', { name: 'Secret', states: { visible: false } }),
    el('e9', 'menuitem', { name: 'Copy', states: { offscreen: true } }),
  ]);
  const small = el('w1', 'window', { name: 'Calculator' }, [el('e90', 'button', { name: '7' })]);
  const mousepad = { program: '/usr/bin/mousepad', pid: 7 };
  return new ElementIndex([
    { window: win('w5', 'Save As', 'mousepad', { role: 'dialog', of: 'w3', ...mousepad }), root: dialog },
    { window: win('w3', 'notes - Mousepad', 'mousepad', mousepad), root: main },
    { window: win('w1', 'Calculator', 'gnome-calculator', { minimised: true }), root: small },
  ]);
}

function refs(selector: string, options?: ResolveOptions): string[] {
  return resolve(parseSelector(selector), desktop(), options).matches.map(({ element }) => element.ref);
}

it.each<[string, string[]]>([
  // Windows front to back, then the tree; the label in the button counts as the button.
  ['Save', ['e67', 'e2']],
  ['button:Save', ['e67', 'e2']],
  ['label:Save', ['e68']],
  ['toolbar:Main >> Save', ['e2']],
  ['window="Save As" >> Save', ['e67']],
  ['window~=mousepad >> Save', ['e2']],
  ['app=mousepad >> Save', ['e67', 'e2']],
  ['process=mousepad >> Open', ['e3']],
  ['process=7 >> Open', ['e3']],
  ['dialog:"Save As" >> button:Save', ['e67']],
  ['w3 >> Save', ['e2']],
  ['@w5', ['w5']],
  ['window="Save As"', ['w5']],
  ['app=mousepad', ['w5', 'w3']],
  ['app=mousepad && role=dialog', ['w5']],
  ['window="Save As" && button:Cancel', ['e69']],
  ['role=window', ['w5', 'w3', 'w1']],
  // Minimised windows are searched only by name.
  ['button:7', []],
  ['window=Calculator >> button:7', ['e90']],
  // Of nested elements with the same name and no control, the innermost; the field counts for its label.
  ['Notes', ['e6']],
  ['"Name"', ['e61']],
  ['label:Name', ['e60']],
  // Hidden and off screen.
  ['Secret', []],
  ['Secret && visible=false', ['e8']],
  ['@e8', ['e8']],
  ['Copy', ['e9']],
  ['visible=false', ['e8']],
  // Inside, has, nth.
  ['role=row && has(Alice) >> button:Delete', ['e13']],
  ['role=row && !has(Alice)', ['e20']],
  ['role=row && has(role=cell >> button:Delete)', ['e10', 'e20']],
  ['role=row && has(button:Delete >> role=label)', []],
  ['button:Delete >> nth=0', ['e13']],
  ['button:Delete >> nth=-1', ['e23']],
  ['button:Delete >> nth=2', []],
  ['role=row >> nth=1 >> button:Delete', ['e23']],
  ['role=group >> role=group', ['e5']],
  ['role=table >> role=table', []],
  ['role=group && Notes >> Notes', ['e6']],
  // Relations.
  ['"Name" >> right-of >> role=textbox', ['e61']],
  ['label:Name >> right-of >> role=textbox >> nth=1', ['e62']],
  ['label:Name >> right-of >> role=textbox >> nth=-1', ['e62']],
  ['label:Total >> right-of >> role=textbox', ['e65']],
  ['label:Total >> right-of(5) >> role=textbox', []],
  ['label:Total >> right-of >> role=textbox || role=group', ['e65']],
  ['label:Total >> above >> role=label', ['e60']],
  ['label:Name >> below >> role=label >> right-of >> role=textbox', ['e65']],
  ['role=group >> inside >> role=textbox', ['e65', 'e66']],
  ['toolbar:Main >> right-of >> Open', []],
  // Alternatives.
  ['Nothing ?? Open', ['e3']],
  ['Save ?? Open', ['e67', 'e2']],
  ['ocr:Open ?? Open', ['e3']],
  ['uia:Open', ['e3']],
  // Regexes.
  ['/^(Save|Open)$/', ['e67', 'e2', 'e3']],
  ['role=row && has(/^al/i)', ['e10']],
])('%s finds %j', (selector, expected) => expect(refs(selector)).toEqual(expected));

/** Two lists of days, as GTK 3 and web pages expose them: rows without a name of their own. */
function days(): ElementIndex {
  const row = (n: number, ...names: string[]): Element =>
    el(
      `e${n}`,
      'row',
      { states: { enabled: true, visible: true, selected: false } },
      names.map((name, at) => el(`e${n + at + 1}`, 'cell', { name })),
    );
  const root = el('w1', 'window', { name: 'Days' }, [
    el('e1', 'treegrid', { name: 'Work' }, [row(10, 'Army Day', 'April'), row(20, 'Earth Day', 'April')]),
    el('e2', 'treegrid', { name: 'Home' }, [row(30, 'Earth Day', 'Sunday'), row(40, 'Easter')]),
    el('e3', 'list', {}, [
      el('e50', 'listitem', {}, [el('e51', 'label', { name: 'Milk' }), el('e52', 'label', { name: 'two pints' })]),
      el('e60', 'listitem', { name: 'Bread' }, [el('e61', 'label', { name: 'brown' })]),
      el('e70', 'listitem', {}, [el('e71', 'label', { name: 'Bread' }), el('e72', 'button', { name: 'Remove' })]),
      el('e80', 'listitem', {}, [el('e81', 'button', { name: 'Remove' })]),
    ]),
    el('e4', 'group', {}, [el('e91', 'label', { name: 'Total' }), el('e92', 'label', { name: '12' })]),
  ]);
  return new ElementIndex([{ window: win('w1', 'Days', 'app'), root }]);
}

it.each<[string, string[]]>([
  ['row:"Army Day"', ['e10']],
  ['row:/^army/i', ['e10']],
  ['role=row && name~="day"', ['e10', 'e20', 'e30']],
  ['row:"Army Day" >> "April"', ['e12']],
  ['listitem:Milk', ['e50']],
  ['role=list && has(listitem:Milk)', ['e3']],
  // Only by the first text, and only for items.
  ['row:April', []],
  ['listitem:"two pints"', []],
  ['group:Total', []],
  // Two with the same first text stay two; their context distinguishes them.
  ['row:"Earth Day"', ['e20', 'e30']],
  ['treegrid:Home >> row:"Earth Day"', ['e30']],
  // A name of its own comes first, whatever element has it.
  ['listitem:Bread', ['e60']],
  ['Army Day', ['e11']],
  ['Milk', ['e51']],
  ['Remove', ['e72', 'e81']],
  ['role=row || "Army Day"', ['e10', 'e11', 'e20', 'e30', 'e40']],
  ['row:Easter || Milk', ['e40', 'e51']],
  // A selector that does not ask for an item does not match one this way.
  ['"Milk" && role!=label', []],
  ['"Milk" && !role=row && !role=label', []],
  // Items without a name still match name="".
  ['row:""', ['e10', 'e20', 'e30', 'e40']],
  ['role=row && name!=""', []],
])('an item without a name, by its first text: %s finds %j', (selector, expected) => {
  const found = resolve(parseSelector(selector), days()).matches;
  expect(found.map(({ element }) => element.ref)).toEqual(expected);
});

it.each<[string, number, string[]]>([
  ['row:"Army Day"', 0.81, ['role and whole name', 'called by the first words in it']],
  ['row:"army day"', 0.79, ['role and whole name', 'called by the first words in it', 'spelled a little differently']],
  ['row:/^Army/', 0.68, ['role and part of a name', 'called by the first words in it']],
  ['row:"Army Day" >> cell:April', 0.9, ['role and whole name']],
  ['listitem:Bread', 0.9, ['role and whole name']],
  ['role=row && has("Army Day")', 0.5, ['only role, class, state or content']],
])('the first text gives less confidence than a name: %s', (selector, confidence, reasons) => {
  const [match] = resolve(parseSelector(selector), days()).matches;
  expect(match).toMatchObject({ confidence, reasons });
});

it('skips alternatives whose driver is not available', () => {
  const sources = new Set(['atspi'] as const);
  const { matches, alternative, skipped } = resolve(parseSelector('uia:#x ?? atspi:Open'), desktop(), { sources });
  expect(matches.map(({ element }) => element.ref)).toEqual(['e3']);
  expect({ alternative, skipped }).toEqual({ alternative: 1, skipped: [{ alternative: 0, source: 'uia' }] });
  expect(() => refs('uia:#x ?? ocr:x', { sources })).toThrow(
    expect.objectContaining({ code: 'not_supported', message: 'This desktop has no uia and no ocr driver.' }),
  );
  expect(() => refs('has(ocr:x)')).toThrow(expect.objectContaining({ code: 'not_supported' }));
});

it('reports where a match is', () => {
  const [match] = resolve(parseSelector('label:Total >> right-of >> role=textbox'), desktop()).matches;
  expect(match).toMatchObject({ window: { ref: 'w5' }, distance: 10 });
  expect(match!.path.map(({ ref }) => ref)).toEqual(['w5', 'e64']);
});

it.each<[string, number, string[]]>([
  ['@e3', 1, ['by identity']],
  ['#open', 0.97, ["by the developer's id"]],
  ['toolbar:Main >> Open', 0.8, ['whole name, no role']],
  ['button:Open', 0.9, ['role and whole name']],
  ['button:open', 0.87, ['role and whole name', 'spelled a little differently']],
  ['button:Save', 0.45, ['role and whole name', 'one of 2']],
  ['button:Delete >> nth=1', 0.77, ['role and whole name', 'by position']],
  ['role=row >> nth=1 >> button:Delete', 0.9, ['role and whole name']],
  ['"Total" >> right-of >> role=textbox', 0.76, ['whole name, no role', 'by place beside another']],
  ['Nothing ?? button:Open', 0.86, ['role and whole name', 'not the first alternative']],
  ['role=button && name~=Ope', 0.75, ['role and part of a name']],
  ['(#x || "Open") && role=button', 0.9, ['role and whole name']],
  ['role=toolbar', 0.5, ['only role, class, state or content']],
  ['!"x" && role=toolbar', 0.5, ['only role, class, state or content']],
  ['value=7', 0.65, ['part of a name, or a value']],
  ['cell:Alice', 0.9, ['role and whole name']],
])('%s: %d', (selector, confidence, reasons) => {
  const [match] = resolve(parseSelector(selector), desktop()).matches;
  expect(match).toMatchObject({ confidence, reasons });
});

it('content of a hidden element is hidden too, except what a click on a menu or combo box would show', () => {
  const states = { visible: false };
  const root = el('w1', 'window', { name: 'Top' }, [
    el('e1', 'toolbar', { states }, [el('e2', 'group', {}, [el('e3', 'button', { name: 'Save' })])]),
    el('e4', 'menuitem', { name: 'File' }, [
      el('e5', 'menu', { states }, [el('e6', 'menuitem', { name: 'Save' }), el('e7', 'menuitem', { name: 'Quit' })]),
    ]),
    el('e8', 'combobox', {}, [el('e9', 'listbox', { states }, [el('e10', 'option', { name: 'Japan' })])]),
  ]);
  const scene = new ElementIndex([{ window: win('w1', 'Top', 'app'), root }]);
  const found = (selector: string): string[] =>
    resolve(parseSelector(selector), scene).matches.map(({ element }) => element.ref);
  expect(found('Save')).toEqual(['e6']);
  expect(found('Save && visible=true')).toEqual(['e6']);
  expect(found('Save && visible=false')).toEqual(['e3']);
  expect(found('Japan')).toEqual(['e10']);
  // A window that is not shown does not hide its content from selectors that name the window.
  const away = { ...root, states: { ...root.states, visible: false } };
  const minimised = new ElementIndex([
    { window: win('w1', 'Top', 'app', { visible: false, minimised: true }), root: away },
  ]);
  const quit = resolve(parseSelector('window=Top >> Quit'), minimised).matches;
  expect(quit.map(({ element }) => element.ref)).toEqual(['e7']);
});

it('finds elements inside a box that is named by a label in it', () => {
  const root = el('w1', 'window', { name: 'Top' }, [
    el('e1', 'group', { name: 'Options', ...box(0, 0, 200, 100) }, [
      el('e2', 'label', { name: 'Options', ...box(10, 0, 60, 16) }),
      el('e3', 'checkbox', { name: 'Wrap', ...box(10, 30, 80, 20) }),
    ]),
    el('e4', 'checkbox', { name: 'Wrap', ...box(10, 130, 80, 20) }),
  ]);
  const scene = new ElementIndex([{ window: win('w1', 'Top', 'app'), root }]);
  const { matches } = resolve(parseSelector('"Options" >> inside >> checkbox:Wrap'), scene);
  expect(matches.map(({ element }) => element.ref)).toEqual(['e3']);
});
