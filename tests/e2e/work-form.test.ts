import { afterAll, beforeAll, expect, test } from 'vitest';
import { FormServer } from './support/form-server.js';
import { WorkRoom } from './support/work-room.js';

const FORM = `
<form method="post" accept-charset="utf-8">
  <p><label>Full name <input name="name" required></label></p>
  <p><label>E-mail <input name="mail" type="email" required></label></p>
  <p><label>Country <select name="country">
    <option>United Kingdom</option><option>France</option><option>日本</option></select></label></p>
  <fieldset><legend>Kind</legend>
    <label><input type="radio" name="kind" value="private" checked> Private</label>
    <label><input type="radio" name="kind" value="business"> Business</label></fieldset>
  <p><label><input type="checkbox" name="terms" value="yes" required> I accept the terms</label></p>
  <p><label><input type="checkbox" name="news" value="yes" checked> Send me news</label></p>
  <p><label>Seats <input name="seats" type="number" step="5" value="10"></label>
    <label>Age <input name="age" type="number" value="36"></label></p>
  <p><label>Comment <textarea name="comment" rows="4" cols="40">old text</textarea></label></p>
  <p><button>Create</button></p>
</form>`;
const COMMENT = 'héllo 日本 😀 Ω€\nsecond line';

let work: WorkRoom;
let server: FormServer;
beforeAll(async () => {
  [work, server] = await Promise.all([WorkRoom.open(), FormServer.start(FORM)]);
  await work.launch('chromium', server.url);
  await work.until('button:Create');
});
afterAll(async () => {
  await work?.close();
  await server?.stop();
});

const inPage = (target: string): string => `document:"New account" >> ${target}`;

/** In this order, as a user fills it. */
const STEPS: [string, Record<string, unknown>][] = [
  ['ui_type', { target: inPage('textbox:"Full name"'), text: 'Ada Lovelace & Söhne' }],
  ['ui_set_value', { target: inPage('textbox:E-mail'), value: 'ada@example.org' }],
  ['ui_set_value', { target: inPage('combobox:Country'), value: '日本' }],
  ['ui_act', { action: 'select', target: inPage('radio:Business') }],
  ['ui_act', { action: 'check', target: inPage('checkbox:"I accept the terms"') }],
  ['ui_act', { action: 'uncheck', target: inPage('checkbox:"Send me news"') }],
  ['ui_act', { action: 'increment', target: inPage('spinbutton:Seats') }],
  ['ui_set_value', { target: inPage('spinbutton:Age'), value: '' }],
  ['ui_set_value', { target: inPage('textbox:Comment'), value: COMMENT }],
];

test.each(STEPS)('%s %j', async (tool, args) => {
  await work.act(tool, args);
});

test('the form is sent, and the server received just that', async () => {
  await work.act('ui_click', { target: inPage('button:Create'), verify: 'heading:"Thank you"' });
  expect(server.received).toHaveLength(1);
  expect(Object.fromEntries(server.received[0]!)).toEqual({
    name: 'Ada Lovelace & Söhne',
    mail: 'ada@example.org',
    country: '日本',
    kind: 'business',
    terms: 'yes',
    seats: '15',
    age: '',
    comment: COMMENT.replace('\n', '\r\n'),
  });
});

test('what is typed into the address bar takes the place of the address that stood there', async () => {
  const bar = 'textbox:"Address and search bar"';
  const address = `${server.url}again`.replace('http://', '');
  await work.act('ui_type', { target: bar, text: address, enter: true, verify: inPage('button:Create') });
  await work.until({ value: [bar, address] });
});
