import { describe, expect, it } from 'vitest';
import { DesktopError } from '../../shared/index.js';
import { KINDS, parseCondition } from './parse-condition.js';

const nested = (depth: number): unknown => (depth === 0 ? 'Save' : { not: nested(depth - 1) });
const deep = (depth: number): string => `{"all":${'['.repeat(depth)}${']'.repeat(depth)}}`;
const many = (count: number): unknown => ({ all: Array.from({ length: count }, () => 'Save') });

describe('a condition is read', () => {
  it.each<[unknown, string, string]>([
    ['button:Save', 'exists', 'button:Save'],
    [{ exists: 'button:Save' }, 'exists', '{"exists":"button:Save"}'],
    ['{"window": "Calc"}', 'window', '{"window":"Calc"}'],
    ['  {"gone": "Save"}', 'gone', '{"gone":"Save"}'],
    ['"{x}"', 'exists', '"{x}"'],
    [{ count: ['role=row', 5] }, 'count', '{"count":["role=row",5]}'],
    [{ count: ['role=row', '5'] }, 'count', '{"count":["role=row","5"]}'],
    [{ count: ['role=row', null, 5] }, 'count', '{"count":["role=row",null,5]}'],
    [{ state: ['Wrap', 'Checked', 'TRUE'] }, 'state', '{"state":["Wrap","Checked","TRUE"]}'],
    [{ state: ['Wrap', 'checked', 'mixed'] }, 'state', '{"state":["Wrap","checked","mixed"]}'],
    [{ state: ['Wrap', 'checked'] }, 'state', '{"state":["Wrap","checked"]}'],
    [{ value: ['#name', ''] }, 'value', '{"value":["#name",""]}'],
    [{ value: ['Zoom', 100] }, 'value', '{"value":["Zoom",100]}'],
    [{ text: 'Saved' }, 'text', '{"text":"Saved"}'],
    [{ text: 5 }, 'text', '{"text":5}'],
    [{ text: ['dialog:Open', 'Saved'] }, 'text', '{"text":["dialog:Open","Saved"]}'],
    [{ stableMs: '500' }, 'stableMs', '{"stableMs":"500"}'],
    [{ all: ['Save', { any: [{ not: 'Open' }] }] }, 'all', '{"all":["Save",{"any":[{"not":"Open"}]}]}'],
    [nested(7), 'not', JSON.stringify(nested(7))],
  ])('%j', (given, key, text) => expect(parseCondition(given)).toMatchObject({ key, text }));

  it('and knows what it is about', () => {
    const { selectors, windows, ofWindows, overTime } = parseCondition({
      all: [{ window: 'A' }, { not: { windowClosed: 'B' } }],
    });
    expect([selectors, windows, ofWindows, overTime]).toEqual([[], ['A', 'B'], true, []]);
    const mixed = parseCondition({ any: [{ window: 'A' }, { not: { changed: 'Save' } }, { stableMs: 50 }] });
    expect(mixed).toMatchObject({ ofWindows: false, overTime: ['changed', 'stableMs'], windows: ['A'] });
    expect(mixed.selectors!.map(({ text }) => text)).toEqual(['Save']);
  });

  it.each(Object.entries(KINDS))('%s is written as its form says', (key, { form }) => {
    const written = /^\{.*?\}(?=$|, or)/.exec(form)![0];
    expect(parseCondition(written).key).toBe(key);
  });
});

describe('what is no condition gets one sentence and a way out', () => {
  it.each<[unknown, RegExp, RegExp]>([
    [{ windw: 'A' }, /There is no condition "windw"/, /Did you mean window\? Write \{"window": "Save As"\}/],
    [{ closed: 'A' }, /There is no condition "closed"/, /Did you mean windowClosed\?/],
    [{ zzz: 'A' }, /There is no condition "zzz"/, /A selector alone \(it exists\), or one of exists, gone/],
    [{ constructor: 'A' }, /There is no condition "constructor"/, /./],
    [{ window: 'A', gone: 'B' }, /has one key, not 2: window, gone/, /\{"all": \[\{"window": …\}, \{"gone": …\}\]\}/],
    [{ window: 'A', nope: 'B' }, /There is no condition "nope"/, /./],
    [{}, /The condition is empty/, /one of exists/],
    [[], /a selector or an object, not a list of 0/, /"all"/],
    [null, /not null/, /./],
    [undefined, /not nothing/, /./],
    [5, /not 5/, /./],
    ['{window}', /begins with \{ and is not JSON/, /"window": "Calculator"/],
    [{ gone: 5 }, /gone takes a selector, not 5/, /Write \{"gone": "dialog:Saving"\}/],
    [{ count: 'role=row' }, /count takes a list of 2 to 3, not "role=row"/, /"count": \["role=row", 5\]/],
    [{ count: ['role=row', -1] }, /count takes a whole number from 0 to 100000, not -1/, /./],
    [{ count: ['role=row', null] }, /a whole number/, /./],
    [{ count: ['role=row', 5, 3] }, /5 as its least and 3 as its most/, /./],
    [{ state: ['Wrap', 'chekced', true] }, /no state "chekced"/, /Did you mean checked\?/],
    [{ state: ['Wrap', 'pink', true] }, /no state "pink"/, /The states are enabled, visible/],
    [{ state: ['Wrap', 'enabled', 'mixed'] }, /enabled is true, false, not "mixed"/, /./],
    [{ value: ['#name'] }, /value takes a list of 2, not a list of 1/, /./],
    [{ value: ['#name', true] }, /value takes a text or a number, not true/, /./],
    [{ text: '' }, /The text of text is empty/, /./],
    [{ text: ['Save'] }, /a text, or a selector and a text/, /./],
    [{ window: ' ' }, /The text of window is empty/, /./],
    [{ window: '\u200b' }, /The text of window is empty/, /./],
    [{ windowClosed: '\u202e\t\u200b' }, /The text of windowClosed is empty/, /./],
    [{ text: ['Save', '\u00ad'] }, /The text of text is empty/, /./],
    [{ stableMs: 49 }, /from 50 to 60000, not 49/, /./],
    [{ stableMs: 60_001 }, /from 50 to 60000/, /./],
    [{ all: [] }, /all takes a list of 1 to 32/, /./],
    [{ all: 'Save' }, /all takes a list/, /./],
    [nested(8), /nested more than 8 deep/, /./],
  ])('%j', (given, message, hint) => {
    const error = refusal(given);
    expect(error.code).toBe('bad_arguments');
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^[^\n]{1,200}\.$/);
    expect(error.hint).toMatch(hint);
  });

  it.each<[string, unknown, RegExp]>([
    ['a text', { text: 'x'.repeat(2_001) }, /longer than 2000/],
    ['a list', many(33), /all takes a list of 1 to 32, not a list of 33/],
    ['a list of lists of lists', deep(9_000), /a selector or an object, not a list of 1/],
    ['a chain of nots', nested(9_000), /nested more than 8 deep/],
    ['all of it', { all: [many(32), many(32), many(32), many(32)] }, /more than 100 parts/],
  ])('%s that is too long', (_, given, message) => {
    const error = refusal(given);
    expect(error.code).toBe('bad_arguments');
    expect(error.message).toMatch(message);
    expect(parseCondition(many(32)).selectors).toHaveLength(32);
  });

  it.each<[unknown]>([['nmae=Save'], [{ gone: 'nmae=Save' }], [{ all: ['Save', { count: ['nmae=Save', 1] }] }]])(
    'a wrong selector in %j is a wrong selector',
    (given) => expect(refusal(given)).toMatchObject({ code: 'selector_syntax', message: 'unknown key "nmae"' }),
  );
});

function refusal(given: unknown): DesktopError {
  try {
    parseCondition(given);
  } catch (error) {
    if (error instanceof DesktopError) return error;
    throw error;
  }
  throw new Error('it was taken');
}
