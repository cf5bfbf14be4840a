import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { labelTerms, quoted, roleTerms, SelectorParts, stateTerms, textTerm } from './selector-builder.js';

const of = (text: string): SelectorParts => SelectorParts.of(text);

describe('locators as selectors', () => {
  test.each<[string, SelectorParts, string]>([
    ['inside', of('button:OK').within(of('dialog:Save')), 'dialog:"Save" >> button:"OK"'],
    ['inside nothing', of('button:OK').within(undefined), 'button:"OK"'],
    ['inside of either', of('"x"').within(of('#a ?? #b')), '#a >> "x" ?? #b >> "x"'],
    ['either, inside', of('#a ?? #b').within(of('dialog:D')), 'dialog:"D" >> #a ?? dialog:"D" >> #b'],
    ['by number', of('role=button').nth(-1), 'role=button >> nth=-1'],
    ['with a state', of('role=button').and('enabled=true'), 'role=button && enabled=true'],
    ['with one of two', of('role=row').and('"a" || "b"'), 'role=row && ("a" || "b")'],
    ['an either with a state', of('"a" || "b"').and('enabled=true'), '("a" || "b") && enabled=true'],
    ['with something in it', of('role=row').has(of('button:Edit')), 'role=row && has(button:"Edit")'],
    ['with one of two in it', of('role=row').has(of('#a ?? #b')), 'role=row && (has(#a) || has(#b))'],
    ['beside', of('role=textbox').beside('right-of', of('"Total"')), '"Total" >> right-of >> role=textbox'],
    ['not far beside', of('role=textbox').beside('below', of('"T"'), 40), '"T" >> below(40) >> role=textbox'],
    [
      'beside, both in a place',
      of('dialog:D >> role=textbox').beside('right-of', of('dialog:D >> "Total"')),
      'dialog:"D" >> "Total" >> right-of >> role=textbox',
    ],
    [
      'beside, the anchor from outside is looked for in the place',
      of('dialog:D >> role=textbox').beside('right-of', of('"Total"')),
      'dialog:"D" >> "Total" >> right-of >> role=textbox',
    ],
  ])('%s', (_, parts, text) => {
    expect(parts.text).toBe(text);
    expect(SelectorParts.of(parts.text).text).toBe(text);
  });

  test.each([
    ['a wrong selector, when it is written', () => of('button'), 'selector_syntax'],
    ['narrowed after a number', () => of('role=button').nth(0).and('enabled=true'), 'bad_arguments'],
    ['no whole number', () => of('role=button').nth(0.5), 'bad_arguments'],
    ['a chain as a term', () => of('role=button').and('"a" >> "b"'), 'bad_arguments'],
  ])('refused: %s', (_, make, code) => {
    const error = caught(make);
    expect(error).toBeInstanceOf(DesktopError);
    expect(error).toMatchObject({ code });
  });
});

describe('texts in selectors', () => {
  test.each([
    ['a part', textTerm('name', 'Save'), 'name~="Save"'],
    ['the whole', textTerm('name', 'Save', true), 'name="Save"'],
    ['no name at all', textTerm('name', '', true), 'name=""'],
    ['a pattern', textTerm('name', /^a\/b/i), 'name=/^a\\/b/i'],
    ['flags that change nothing', textTerm('name', /a/gu), 'name=/a/'],
    ['operators are text', textTerm('name', 'a >> "b" && \\c'), 'name~="a >> \\"b\\" && \\\\c"'],
    [
      'role, name and state',
      roleTerms('button', { name: 'OK', disabled: true }),
      'role=button && name~="OK" && enabled=false',
    ],
    ['a label', labelTerms('E-mail'), 'name~="E-mail" && !role=text'],
    ['states', stateTerms({ checked: true, offscreen: false }).join(' && '), 'checked=true && !offscreen=true'],
  ])('%s', (_, text, expected) => {
    expect(text).toBe(expected);
    expect(() => SelectorParts.of(text)).not.toThrow();
  });

  test.each(['plain', 'a"b', "a'b", 'a\\', '\\"', '>> ?? && ||', '/x/', '', 'é 日本'])(
    'quoted: %j is itself',
    (text) => {
      const parts = SelectorParts.of(`value=${quoted(text)}`);
      expect(JSON.stringify(parts)).toContain(JSON.stringify({ kind: 'text', key: 'value', op: '=', value: text }));
    },
  );

  test.each([
    ['an empty part', () => textTerm('name', '')],
    ['a flag that changes the meaning', () => textTerm('name', /a/m)],
    ['a state that nobody can be found by', () => stateTerms({ busy: true } as object)],
  ])('refused: %s', (_, make) => {
    expect(caught(make)).toMatchObject({ code: 'bad_arguments' });
  });
});

function caught(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    return error;
  }
}
