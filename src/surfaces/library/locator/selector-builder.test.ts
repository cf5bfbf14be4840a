import { describe, expect, test } from 'vitest';
import { DesktopError } from '../../../shared/index.js';
import { labelTerms, quote, roleTerms, SelectorBuilder, stateTerms, textTerm } from './selector-builder.js';

const of = (text: string): SelectorBuilder => SelectorBuilder.of(text);

describe('builds selectors from locators', () => {
  test.each<[string, SelectorBuilder, string]>([
    ['inside', of('button:OK').within(of('dialog:Save')), 'dialog:"Save" >> button:"OK"'],
    ['inside an empty scope', of('button:OK').within(undefined), 'button:"OK"'],
    ['inside alternatives', of('"x"').within(of('#a ?? #b')), '#a >> "x" ?? #b >> "x"'],
    ['alternatives inside a scope', of('#a ?? #b').within(of('dialog:D')), 'dialog:"D" >> #a ?? dialog:"D" >> #b'],
    ['by index', of('role=button').nth(-1), 'role=button >> nth=-1'],
    ['with a state', of('role=button').and('enabled=true'), 'role=button && enabled=true'],
    ['with one of two', of('role=row').and('"a" || "b"'), 'role=row && ("a" || "b")'],
    ['alternatives with a state', of('"a" || "b"').and('enabled=true'), '("a" || "b") && enabled=true'],
    ['with a descendant', of('role=row').has(of('button:Edit')), 'role=row && has(button:"Edit")'],
    ['with one of two descendants', of('role=row').has(of('#a ?? #b')), 'role=row && (has(#a) || has(#b))'],
    ['beside', of('role=textbox').beside('right-of', of('"Total"')), '"Total" >> right-of >> role=textbox'],
    ['beside, with a distance', of('role=textbox').beside('below', of('"T"'), 40), '"T" >> below(40) >> role=textbox'],
    [
      'beside, both in the same scope',
      of('dialog:D >> role=textbox').beside('right-of', of('dialog:D >> "Total"')),
      'dialog:"D" >> "Total" >> right-of >> role=textbox',
    ],
    [
      'beside, with an anchor outside the scope',
      of('dialog:D >> role=textbox').beside('right-of', of('"Total"')),
      'dialog:"D" >> "Total" >> right-of >> role=textbox',
    ],
  ])('%s', (_, builder, text) => {
    expect(builder.text).toBe(text);
    expect(SelectorBuilder.of(builder.text).text).toBe(text);
  });

  test.each([
    ['an invalid selector', () => of('button'), 'selector_syntax'],
    ['a filter after an index', () => of('role=button').nth(0).and('enabled=true'), 'bad_arguments'],
    ['an index that is not an integer', () => of('role=button').nth(0.5), 'bad_arguments'],
    ['a chain as a term', () => of('role=button').and('"a" >> "b"'), 'bad_arguments'],
  ])('refused: %s', (_, make, code) => {
    const error = caught(make);
    expect(error).toBeInstanceOf(DesktopError);
    expect(error).toMatchObject({ code });
  });
});

describe('builds text terms', () => {
  test.each([
    ['a part', textTerm('name', 'Save'), 'name~="Save"'],
    ['the whole text', textTerm('name', 'Save', true), 'name="Save"'],
    ['an empty name', textTerm('name', '', true), 'name=""'],
    ['a pattern', textTerm('name', /^a\/b/i), 'name=/^a\\/b/i'],
    ['flags without effect', textTerm('name', /a/gu), 'name=/a/'],
    ['operators as text', textTerm('name', 'a >> "b" && \\c'), 'name~="a >> \\"b\\" && \\\\c"'],
    [
      'role, name and state',
      roleTerms('button', { name: 'OK', disabled: true }),
      'role=button && name~="OK" && enabled=false',
    ],
    ['a label', labelTerms('E-mail'), 'name~="E-mail" && !role=text'],
    ['states', stateTerms({ checked: true, offscreen: false }).join(' && '), 'checked=true && !offscreen=true'],
  ])('%s', (_, text, expected) => {
    expect(text).toBe(expected);
    expect(() => SelectorBuilder.of(text)).not.toThrow();
  });

  test.each(['plain', 'a"b', "a'b", 'a\\', '\\"', '>> ?? && ||', '/x/', '', 'é 日本'])(
    'quotes %j so that it parses back unchanged',
    (text) => {
      const builder = SelectorBuilder.of(`value=${quote(text)}`);
      expect(JSON.stringify(builder)).toContain(JSON.stringify({ kind: 'text', key: 'value', op: '=', value: text }));
    },
  );

  test.each([
    ['an empty part of a text', () => textTerm('name', '')],
    ['a flag that changes the match', () => textTerm('name', /a/m)],
    ['a state that selectors do not support', () => stateTerms({ busy: true } as object)],
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
