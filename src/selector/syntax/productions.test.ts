import { expect, it } from 'vitest';
import { OPERATORS, PREFIXES, RELATIONS, type Operator } from '../ast.js';
import { KEYS, PREDICATES } from '../match/predicates.js';
import { explainSelector, printSelector } from './print.js';
import { parseSelector } from './parse.js';

// One of each production of the grammar, built from the tables that the parser uses, so that a new key is tested too.

/** Accepted, and its printed form is the same selector. */
function stands(input: string): void {
  const selector = parseSelector(input);
  expect(parseSelector(printSelector(selector)), input).toEqual(selector);
  expect(explainSelector(selector), input).not.toBe('');
}

const refused = (input: string): void => expect(() => parseSelector(input), input).toThrow();

/** A role is a word of the vocabulary, not any text. */
const TEXT_KEYS = KEYS.filter((key) => key !== 'role' && 'texts' in PREDICATES[key]);
const STATE_KEYS = KEYS.filter((key) => 'state' in PREDICATES[key]);
const VALUES: Record<Operator, string[]> = {
  '=': ['"a b"', "'a b'", 'a b', '/a|b/i', 'true'],
  '!=': ['"a b"', 'a b', '/a/'],
  '~=': ['"a b"', 'a b', '/a/i'],
  '^=': ['"a b"', 'a b'],
  '$=': ['"a b"', 'a b'],
  '*=': ['"a*b"', 'a*', '*'],
};

it.each(TEXT_KEYS.flatMap((key) => OPERATORS.map((op) => [key, op] as const)))('comparison %s %s', (key, op) => {
  for (const value of VALUES[op]) {
    stands(`${key}${op}${value}`);
    stands(`${key.toUpperCase()} ${op} ${value}`);
  }
});

it.each(STATE_KEYS)('state %s', (key) => {
  for (const value of ['true', 'false', 'TRUE', '"true"']) {
    stands(`${key}=${value}`);
    stands(`${key}!=${value}`);
  }
  for (const op of ['~=', '^=', '$=', '*=']) refused(`${key}${op}true`);
  refused(`${key}=1`);
  (key === 'checked' ? stands : refused)(`${key}=mixed`);
});

it('every key is the role, a text or a state', () => {
  expect(['role', ...TEXT_KEYS, ...STATE_KEYS].sort()).toEqual([...KEYS].sort());
  for (const value of ['button', 'Push Button', '"button"', 'AXButton', 'ControlType.Button']) {
    stands(`role=${value}`);
    stands(`role!=${value}`);
  }
  for (const part of ['~=box', '^=menu', '$="item"', '*=*button', '=/^menu/', '!=/box$/i']) stands(`role${part}`);
  for (const wrong of ['=Save', '~="a b"', '*=zz*', '=true']) refused(`role${wrong}`);
});

it.each(PREFIXES)('prefix %s:', (prefix) => {
  for (const step of [
    '"Save"',
    'Save',
    '~Sa*',
    '/save/i',
    'name=Save',
    'text~=Save',
    '!"Save"',
    '("a" || "b") && "c"',
  ]) {
    stands(`${prefix}:${step}`);
    stands(`${prefix.toUpperCase()} : ${step} >> ${prefix}:"x"`);
  }
  for (const step of ['role=button', '#id', '.class', 'enabled=true', 'has("a")', 'value=1', '@e1']) {
    (prefix === 'ocr' ? refused : stands)(`${prefix}:${step}`);
  }
});

it.each(RELATIONS)('relation %s', (relation) => {
  stands(`"Total" >> ${relation} >> role=textbox`);
  stands(`"Total" >> ${relation}(40) >> role=textbox >> nth=1`);
  stands(`"Total">>${relation.toUpperCase()} ( 0 )>>role=textbox`);
  stands(`has("a" >> ${relation} >> "b")`);
  refused(`${relation} >> "b"`);
  refused(`"a" >> ${relation}`);
  refused(`"a" >> ${relation} >> ${relation} >> "b"`);
  refused(`"a" >> ${relation} >> nth=0`);
  refused(`"a" >> ${relation}(-1) >> "b"`);
  refused(`"a" >> ${relation}("b") >> "c"`);
});

it.each([
  ['selector', ['a', 'a ?? b', 'a ?? b ?? c', '"a"??"b"']],
  ['chain', ['a', 'a >> b', 'a >> b >> c', '"a">>"b"']],
  ['nth', ['a >> nth=0', 'a >> nth=-1', 'a >> nth=12 >> b', 'a >> nth=0 >> right-of >> b']],
  ['or, and, not', ['a || b', 'a && b', 'a && b || c && d', 'a && (b || c)', '!a', '!!a', '!(a || b) && c', '! a']],
  ['has', ['has(a)', 'has( a >> b )', '!has(a)', 'has(has(a))', 'a && has(b && c) >> d', 'HAS(a)']],
  [
    'role and name',
    ['button:Save', 'button:"Save"', "button:'Save'", 'button:/save/i', 'push button:Save', 'button: Save'],
  ],
  ['cell', ['cell:B7', 'cell:Sheet1!B7', 'cell:R3C2', 'cell:"B7"', 'cell:/B/', 'cell:Total']],
  ['region and ref', ['region:12', '@e12', '@12', 'e12', '@w2', 'w2', '@e12 >> a']],
  ['id and class', ['#ok', '#"o k"', '#a.b:c[0]/d', '.Edit', '."a b"', '#ok && .Edit']],
  ['pattern', ['~a*', '~*', '~"a *"', '~a\\**']],
  [
    'name',
    ['"a"', "'a'", 'a', 'a b', 'Save As…', 'Inbox (3)', 'File name:', '/a/', '/a/i', '"\\"\\\\"', '"C:\\Users"'],
  ],
])('%s', (_, inputs) => inputs.forEach(stands));

// Every form that the predecessors of this grammar used, as their users wrote it.
it.each([
  ['@e123', '@e123'],
  ['@123', '@e123'],
  ['#id', '#id'],
  ['.class', '.class'],
  ['~Sav*', 'name*="Sav*"'],
  ['Submit', '"Submit"'],
  ['Button:Submit', 'button:"Submit"'],
  ['TextBox:Username', 'textbox:"Username"'],
  ['role=Button', 'role=button'],
  ['name="Submit"', '"Submit"'],
  ['name~="save"', 'name~="save"'],
  ['automationId="SubmitBtn"', '#SubmitBtn'],
  ['legacyId=4096', 'legacyId="4096"'],
  ['enabled=true', 'enabled=true'],
  ['visible=true', 'visible=true'],
  ['any:role=Button && name="Submit"', 'button:"Submit"'],
  ['win32:legacyId=4096', 'win32:legacyId="4096"'],
  ['sap:"#/app/con/ses/wnd[0]/tbar[0]/btn[11]"', 'sap:"/app/con/ses/wnd[0]/tbar[0]/btn[11]"'],
  ['any:text="Invoice Total" >> right-of >> any:role=Edit', 'text="Invoice Total" >> right-of >> role=textbox'],
  ['uia:automationId="SubmitBtn" ?? ocr:"Submit"', 'uia:#SubmitBtn ?? ocr:"Submit"'],
  ['region:12', 'region:12'],
])('%s', (input, print) => {
  stands(input);
  expect(printSelector(parseSelector(input))).toBe(print);
});
