import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import { answerTextOf } from '../../../tests/scenes/answer-text.js';
import { fakeDesktop, type FakeDesktop, type WidgetSpec, type WindowSpec } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../index.js';
import type { DesktopError } from '../../shared/index.js';
import { uiType } from '../../tools/act/ui-type.js';

const letter = letterWith(
  { role: 'textbox', name: 'Text', key: 'text', states: { editable: true } },
  { role: 'textbox', name: 'To', key: 'to', states: { editable: true } },
);

let fake: FakeDesktop;
let desktop: Desktop;
afterEach(() => desktop.close());

async function typed(meanwhile: (fake: FakeDesktop) => void): Promise<string> {
  fake = fakeDesktop({ windows: [letter] });
  desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
  const args = { target: 'textbox:Text', text: 'x'.repeat(200), method: 'input', settleMs: 60, timeoutMs: 2_000 };
  const answer = answerTextOf(desktop, [uiType], 'ui_type', args);
  while (!fake.diary.some((line) => line.includes('xxx'))) await turn();
  meanwhile(fake);
  return answer;
}

describe('interruptions while text is typed', () => {
  it('reports that the app ended, and how much was typed', async () => {
    expect(await typed(({ controls }) => controls.kill('letter'))).toMatch(
      /^failed: process_gone\. The app of e\d+ has ended after \d+ characters; part of the type was done\. Delivered: yes\. Retry: no\.\nnext: start it again/,
    );
  });

  it('reports that the focus moved', async () => {
    expect(await typed(({ controls }) => controls.focus('to'))).toMatch(
      /^failed: target_changed\. The focus left e\d+ after \d+ characters; part of the type was done/,
    );
  });
});

describe('a text that is cut short', () => {
  const cut = async (stop: AbortController, meanwhile: () => void): Promise<unknown> => {
    fake = fakeDesktop({ windows: [letter] });
    desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
    const args = { target: 'textbox:Text', text: 'x'.repeat(200), method: 'input' };
    const error = perform(desktop, [uiType], { tool: 'ui_type', args, caller: 'me', signal: stop.signal }).catch(
      (one: unknown) => one,
    );
    while (!fake.diary.some((line) => line.includes('xxx'))) await turn();
    meanwhile();
    return error;
  };

  it('reports how much of the text was typed, and how to continue', async () => {
    const stop = new AbortController();
    const error = await cut(stop, () => stop.abort());
    const typed = fake.diary.join('').split('x').length - 1;
    expect(error).toMatchObject({ code: 'cancelled', delivered: 'yes', retry: 'no' });
    const { message, hint } = error as DesktopError;
    expect(message).toMatch(/^Typing was cut short after \d+ of 200 characters; part of the type was done\.$/);
    expect(Number(/after (\d+)/.exec(message)![1])).toBeLessThanOrEqual(typed);
    expect(hint).toMatch(/^Run ui_read e\d+ to see what it holds, then type the rest/);
  });
});

describe('the result of typing', () => {
  const field = (more: Partial<WidgetSpec>): WindowSpec => ({
    ...{ key: 'form', title: 'Form', app: 'form', bounds: { x: 0, y: 0, width: 400, height: 400 } },
    children: [
      { role: 'textbox', name: 'Code', key: 'code', states: { editable: true }, ...more },
      { role: 'textbox', name: 'Next', key: 'next', states: { editable: true } },
    ],
  });
  const told = (window: WindowSpec, args: Record<string, unknown>): Promise<string> => {
    fake = fakeDesktop({ windows: [window, letter] });
    desktop = new Desktop({ name: 'form', driver: fake.driver, kind: 'virtual' });
    return answerTextOf(desktop, [uiType], 'ui_type', {
      target: 'textbox:Code',
      settleMs: 60,
      timeoutMs: 2_000,
      ...args,
    });
  };

  it.each(['input', 'pattern'])('reports text that a full field dropped, by %s', async (method) => {
    const answer = await told(field({ value: 'aba', maxLength: 5 }), { text: 'aba', method });
    expect(answer).toMatch(/^failed: verify_failed\. type e\d+ was done/);
    expect(answer).toContain('holds "abaab"');
  });

  it('does not press Enter when the field dropped text', async () => {
    const answer = await told(field({ value: '', maxLength: 5 }), { text: 'hello world', enter: true });
    expect(answer).toMatch(/^failed: verify_failed\. e\d+ holds less than the typed text, so Enter was not pressed\. /);
    expect(answer).toContain('holds "hello"');
    expect(fake.diary.join('\n')).not.toMatch(/Enter/);
  });

  it('names another way to write when no element exposes the focus', async () => {
    const window: WindowSpec = { key: 'blind', title: 'Blind', app: 'form', children: [] };
    expect(await told(window, { target: undefined, text: 'hello' })).toMatch(
      /^failed: element_not_found\. Nothing in w\d says that it has the focus\. Delivered: no\.[^]*ui_clipboard, then ui_key ctrl\+v/,
    );
  });

  it("presses Enter after text that the app reformatted (a calculator's signs)", async () => {
    const window = field({ value: '', whenTyped: (controls) => controls.setValue('code', '12.5×8') });
    expect(await told(window, { text: '12.5*8', enter: true })).toMatch(/^ok: type 6 characters and Enter/);
    expect(fake.diary).toContain('key Enter');
  });

  it('accepts typed text that the field held before', async () => {
    expect(await told(field({ value: 'aba' }), { text: 'aba', method: 'input' })).toMatch(/^ok: type 3 characters/);
  });

  it.each<[string, WidgetSpec['whenTyped'], RegExp]>([
    ['its app ended', (controls) => controls.kill('form'), /process_gone\. The app of e\d+ has ended while 5 char/],
    [
      'the field went away',
      (controls) => controls.remove('code'),
      /target_changed\. e\d+ disappeared while 5 characters were/,
    ],
  ])('reports that %s, and how much was sent', async (_, whenTyped, expected) => {
    const answer = await told(field({ whenTyped }), { text: 'hello', method: 'input' });
    expect(answer).toMatch(expected);
    expect(answer).toMatch(/^failed: .* Delivered: yes\. Retry: no\./);
  });

  const SECRET: Partial<WidgetSpec> = { states: { editable: true, secret: true } };
  const passedOn =
    (code: string, next: string): WidgetSpec['whenTyped'] =>
    (controls) => {
      controls.setValue('code', code);
      if (next !== '') controls.setValue('next', next);
      controls.focus('next');
    };

  it.each<[string, Partial<WidgetSpec>, RegExp]>([
    [
      'a text whose end went to the next field',
      { whenTyped: passedOn('he', 'llo') },
      /^failed: verify_failed\. type e\d+ was done \(by input\), but it holds a different value now, and the focus is at (e\d+) textbox "Next"\.[^]*\ne\d+ holds "he"\n[^]*next: the rest may have gone there: ui_read \1,/,
    ],
    ['a text that was typed completely', { whenTyped: passedOn('hello', '') }, /^ok: type 5 characters/],
    [
      'a secret whose end went to the next field',
      { ...SECRET, whenTyped: passedOn('he', 'llo') },
      /^failed: target_changed\. The focus left e\d+ before the end, for e\d+ textbox "Next"\. Delivered: yes\. Retry: no\.\nnext: /,
    ],
    [
      'a secret that cannot be confirmed',
      { ...SECRET, whenTyped: passedOn('hello', '') },
      /^unconfirmed: type a secret into .*; the focus is at e\d+ textbox "Next" now, and it is unknown/,
    ],
    [
      'a secret whose field keeps the focus',
      SECRET,
      /^(ok|unconfirmed): type a secret into [^;]*(; what is in a secret field|$)/m,
    ],
    [
      'a secret whose app ended',
      { ...SECRET, whenTyped: (controls) => controls.kill('form') },
      /^failed: process_gone\. The app of e\d+ has ended while a secret was sent to it\. Delivered: yes\. Retry: no\./,
    ],
    [
      'a secret whose field went away',
      { ...SECRET, whenTyped: (controls) => controls.remove('code') },
      /^failed: target_changed\. e\d+ disappeared while a secret was sent to it\./,
    ],
  ])('reports where the keys went: %s', async (_, more, expected) => {
    // A secret of four characters is one chunk.
    const text = more.states?.secret ? 'hell' : 'hello';
    const answer = await told(field(more), { text, method: 'input' });
    expect(answer).toMatch(expected);
    if (more.states?.secret) expect(answer).not.toMatch(/hell|llo?\b|[45] char/);
  });

  it('stops a secret after four characters if the focus has left its field', async () => {
    const answer = await told(field({ ...SECRET, whenTyped: passedOn('hell', '') }), {
      text: 'hello',
      method: 'input',
    });
    expect(answer).toMatch(
      /^failed: target_changed\. The focus left e\d+ before the end\b.* Delivered: yes\. Retry: no\./,
    );
    expect(answer).not.toMatch(/hell|[45] char/);
  });

  it('confirms the focus before a space, which would press the button that has it', async () => {
    const answer = await told(field({ whenTyped: passedOn('hey', '') }), { text: 'hey you', method: 'input' });
    expect(answer).toMatch(/^failed: target_changed\. The focus left e\d+ after 3 characters\b.* Delivered: yes\./);
  });

  it.each([{ enter: true }, { verify: { windowClosed: 'Form' } }])(
    'does not fail when the app ended and that may be the purpose: %j',
    async (more) => {
      const window = field({ ...SECRET, whenTyped: (controls) => controls.kill('form') });
      const answer = await told(window, { text: 'hello', method: 'input', ...more });
      expect(answer).not.toMatch(/while a secret was sent/);
    },
  );

  it('does not fail when the field went away and another condition must hold', async () => {
    const window = field({ whenTyped: (controls) => controls.remove('code') });
    const answer = await told(window, { text: 'hello', method: 'input', verify: { gone: 'textbox:Code' } });
    expect(answer).toMatch(/^ok: type 5 characters/);
  });

  it('waits for a field that shows the text late', async () => {
    const whenTyped: WidgetSpec['whenTyped'] = (controls) => {
      controls.setValue('code', 'he');
      setTimeout(() => controls.setValue('code', 'hello'), 300);
    };
    expect(await told(field({ whenTyped }), { text: 'hello', method: 'input' })).toMatch(/^ok: .*\n.*: "hello"/);
  });
});
