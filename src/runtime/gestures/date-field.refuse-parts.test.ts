import { afterEach, beforeEach, expect, it } from 'vitest';
import { letterWith } from '../../../tests/scenes/letter.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../index.js';
import { DesktopError } from '../../shared/index.js';
import { uiSetValue } from '../../tools/act/ui-set-value.js';
import { uiType } from '../../tools/act/ui-type.js';

const part = (name: string) => ({ role: 'spinbutton' as const, name, value: 0, states: { editable: false } });
const letter = letterWith(
  {
    role: 'textbox',
    name: 'Born',
    states: { editable: false },
    children: [{ role: 'group', children: [part('Month'), { role: 'text', name: '/' }, part('Day')] }],
  },
  { role: 'textbox', name: 'Fixed', value: 'x', states: { readonly: true } },
);

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({ windows: [letter] });
  desktop = new Desktop({ name: 'mail', driver: fake.driver, kind: 'virtual' });
});
afterEach(() => desktop.close());

const failed = (target: string, timeoutMs: number): Promise<unknown> =>
  perform(desktop, [uiSetValue], {
    tool: 'ui_set_value',
    args: { target, value: '2024-02-29', timeoutMs },
    caller: 'me',
  }).catch((error: unknown) => error);

it.each(['textbox:Born', 'spinbutton:Day'])('%s: refuses at once to write a date field as a whole', async (name) => {
  const error = await failed(name, 60_000);
  expect(error).toBeInstanceOf(DesktopError);
  expect(error).toMatchObject({
    code: 'pattern_unsupported',
    delivered: 'no',
    retry: 'no',
    message: expect.stringMatching(/^e\d+ textbox "Born" can only be written part by part, with keys\.$/) as string,
    hint: expect.stringMatching(
      /^Use ui_type to type all digits into its first part, e\d+ spinbutton "Month",/,
    ) as string,
  });
});

it('refuses at once to type into a date field as a whole', async () => {
  const call = { tool: 'ui_type', args: { target: 'textbox:Born', text: '02292024', timeoutMs: 60_000 }, caller: 'me' };
  await expect(perform(desktop, [uiType], call)).rejects.toMatchObject({
    code: 'pattern_unsupported',
    hint: expect.stringMatching(
      /^Use ui_type to type all digits into its first part, e\d+ spinbutton "Month",/,
    ) as string,
  });
  expect(fake.diary).toEqual([]);
});

it('waits for any other field that is not editable', async () => {
  expect(await failed('textbox:Fixed', 100)).toMatchObject({ code: 'not_ready', retry: 'safe' });
});
