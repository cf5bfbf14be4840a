import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import type { Term } from '../ast.js';
import { LIMITS, parseSelector } from './parse.js';
import { printSelector } from './print.js';
import { syntaxErrorText, type SyntaxDetails } from './syntax-error.js';

const printed = (input: string): string => printSelector(parseSelector(input));

function faultOf(input: string): DesktopError & { details: SyntaxDetails } {
  try {
    parseSelector(input);
  } catch (error) {
    if (error instanceof DesktopError) return error as DesktopError & { details: SyntaxDetails };
    throw error;
  }
  throw new Error(`${input} was accepted`);
}

it('long and short forms are the same selector', () => {
  const same = [
    [
      'button:Save',
      'role=button && name="Save"',
      'BUTTON : "Save"',
      'any:role=push button&&name=Save',
      '(button:Save)',
    ],
    ['#ok', 'automationId=ok', 'automationid="ok"', "#'ok'"],
    ['.Edit', 'className=Edit', 'CLASSNAME = "Edit"'],
    ['~Save*', 'name*="Save*"', 'name*=Save*', '~"Save*"'],
    ['@e12', '@12', 'e12', ' e12 '],
    ['w2', '@w2'],
    ['/x/i', 'name=/x/i', 'name~=/x/i'],
    ['"A" || "B" || "C"', '("A" || "B") || "C"', 'A||B||C'],
    ['"A" && role=link && enabled=true', '"A" && (role=link && (enabled=TRUE))'],
    ['sap:"#/app/con"', 'sap:#/app/con', 'sap:sapId="/app/con"', 'sap:sapId="##/app/con"'],
    ['ocr:OK', 'ocr:"OK"', 'ocr:text="OK"', 'ocr:name=OK'],
    ['"T" >> RIGHT-OF ( 20 ) >> x', '"T">>right-of(20)>>x'],
    ['x >> nth=0', 'x >> nth=+0', 'x >> NTH = -0'],
    ['role=header', 'role=Header', 'role=AXHeader'],
    ['cell:b7', 'Table Cell:B7', 'cell: B7'],
    ['enabled="true"', 'enabled=true', 'ENABLED = True'],
  ];
  for (const [first, ...others] of same) {
    for (const other of others) expect(parseSelector(other), other).toEqual(parseSelector(first!));
  }
});

it('different things are different selectors', () => {
  const differ = [
    ['cell:B7', 'cell:"B7"'],
    ['e12', '"e12"'],
    ['!enabled=true', 'enabled!=true'],
    ['sap:"x"', 'sap:x'],
    ['atspi:role=text', 'role=text'],
    ['"A" && "B"', '"B" && "A"'],
    ['/x/', '/x/i'],
    ['!(A && B)', '!A && B'],
  ];
  for (const [a, b] of differ) expect(parseSelector(a!), a).not.toEqual(parseSelector(b!));
});

it.each([
  ['atspi:role=text', 'atspi:role=textbox'],
  ['uia:Tab:Home', 'uia:tablist:"Home"'],
  ['ax:AXSheet:Save', 'ax:dialog:"Save"'],
  ['role!=button', 'role!=button'],
  ['role~=but', 'role~="but"'],
  ['role=/^menu/', 'role=/^menu/'],
  ['!button:Save', '!button:"Save"'],
  ['!(role=button && enabled=true)', '!(role=button && enabled=true)'],
  ['!(!("A"))', '!!"A"'],
  ['("A" && "B") || "C"', '"A" && "B" || "C"'],
  ['"A" && ("B" || "C")', '"A" && ("B" || "C")'],
  ['role=region && name=Sidebar', 'role=region && "Sidebar"'],
  ['uia:("A" || #b)', 'uia:"A" || #b'],
  ['has("A" >> right-of >> role=textbox)', 'has("A" >> right-of >> role=textbox)'],
  ['role=row && !has(ocr:"x")', 'role=row && !has(ocr:"x")'],
  ['#"a b"', '#"a b"'],
  ['#"a>>b"', '#"a>>b"'],
  ['#f(x)', '#"f(x)"'],
  ['automationId!=x', 'automationId!="x"'],
  ['automationId=""', 'automationId=""'],
  ['sap:name=Save', 'sap:name="Save"'],
  ['sap:automationId=x', 'sap:automationId="x"'],
  ['ocr:~Tot*', 'ocr:text*="Tot*"'],
  ['ocr:/tot/i', 'ocr:/tot/i'],
  ['~a\\*b*', 'name*="a\\\\*b*"'],
  ['name^=Save && value$=".txt"', 'name^="Save" && value$=".txt"'],
  ['"a" >> right-of >> "b" >> below >> "c"', '"a" >> right-of >> "b" >> below >> "c"'],
  ["'single \\' and \"double\"'", '"single \' and \\"double\\""'],
  ['First', '"First"'],
  ['E12', '"E12"'],
  ['near me', '"near me"'],
  ['button:Edit', 'button:"Edit"'],
  ['name=first', '"first"'],
  ['button:.', 'button:"."'],
  ['What?', '"What?"'],
])('%s is printed %s', (input, print) => {
  expect(printed(input)).toBe(print);
  expect(printed(print)).toBe(print);
});

const many = (count: number, part: string, joint: string): string => Array<string>(count).fill(part).join(joint);

it.each<[string, number, RegExp]>([
  ['', 1, /empty selector/],
  ['   ', 4, /empty selector/],
  ['x'.repeat(LIMITS.characters + 1), 2001, /longer than 2,000/],
  [many(9, 'a', '??'), 23, /more than 8 alternatives/],
  [many(17, 'a', '>>'), 47, /more than 16 steps/],
  ['('.repeat(9) + 'a' + ')'.repeat(9), 9, /more than 8/],
  ['!'.repeat(9) + 'a', 9, /more than 8/],
  ['has('.repeat(9) + 'a' + ')'.repeat(9), 33, /more than 8/],
  [`/${'a'.repeat(201)}/`, 1, /longer than 200/],
  ['/(/', 1, /not valid/],
  ['/\\d\\-/', 1, /not valid/],
  ['/abc', 1, /not closed/],
  ['"abc', 1, /not closed/],
  ['name^=/x/', 7, /does not go with \^=/],
  ['name~=""', 7, /empty text/],
  ['text=""', 6, /empty text/],
  ['name=', 6, /expected a value/],
  ['name= && x', 7, /expected a value/],
  ['role=', 6, /expected a value/],
  ['enabled~=true', 10, /takes = or !=/],
  ['enabled=mixed', 9, /true or false/],
  ['checked=maybe', 9, /true, false or mixed/],
  ['role~=xyz', 7, /no role contains "xyz"/],
  ['role^=button2', 7, /no role starts with/],
  ['role*=buton*', 7, /no role fits/],
  ['x && uia:#a', 6, /only at the start/],
  ['uia:sap:x', 5, /only at the start/],
  ['uia:push button:OK', 5, /neither a role nor a prefix/],
  ['"a" >> near >> below >> "b"', 16, /two relations/],
  ['"a" >> near >> nth=0', 16, /needs a target before nth/],
  ['"a" >> right of >> "b"', 8, /unknown relation/],
  ['"a" >> rightOf >> "b"', 8, /unknown relation/],
  ['"a" >> nth=x', 12, /whole number/],
  ['"a" >> nth=1.5', 12, /whole number/],
  ['"a" >> nth=1 && "b"', 14, /step of its own/],
  ['"a" >> near(1234567) >> "b"', 13, /limit in pixels/],
  ['has("a"', 1, /has\( is not closed/],
  ['("a"', 1, /is not closed/],
  ['"a")', 4, /was not opened/],
  ['has("a" ?? "b")', 9, /cannot stand inside has/],
  ['("a" ?? "b")', 6, /cannot stand inside parentheses/],
  ['has("a" "b")', 9, /expected && \|\| >> or \), found """/],
  ['ocr:#a', 1, /ocr: knows only text, not automationId/],
  ['"x" ?? ocr:button:a', 8, /ocr: knows only text, not role/],
  ['ocr:has("a")', 1, /not has/],
  ['@e0', 1, /a ref is/],
  ['@e12x', 1, /a ref is/],
  ['e012', 1, /a ref is/],
  ['...', 1, /class name/],
  ['#', 1, /an id/],
  ['#a"b', 3, /unquoted id/],
  ['region:"x"', 8, /takes the number/],
  ['uia', 1, /a prefix and may be a name/],
  ['x >> near && y', 6, /a relation/],
  ['parent', 1, /may be a step or a name/],
  ['constructor=x', 1, /unknown key/],
  ['__proto__:x', 1, /neither a role/],
])('%s is refused at %i', (input, place, message) => {
  const fault = faultOf(input);
  expect(fault.message).toMatch(message);
  expect(fault.details.position + 1).toBe(place);
  expect(fault.retry).toBe('no');
});

it.each<[string, string[]]>([
  ['nmae=x', ['name']],
  ['title=x', ['name', 'window']],
  ['Label=x', ['name']],
  ['class=x', ['className']],
  ['controlType=Button', ['role']],
  ['pid=1', ['process']],
  ['disabled=true', ['enabled']],
  ['hidden=true', ['visible']],
  ['ref=e1', ['@e12']],
  ['role=buton', ['button']],
  ['role=chekbox', ['checkbox']],
  ['atpsi:x', ['atspi']],
  ['zebra=x', []],
  ['Edit', ['role=textbox', '"Edit"']],
])('%s: did you mean %j', (input, words) => expect(faultOf(input).details.didYouMean).toEqual(words));

it('prints an error with a pointer under its position', () => {
  const input = 'button:保存 && nmae=Save';
  expect(syntaxErrorText(faultOf(input))).toBe(
    [
      'selector_syntax at 14: unknown key "nmae"',
      '  button:保存 && nmae=Save',
      '                 ^^^^',
      '  Did you mean name? To match the text itself, quote it.',
    ].join('\n'),
  );
  const long = `${'a'.repeat(500)}\n&& nmae=${'b'.repeat(500)}`;
  const lines = syntaxErrorText(faultOf(long)).split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]!.length).toBeLessThan(120);
  expect(lines[1]!.slice(lines[2]!.indexOf('^'))).toMatch(/^nmae=b/);
});

it('roles with two meanings match both', () => {
  const [chain] = parseSelector('role=AXPopUpButton').alternatives;
  expect(chain!.steps).toEqual([
    { kind: 'match', term: { kind: 'role', op: '=', roles: ['combobox', 'menubutton'] } satisfies Term },
  ]);
});
