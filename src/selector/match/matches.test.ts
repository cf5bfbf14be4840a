import { expect, it } from 'vitest';
import { el, win } from '../../tree/goldens/build.js';
import type { Element } from '../../tree/index.js';
import type { MatchStep } from '../ast.js';
import { matches, type MatchContext } from './matches.js';
import { Regexes } from './regexes.js';
import { parseSelector } from '../syntax/parse.js';

const CONTEXT: MatchContext = {
  window: win('w2', 'notes.txt - Mousepad', 'mousepad', { pid: 4711, program: '/usr/bin/mousepad' }),
  regexes: new Regexes(),
  has: (element) => element.children.length > 0,
  region: (number) => (number === 7 ? 'e7' : undefined),
};

function fits(element: Element, selector: string, context: Partial<MatchContext> = {}): boolean {
  const step = parseSelector(selector).alternatives[0]!.steps[0] as MatchStep;
  return matches(element, step.term, { ...CONTEXT, ...context });
}

const button = (name: string, given: Parameters<typeof el>[2] = {}): Element => el('e7', 'button', { name, ...given });

it.each<[string, string, boolean]>([
  ['Save As…', 'Save As', true],
  ['Save As…', '"save as..."', true],
  ['Save As…', 'name="Save As:"', true],
  ['Save As…', 'name!="save as"', false],
  ['Save As…', 'name~="AS..."', true],
  ['Save As…', 'name~="as:"', false],
  ['Save As…', 'name^=save', true],
  ['Save As…', 'name$="as"', false],
  ['Save As…', 'name$="..."', true],
  ['Save As…', '~save*', true],
  ['Save As…', '~*as', false],
  ['Save As…', '~s*a*...', true],
  ['a*b', '~a\\*b*', true],
  ['axb', '~a\\*b*', false],
  ['What?', '~What?*', true],
  ['Whats', '~What?*', false],
  ['−', '"-"', true],
  ['x²', '"x2"', false],
  ['Copy\tCtrl+C', 'Copy', true],
  ['OK', '/^OK$/', true],
  ['Ok', '/^OK$/', false],
  ['Ok', '/^OK$/i', true],
  ['Ok', 'name!=/^OK$/', true],
  ['R&D', '"R&D"', true],
  ['File', '"&File"', false],
  ['', 'name=""', true],
  ['...', 'name=""', false],
  ['', 'name!=""', false],
  ['Don’t Save', "Don't Save", true],
])('the name %j and %s: %s', (name, selector, expected) => expect(fits(button(name), selector)).toBe(expected));

it('a button without a name has an empty one', () => {
  expect(fits(el('e1', 'button'), 'button:""')).toBe(true);
  expect(fits(el('e1', 'button'), '"x"')).toBe(false);
});

const rich = el('e7', 'togglebutton', {
  name: 'Bold',
  value: 36,
  description: 'Makes it bold',
  states: { pressed: true, focusable: true },
  platformIds: {
    automationId: 'bold-button',
    className: 'btn btn-primary',
    legacyId: '4096',
    runtimeId: '42.7',
    sapId: '/app/con[0]/ses[1]/wnd[0]/tbar[0]/btn[11]',
  },
});

it.each<[string, boolean]>([
  ['role=button', true],
  ['role=togglebutton', true],
  ['role=menubutton', false],
  ['role!=link', true],
  ['role!=button', false],
  ['role~=toggle', true],
  ['role=/^toggle/', true],
  ['button:Bold', true],
  ['text=bold', true],
  ['text=36', true],
  ['text!=37', true],
  ['text!=36', false],
  ['value=36', true],
  ['value=36.0', false],
  ['value~=6', true],
  ['description="makes it bold"', true],
  ['id="id:e7"', true],
  ['#bold-button', true],
  ['#Bold-Button', false],
  ['.btn', true],
  ['.btn-primary', true],
  ['.btn-', false],
  ['className="btn btn-primary"', true],
  ['className^=btn', true],
  ['legacyId=4096', true],
  ['runtimeId=42.7', true],
  ['sap:"/app/con/ses/wnd[0]/tbar[0]/btn[11]"', true],
  ['sap:"#/app/con[0]/ses[0]/wnd[0]/tbar[0]/btn[11]"', false],
  ['sap:"wnd[0]/tbar[0]/btn[11]"', true],
  ['sap:"tbar/btn[11]"', false],
  ['sap:"/app/btn[11]"', false],
  ['window="Notes.txt – Mousepad"', true],
  ['window~=mousepad', true],
  ['app=Mousepad', true],
  ['process=4711', true],
  ['process=4712', false],
  ['process=mousepad', true],
  ['process=Mousepad', false],
  ['process^=mouse', true],
  ['checked=true', true],
  ['checked!=true', false],
  ['focused=false', true],
  ['enabled=true && visible=true', true],
  ['selected=true', false],
  ['selected=false', false],
  ['selected!=true', true],
  ['!selected=true', true],
  ['expanded=false', false],
  ['offscreen=false', true],
  ['editable=false', false],
  ['@e7', true],
  ['e8', false],
  ['region:7', true],
  ['region:8', false],
  ['Bold || Italic', true],
  ['Bold && Italic', false],
  ['!(Bold && Italic)', true],
  ['has(x)', false],
  ['!has(x) && Bold', true],
])('a toggle button and %s: %s', (selector, expected) => expect(fits(rich, selector)).toBe(expected));

it('a read-only field is not editable, a label neither', () => {
  expect(fits(el('e1', 'textbox', { states: { readonly: true } }), 'editable=false')).toBe(true);
  expect(fits(el('e1', 'label'), 'editable=false')).toBe(false);
});

const sheetCell = el('e1', 'cell', { name: 'Total', cell: { row: 7, column: 2, address: 'B7' } });
const tableCell = el('e2', 'cell', { name: 'B7', cell: { row: 3, column: 2 } });

it.each<[string, Element, boolean]>([
  ['cell:B7', sheetCell, true],
  ['cell:b7', sheetCell, true],
  ['cell:B8', sheetCell, false],
  ['cell:R7C2', sheetCell, true],
  ['cell:Budget!B7', sheetCell, true],
  ['cell:Other!B7', sheetCell, false],
  ['cell:"B7"', sheetCell, false],
  ['cell:Total', sheetCell, true],
  ['cell:B7', tableCell, true],
  ['cell:R3C2', tableCell, true],
  ['cell:R3C3', tableCell, false],
  ['cell:B7', el('e3', 'button', { name: 'B7' }), false],
])('%s', (selector, element, expected) => {
  expect(fits(element, selector, { table: el('e9', 'sheet', { name: 'Sheet Budget' }) })).toBe(expected);
});

it('stops a regex that would run for hours', () => {
  const slow = button('ab'.repeat(100));
  expect(() => fits(slow, '/^(a|b|ab)*c$/')).toThrow(
    expect.objectContaining({ code: 'bad_arguments', message: 'The regex is too slow.' }),
  );
});

it('tests a regex once on all texts', () => {
  const regexes = new Regexes();
  const regex = { source: '^n1', ignoreCase: false };
  regexes.prime([
    [regex, Array.from({ length: 4000 }, (_, n) => `n${n}`)],
    [{ source: 'x', ignoreCase: true }, ['X', 'y', 'X']],
  ]);
  expect(regexes.test(regex, 'n17')).toBe(true);
  expect(regexes.test(regex, 'n27')).toBe(false);
  expect(regexes.test({ source: 'x', ignoreCase: true }, 'X')).toBe(true);
  expect(regexes.test({ source: 'x', ignoreCase: false }, 'X')).toBe(false);
});

it.each(['value=hunter2', 'value!=hunter2', 'value~=h', 'value=""', 'value!=""'])(
  'a comparison never reveals a secret value: %s',
  (selector) => {
    const secret = el('e8', 'passwordbox', {
      name: 'Password',
      states: { enabled: true, visible: true, secret: true },
    });
    expect(fits(secret, selector)).toBe(false);
  },
);

it.each<[string, Element[], boolean]>([
  ['one text', [el('e8', 'label', { name: 'LB 1' })], true],
  ['one text in a box', [el('e8', 'group', {}, [el('e9', 'text', { name: 'LB 1' })])], true],
  ['two texts', [el('e8', 'label', { name: 'LB 1' }), el('e9', 'label', { name: 'more' })], false],
  ['a text and a button', [el('e8', 'label', { name: 'LB 1' }), el('e9', 'button', { name: 'Del' })], false],
])('an item without a name matches the name that is printed, with %s in it', (_, children, wanted) => {
  expect(fits(el('e7', 'listitem', {}, children), 'listitem:"LB 1"')).toBe(wanted);
  expect(fits(el('e7', 'group', {}, children), 'group:"LB 1"')).toBe(false);
});
