import { expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { parseSelector } from './parse.js';
import { printSelector } from './print.js';
import type { SyntaxDetails } from './syntax-error.js';

function faultOf(input: string): DesktopError {
  try {
    parseSelector(input);
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
  throw new Error(`${input} was accepted`);
}

// The inputs of the specification that are errors: number there, input, position counted from 1, message, hint.
it.each<[number, string, number, string, string]>([
  [
    31,
    'button:=',
    8,
    '"=" cannot stand in an unquoted text',
    'Join terms with &&: role=button && name="Save". A text with = must be quoted.',
  ],
  [35, "name='It''s'", 10, 'expected && || >> ?? or the end, found "\'"', 'Join terms with &&, look inside with >>.'],
  [37, 'File > Save', 6, '">" is not an operator', 'To look inside use >>: File >> …. A text with > must be quoted.'],
  [38, 'Next >>', 8, 'expected a selector, found the end', 'To match a text that contains an operator, quote it.'],
  [40, 'What??', 7, 'expected a selector, found the end', 'To match a text that contains an operator, quote it.'],
  [44, 'button:(', 8, '"(" is not closed', 'Quote the text if it contains a parenthesis: "(".'],
  [48, 'C:\\Users', 1, '"C:" is neither a role nor a prefix', 'To match a text with a colon, quote it.'],
  [49, '12:30', 1, '"12:" is neither a role nor a prefix', 'To match a text with a colon, quote it.'],
  [50, 'nmae=Save', 1, 'unknown key "nmae"', 'Did you mean name? To match the text itself, quote it.'],
  [51, 'nmae="Save" && role=button', 1, 'unknown key "nmae"', 'Did you mean name? To match the text itself, quote it.'],
  [
    52,
    'ui:name=Save',
    1,
    '"ui:" is neither a role nor a prefix',
    'Did you mean uia? To match a text with a colon, quote it.',
  ],
  [
    53,
    'Buton:Submit',
    1,
    '"Buton:" is neither a role nor a prefix',
    'Did you mean button? To match a text with a colon, quote it.',
  ],
  [
    55,
    'name:Save',
    5,
    '"name" is a key, and keys take an operator, not ":"',
    'Write name=Save. To match the text itself, quote it.',
  ],
  [
    56,
    'role:button && name:Save',
    5,
    '"role" is a key, and keys take an operator, not ":"',
    'Write role=button. To match the text itself, quote it.',
  ],
  [
    57,
    'Button:name=Save',
    8,
    'a name is expected after Button:, found a term',
    'Write role=button && name=…; a name that contains = must be quoted.',
  ],
  [
    58,
    'role=button name="Save"',
    17,
    '"=" cannot stand in an unquoted text',
    'Join terms with &&: role=button && name="Save". A text with = must be quoted.',
  ],
  [
    59,
    'role=button and name=Save',
    21,
    '"=" cannot stand in an unquoted text',
    'Join terms with &&: role=button && name="Save". A text with = must be quoted.',
  ],
  [
    60,
    'button[name=Save]',
    7,
    '"[" cannot stand in an unquoted text',
    'Positions are a step: >> nth=0. A text with brackets must be quoted: "button[name=Save]".',
  ],
  [61, 'button', 1, '"button" is a role and may be a name', 'The role: role=button. The name: "button".'],
  [62, 'Edit', 1, '"Edit" is a role and may be a name', 'The role: role=textbox. The name: "Edit".'],
  [63, 'enabled', 1, '"enabled" is a key and may be a name', 'The state: enabled=true. The name: "enabled".'],
  [
    64,
    'button:Save && enabled',
    16,
    '"enabled" is a key and may be a name',
    'The state: enabled=true. The name: "enabled".',
  ],
  [
    66,
    'button:Save & enabled=true',
    22,
    '"=" cannot stand in an unquoted text',
    'Join terms with &&: role=button && name="Save". A text with = must be quoted.',
  ],
  [67, 'name==Save', 5, '"==" is not an operator', 'Operators: = != ~= (contains) ^= $= *= (wildcards). Equals is =.'],
  [
    68,
    'name=~Save',
    5,
    '"=~" is not an operator',
    'Operators: = != ~= (contains) ^= $= *= (wildcards). Contains is ~=.',
  ],
  [
    69,
    'name=*.txt',
    6,
    '"*" cannot stand in an unquoted text',
    'Wildcards need ~ or *=: ~*.txt or name*="*.txt". The character itself must be quoted.',
  ],
  [71, 'name*=save', 7, 'no * in the pattern', 'For "contains" write name~="save", for the whole text name="save".'],
  [72, '~save', 2, 'no * in the pattern', 'For "contains" write name~="save", for the whole text name="save".'],
  [76, '/usr/bin', 6, 'unknown regex flag "bin"', 'Only i is known. To match a text that starts with /, quote it.'],
  [
    77,
    '//button',
    1,
    'empty regex',
    'XPath is not supported: use >> and has(…). To match a text that starts with /, quote it.',
  ],
  [
    79,
    '#dialog button',
    8,
    'a space cannot stand in an unquoted id',
    'Quote an id with spaces, or look inside with >>: dialog >> …',
  ],
  [81, 'ref=e12', 1, 'unknown key "ref"', 'A ref is written @e12.'],
  [
    83,
    '[e12]',
    1,
    '"[" cannot stand in an unquoted text',
    'Positions are a step: >> nth=0. A text with brackets must be quoted: "[e12]".',
  ],
  [84, '@save', 1, 'a ref is @e followed by a number', 'To match a text that starts with @, quote it.'],
  [85, 'nth=0', 1, 'nth needs a step before it', 'Write what to choose from: role=button >> nth=0.'],
  [87, 'role=button && nth=1', 16, 'nth is a step of its own', 'Write … >> nth=0.'],
  [88, 'role=button >> first', 16, '"first" may be a position or a name', 'The position: nth=0. The name: "first".'],
  [
    90,
    '"Total" >> rightof >> role=textbox',
    12,
    'unknown relation "rightof"',
    'Did you mean right-of? To match the text itself, quote it.',
  ],
  [
    91,
    'right-of >> role=textbox',
    1,
    'right-of needs an anchor before it',
    '"Total" >> right-of >> role=textbox. The name: "right-of".',
  ],
  [92, '"Total" >> near', 12, 'near needs a target after it', '… >> near >> role=textbox'],
  [
    93,
    'near("Total")',
    6,
    'near( ) takes a limit in pixels',
    'The anchor stands before: "Total" >> near >> role=textbox.',
  ],
  [
    99,
    '(role=button >> name=Save) ?? x',
    14,
    '">>" cannot stand inside parentheses',
    'Parentheses group terms of one step. Use || inside a step, ?? between whole selectors.',
  ],
  [102, '""', 1, 'an empty text as a target', 'Elements without a name: name="" together with a role.'],
  [
    105,
    'enabled=yes',
    9,
    'enabled is true or false',
    'Write enabled=true. A state that an element does not have is neither.',
  ],
  [106, 'role=buton', 6, 'unknown role "buton"', 'Did you mean button?'],
  [109, 'title=Save', 1, 'unknown key "title"', 'Did you mean name or window? To match the text itself, quote it.'],
  [110, '“Save”', 1, 'curly quotes do not quote', 'Use "straight" or \'single\' quotes.'],
  [
    112,
    'ocr:role=button',
    1,
    'ocr: knows only text, not role',
    'Write ocr:"the words on the screen", or leave the prefix out.',
  ],
  [
    115,
    'region:Sidebar',
    8,
    'region: takes the number that the overlay shows',
    'For the role write role=region && name="Sidebar".',
  ],
  [
    117,
    '"Total" >> rigth-of >> role=textbox',
    12,
    'unknown relation "rigth-of"',
    'Did you mean right-of? To match the text itself, quote it.',
  ],
  [
    118,
    '"Total" >> belw(40) >> role=textbox',
    12,
    'unknown relation "belw"',
    'Did you mean below? To match the text itself, quote it.',
  ],
  [123, 'any:', 5, 'expected a selector after any:', 'Write any:role=button or any:"Save".'],
  [124, 'Table:', 7, 'expected a name after Table:', 'Any table: role=table. The text itself: "Table:".'],
  [126, 'link:https://example.org', 11, '":" cannot stand inside an unquoted text', 'Quote it: "https://example.org".'],
  [
    127,
    '5" disk',
    2,
    '""" cannot stand in an unquoted text',
    'Join terms with &&: role=button && name="Save". A text with " must be quoted.',
  ],
])('%i: %s', (_, input, place, message, hint) => {
  const fault = faultOf(input);
  expect(fault.code).toBe('selector_syntax');
  expect((fault.details as unknown as SyntaxDetails).position + 1).toBe(place);
  expect(fault.message).toBe(message);
  expect(fault.hint).toBe(hint);
});

it.each([
  ['"\u200b"', 0],
  ['\u200b', 0],
  ['name~="\u200b\u202e"', 6],
  ['name^="\tCtrl+S"', 6],
  ['description~=\u00ad', 13],
  ['text="\ufeff"', 5],
  ['window~="\u2060"', 8],
])('text without visible characters is refused: %j', (input, position) => {
  expect(faultOf(input)).toMatchObject({ code: 'selector_syntax', details: { position } });
});

it('text without visible characters is refused as a name, except where an empty one is allowed', () => {
  const selector = parseSelector('role=image && name="\u200b"');
  expect(parseSelector(printSelector(selector))).toEqual(selector);
});

it('a role written over two lines is reported on one line', () => {
  expect(faultOf('ax\nheader').message).toBe('"ax header" is a role and may be a name');
  expect(faultOf('push\nbutton').hint).toBe('The role: role=button. The name: "push button".');
});
