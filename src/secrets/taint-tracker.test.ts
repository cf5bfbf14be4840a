import { describe, expect, test } from 'vitest';
import { DesktopError } from '../shared/index.js';
import type { RedactableElement } from './redact-typed-secrets.js';
import { TaintTracker, TYPED } from './taint-tracker.js';

const VPN = 'p"é% hünter2 LONG';
const MARK = '‹secret:vpn›';
const WINDOW = 'win-1';
const BOX = { x: 1, y: 2, width: 30, height: 10 };

function tainted(): TaintTracker {
  const taint = new TaintTracker();
  taint.typed({ name: 'vpn', value: VPN, window: WINDOW, title: 'Sign in', field: 'f1' });
  return taint;
}

function node(id: string, more: Partial<RedactableElement> = {}): RedactableElement {
  return { id, children: [], ...more };
}

test('needs window titles once something was typed', () => {
  expect([new TaintTracker().needsTitles, tainted().needsTitles]).toEqual([false, true]);
});

test('returns the same objects while nothing was typed', () => {
  const taint = new TaintTracker();
  const json = { name: VPN };
  const field = node('f1', { name: VPN });
  const error = new DesktopError('timeout', VPN);
  expect(taint.empty).toBe(true);
  expect(taint.redactText(VPN)).toBe(VPN);
  expect(taint.redactValue(json)).toBe(json);
  expect(taint.redactTree(field, WINDOW)).toBe(field);
  expect(taint.redactionBoxes([field], WINDOW)).toEqual({ boxes: [], whole: false });
  expect(taint.redactError(error)).toBe(error);
});

describe('a field', () => {
  test('shows its mark, whatever its content, until it is cleared', () => {
    const taint = tainted();
    const field = node('f1', { name: 'Token', value: 'shown in some other way', states: {} });
    expect(taint.fieldMark('f1')).toBe(MARK);
    expect(taint.fieldMark('f2')).toBeUndefined();
    expect(taint.redactTree(field, WINDOW)).toEqual({ ...field, value: MARK });
    taint.clearField('f1');
    expect(taint.fieldMark('f1')).toBeUndefined();
    expect(taint.redactTree(field, WINDOW)).toBe(field);
    expect(taint.redactText(VPN)).toBe(MARK);
  });

  test.each<[string, Partial<RedactableElement>, boolean]>([
    ['as it was', { value: VPN }, true],
    ['in a line below', { value: 'me', children: [node('t1', { name: `so ${VPN}` })] }, true],
    ['nowhere', { value: 'me', children: [node('t1', { name: 'me' })] }, false],
  ])('is secret again when a replaced value comes back: %s', (_, more, back) => {
    const taint = tainted();
    taint.clearField('f1');
    taint.redactTree(node('w', { children: [node('f1', more), node('f2', { value: VPN })] }), WINDOW);
    // In pieces it would not be known again.
    const apart = node('f1', { value: VPN.split('').join('-') });
    expect(taint.redactTree(apart, WINDOW).value).toBe(back ? MARK : apart.value);
    expect(taint.fieldMark('f2')).toBeUndefined();
  });

  test('is secret again after a possible undo in its window, until replaced again', () => {
    const taint = tainted();
    taint.clearField('f1');
    taint.restoreAfterUndo('win-2');
    expect(taint.fieldMark('f1')).toBeUndefined();
    taint.restoreAfterUndo(WINDOW);
    expect(taint.fieldMark('f1')).toBe(MARK);
    taint.clearField('f1');
    expect(taint.fieldMark('f1')).toBeUndefined();
    expect([taint.seenIn('f1'), taint.seenIn('f2')]).toEqual([MARK, undefined]);
    const fields = ['f1', 'f2'].map((id, at) => node(id, { bounds: { ...BOX, x: at } }));
    expect(taint.redactionBoxes(fields, WINDOW).boxes).toEqual([{ ...BOX, x: 0 }]);
  });

  test('without a secret, or gone, is not secret after an undo', () => {
    const taint = tainted();
    taint.typed({ name: 'vpn', value: VPN, window: 'win-2', field: 'f3' });
    for (const field of ['f1', 'f2', 'f3']) taint.clearField(field);
    taint.windowGone(WINDOW);
    expect(['f1', 'f2', 'f3'].map((field) => taint.seenIn(field))).toEqual([undefined, undefined, MARK]);
    taint.clearField('f3');
    taint.end();
    expect(taint.seenIn('f3')).toBeUndefined();
  });

  test('gets no value when it is a password field', () => {
    const field = node('f1', { states: { secret: true } });
    expect(tainted().redactTree(field, WINDOW)).not.toHaveProperty('value');
  });

  test('keeps the names of the controls in it, unless they contain the secret', () => {
    const run = node('t1', { role: 'text', name: 'part of it' });
    const show = node('b1', { role: 'button', name: 'Show password', value: 'on' });
    const leak = node('b2', { role: 'togglebutton', name: `Copy ${VPN}` });
    const link = node('b3', { role: 'link', name: 'part' });
    const root = node('w', { children: [node('f1', { children: [run, show, leak, link] })] });
    const inner = tainted().redactTree(root, WINDOW).children[0]!.children;
    expect(inner.map(({ name }) => name)).toEqual([MARK, 'Show password', `Copy ${MARK}`, MARK]);
    expect(inner[1]!.value).toBe(MARK);
  });

  test('redacts the texts below it, and nothing beside it', () => {
    const run = node('t1', { name: 'part of it', value: 7, description: '', children: [node('t2', { error: 'x' })] });
    const label = node('l1', { name: 'Name' });
    const root = node('w', { children: [node('f1', { children: [run] }), label] });
    const shown = tainted().redactTree(root, WINDOW);
    expect(shown.children[0]!.children[0]).toEqual({
      ...run,
      name: MARK,
      value: MARK,
      children: [node('t2', { error: MARK })],
    });
    expect(shown.children[1]).toBe(label);
    expect(root.children[0]!.children[0]).toBe(run);
  });

  test('is forgotten with its window', () => {
    const taint = tainted();
    taint.typed({ name: 'vpn', value: VPN, window: 'win-2', field: 'f2' });
    expect(taint.isTouched(WINDOW)).toBe(true);
    taint.windowGone(WINDOW);
    expect([taint.fieldMark('f1'), taint.fieldMark('f2')]).toEqual([undefined, MARK]);
    expect([taint.isTouched(WINDOW), taint.isTouched('win-2')]).toEqual([false, true]);
    expect(taint.redactText(VPN)).toBe(MARK);
  });
});

test('redacts all texts of a tree and keeps other subtrees as they are', () => {
  const clean = node('c', { name: 'Cancel', bounds: BOX });
  const root = node('w', {
    name: `Hello ${VPN}`,
    description: VPN.toUpperCase(),
    error: VPN,
    table: { headers: ['A', VPN], rows: 3 },
    platformIds: { automationId: VPN },
    children: [clean],
  });
  const shown = tainted().redactTree(root, WINDOW);
  expect(shown).toEqual({
    ...root,
    ...{ name: `Hello ${MARK}`, description: MARK, error: MARK },
    ...{ table: { headers: ['A', MARK], rows: 3 }, platformIds: { automationId: MARK } },
  });
  expect(shown.children[0]).toBe(clean);
  const parent = node('p', { children: [clean] });
  expect(tainted().redactTree(parent, WINDOW)).toBe(parent);
});

describe('JSON', () => {
  const taint = new TaintTracker();
  taint.typed({ name: 'code', value: '493827', window: WINDOW, field: 'f1' });
  const mark = '‹secret:code›';
  test.each<[unknown, unknown]>([
    [{ a: [1, null, 'x 493827', { b: true }] }, { a: [1, null, `x ${mark}`, { b: true }] }],
    [
      { value: 493827, pid: 493827 },
      { value: mark, pid: 493827 },
    ],
    [{ was: [493827, 5] }, { was: [mark, 5] }],
    [
      { '493827': 1, '4938-27': 2 },
      { [mark]: 1, [`${mark} (2)`]: 2 },
    ],
    ['493827', mark],
    [undefined, undefined],
  ])('%j', (json, shown) => expect(taint.redactValue(json)).toEqual(shown));

  test('keeps parts without secrets, and bytes', () => {
    const inner = { x: 1 };
    const bytes = Buffer.from('493827');
    const made = taint.redactValue({ text: '493827', inner, bytes });
    expect(made.inner).toBe(inner);
    expect(made.bytes).toBe(bytes);
    expect(taint.redactValue(inner)).toBe(inner);
    const list = [inner];
    expect(taint.redactValue(list)).toBe(list);
  });

  test('handles objects without a prototype', () => {
    const json: object = Object.assign(Object.create(null) as object, { name: '493827' });
    expect(taint.redactValue(json)).toEqual({ name: mark });
  });

  test('handles any key name', () => {
    const json: unknown = JSON.parse('{"__proto__": "493827"}');
    expect(JSON.stringify(taint.redactValue(json))).toBe(`{"__proto__":"${mark}"}`);
  });
});

test('redacts errors completely', () => {
  const error = new DesktopError('command_failed', `cannot open /tmp/${VPN}`, {
    hint: 'Try again.',
    delivered: 'unknown',
    details: { file: VPN },
    cause: new Error(VPN),
  });
  const shown = tainted().redactError(error);
  expect(shown.toJSON()).toEqual({ ...error.toJSON(), message: `cannot open /tmp/${MARK}`, details: { file: MARK } });
  expect(shown.cause).toBeUndefined();
});

describe('short values', () => {
  test('apply in their window, by its id and by each of its titles', () => {
    const taint = new TaintTracker();
    taint.typed({ name: 'pin', value: '4937', window: WINDOW, title: 'Card', field: 'f1' });
    taint.windowTitled(WINDOW, 'Card 4937');
    taint.windowTitled('win-2', 'Other');
    const seen = (window: string): string => taint.redactText('PIN 4937', { window });
    for (const window of [WINDOW, 'Card', 'Card 4937', 'Card ‹secret:pin›'])
      expect(seen(window)).toBe('PIN ‹secret:pin›');
    for (const window of ['win-2', 'Other']) expect(seen(window)).toBe('PIN 4937');
  });

  test('of two windows do not apply in each other', () => {
    const taint = new TaintTracker();
    taint.typed({ name: 'pin', value: '4937', window: 'a', field: 'f1' });
    taint.typed({ name: 'code', value: '8251', window: 'b', field: 'f2' });
    taint.windowTitled('b', 'B');
    expect(taint.redactText('4937 8251', { window: 'B' })).toBe('4937 ‹secret:code›');
  });

  test('typed into two windows apply in both', () => {
    const taint = new TaintTracker();
    for (const window of ['a', 'b']) taint.typed({ name: TYPED, value: '4937', window, field: window });
    for (const window of ['a', 'b']) expect(taint.redactText('4937', { window })).toBe('‹secret:typed›');
  });

  test('are recognised as a whole argument in any window', () => {
    const taint = new TaintTracker();
    taint.typed({ name: 'pin', value: '4937', window: WINDOW, field: 'f1' });
    expect(taint.redactArgument('4937')).toBe('‹secret:pin›');
    expect(taint.redactArgument('4937 x')).toBe('4937 x');
    expect(taint.redactArgument('4937 x', { window: WINDOW })).toBe('‹secret:pin› x');
  });
});

describe('boxes to redact', () => {
  const other = { ...BOX, x: 50 };
  test.each<[string, RedactableElement, object]>([
    ['the field', node('f1', { bounds: BOX }), { boxes: [BOX] }],
    ['what holds the value', node('a', { name: `! ${VPN}`, bounds: BOX }), { boxes: [BOX] }],
    ['what was redacted before', node('a', { description: `! ${MARK}`, bounds: BOX }), { boxes: [BOX] }],
    ['not a mark of others', node('a', { name: '‹secret:other›', bounds: BOX }), {}],
    ['nothing else', node('a', { name: 'Save', value: 7, bounds: BOX }), {}],
    [
      'below others',
      node('w', { bounds: other, children: [node('a', { error: VPN, bounds: BOX })] }),
      { boxes: [BOX] },
    ],
    ['the whole window, when the position is unknown', node('f1'), { whole: true }],
    ['not what is hidden', node('f1', { states: { visible: false } }), {}],
    ['not what is out of sight', node('f1', { states: { offscreen: true } }), {}],
  ])('%s', (_, element, places) => {
    expect(tainted().redactionBoxes([element], WINDOW)).toEqual({ boxes: [], whole: false, ...places });
  });

  test('the whole window if its target had no tree, until it is gone', () => {
    const taint = new TaintTracker();
    taint.typed({ name: 'vpn', value: VPN, window: WINDOW });
    expect(taint.windowMark(WINDOW)).toBe(MARK);
    expect(taint.windowMark('win-2')).toBeUndefined();
    expect(taint.redactionBoxes([], WINDOW).whole).toBe(true);
    expect(taint.redactionBoxes([], 'win-2').whole).toBe(false);
    taint.windowGone(WINDOW);
    expect(taint.windowMark(WINDOW)).toBeUndefined();
  });

  test('short values only in their window', () => {
    const taint = new TaintTracker();
    taint.typed({ name: 'pin', value: '4937', window: WINDOW, field: 'f1' });
    const label = node('a', { value: 4937, bounds: BOX });
    expect(taint.redactionBoxes([label], WINDOW).boxes).toEqual([BOX]);
    expect(taint.redactionBoxes([label], 'win-2').boxes).toEqual([]);
  });
});

describe('single key presses', () => {
  const place = { name: TYPED, window: WINDOW, field: 'f1' };
  const mark = '‹secret:typed›';
  const strike = (taint: TaintTracker, keys: string): void => taint.keyed(place, (before) => before + keys);

  test('form one value; while too short, only the field is redacted', () => {
    const taint = new TaintTracker();
    const seen = (text: string): string => taint.redactText(text, { window: WINDOW });
    strike(taint, 'hun');
    expect([taint.fieldMark('f1'), seen('hun'), seen('a - b')]).toEqual([mark, 'hun', 'a - b']);
    strike(taint, 't');
    expect([seen('hunt'), seen('hunter2-x')]).toEqual([mark, 'hunter2-x']);
    strike(taint, 'er2-x');
    expect(seen('hunter2-x')).toBe(mark);
  });

  test.each<[string, (taint: TaintTracker) => void]>([
    ['was free', (taint) => taint.clearField('f1')],
    ['is another, in another window', (taint) => taint.windowGone(WINDOW)],
  ])('start again in a field that %s', (_, end) => {
    const taint = new TaintTracker();
    strike(taint, 'hunter');
    end(taint);
    let found = 'nothing asked';
    taint.keyed(place, (before) => (found = before));
    expect(found).toBe('');
  });
});

test('marks a clipboard copy with the last copiable secret, even when its window is gone', () => {
  const taint = tainted();
  expect(taint.copyMark).toBeUndefined();
  taint.typed({ name: 'open', value: 'hunter2-x', window: WINDOW, field: 'f2', open: true });
  taint.typed({ name: 'closed', value: 'hunter3-x', window: WINDOW, field: 'f3' });
  taint.windowGone(WINDOW);
  expect(taint.copyMark).toBe('‹secret:open›');
  taint.end();
  expect(taint.copyMark).toBeUndefined();
});

test('a value with two names uses the first', () => {
  const taint = tainted();
  taint.typed({ name: 'again', value: VPN, window: WINDOW, field: 'f9' });
  expect(taint.redactText(VPN)).toBe(MARK);
});

test('ignores absent fields of an element', () => {
  const taint = new TaintTracker();
  taint.typed({ name: 'odd', value: 'undefined', window: WINDOW, field: 'f1' });
  expect(taint.redactionBoxes([node('a', { bounds: BOX })], WINDOW).boxes).toEqual([]);
  expect(taint.redactionBoxes([node('a', { name: 'undefined', bounds: BOX })], WINDOW).boxes).toEqual([BOX]);
});

test('forgets everything at the end', () => {
  const taint = tainted();
  taint.typed({ name: 'pin', value: '4937 12', window: WINDOW });
  taint.typed({ name: 'pin', value: '4937', window: WINDOW, field: 'f3' });
  taint.end();
  expect(taint.empty).toBe(true);
  expect(taint.redactText(`${VPN} 4937`, { window: WINDOW })).toBe(`${VPN} 4937`);
  expect(taint.redactArgument('4937')).toBe('4937');
  taint.typed({ name: 'new', value: VPN.replace('LONG', 'short'), window: WINDOW, field: 'f4' });
  expect(taint.redactText('2 LONG')).toBe('2 LONG');
  expect(taint.redactText('hünter2 LONG')).toBe('‹secret:new›LONG');
  taint.end();
  expect([taint.fieldMark('f1'), taint.windowMark(WINDOW), taint.isTouched(WINDOW)]).toEqual([
    undefined,
    undefined,
    false,
  ]);
});
