import { afterAll, beforeAll, expect as so, test } from 'vitest';
import type { Desktop, DesktopWindow } from '../../src/index.js';
import { FormServer } from './support/form-server.js';
import { expect, OPEN_POLICY, openDesktop } from './support/library.js';

// A page filled through the library. What it came to is what the server received.

const FORM = `
<form method="post" accept-charset="utf-8">
  <p><label>Full name <input name="name" required></label></p>
  <p><label>E-mail <input name="mail" type="email" placeholder="you@example.org"></label></p>
  <p><label>Country <select name="country"><option>United Kingdom</option><option>France</option></select></label></p>
  <p><label>Guests <input name="guests" type="number" value="1" min="1" max="9"></label></p>
  <fieldset><legend>Kind</legend>
    <label><input type="radio" name="kind" value="private" checked> Private</label>
    <label><input type="radio" name="kind" value="business"> Business</label></fieldset>
  <p><label><input type="checkbox" name="terms" value="yes"> I accept the terms</label></p>
  <p><label><input type="checkbox" name="news" value="yes" checked> Send me news</label></p>
  <p><label>Comment <textarea id="comment" name="comment" rows="4" cols="40">old text</textarea></label></p>
  <p><span>Code</span> <input name="code" aria-label="the word"> <button type="button" disabled>Later</button>
    <button>Create</button></p>
</form>`;
const SLOW = { timeoutMs: 30_000 };

let desktop: Desktop;
let server: FormServer;
let page: DesktopWindow;
beforeAll(async () => {
  [desktop, server] = await Promise.all([
    openDesktop({ size: { width: 1280, height: 1000 }, policy: OPEN_POLICY, ...SLOW }),
    FormServer.start(FORM),
  ]);
  const app = await desktop.launch('chromium', { args: [server.url], timeoutMs: 60_000 });
  page = await app.firstWindow();
  await expect(page.getByRole('button', { name: 'Create' })).toBeVisible();
});
afterAll(async () => {
  await desktop?.close();
  await server?.stop();
});

test('what is there is found in each of the ways', async () => {
  const form = page.getByRole('document', { name: 'New account' });
  const fields = form.getByRole('textbox');
  so(await form.getByLabel('Full name').count()).toBe(1);
  so(await form.getByLabel('full').count()).toBe(1);
  so(await form.getByLabel('full', { exact: true }).count()).toBe(0);
  so(await form.getById('comment').inputValue()).toBe('old text');
  so(await form.getByRole('button', { disabled: true }).count()).toBe(1);
  so(await form.getByRole('radio', { checked: true }).textContent()).toBe('Private');
  so((await fields.all()).length).toBe(await fields.count());
  so((await fields.first().describe()).name).toBe('Full name');
  so(await form.getByText(/^Cod/).count()).toBeGreaterThan(0);
  so((await fields.rightOf(form.getByText('Code', { exact: true })).describe()).name).toBe('the word');
  so(
    await form
      .getByRole('checkbox')
      .filter({ state: { checked: true } })
      .isChecked(),
  ).toBe(true);
  so(await form.getByRole('button', { name: 'Later' }).isEnabled()).toBe(false);
  so(await form.getByRole('button', { name: 'Never' }).isVisible()).toBe(false);
  const { width, height } = (await form.getByRole('button', { name: 'Create' }).boundingBox())!;
  so(width * height).toBeGreaterThan(100);
  const { data, redactions } = await form.getByRole('button', { name: 'Create' }).capture();
  so([data.subarray(1, 4).toString(), redactions]).toEqual(['PNG', 0]);
});

test('the form is filled, and the server receives just that', async () => {
  const form = page.getByRole('document', { name: 'New account' });
  await form.getByLabel('Full name').type('Ada Lovelace & Söhne');
  await form.getByLabel('E-mail').fill('ada@example.org');
  await form.getByLabel('Country').selectOption('France');
  await form.getByLabel('Guests').fill(3);
  await form.getByRole('radio', { name: 'Business' }).click();
  await form.getByRole('checkbox', { name: 'I accept the terms' }).check();
  await form.getByRole('checkbox', { name: 'Send me news' }).uncheck();
  await form.getByLabel('Comment').fill('héllo 日本 😀\nsecond line');
  await expect(form.getByLabel('E-mail')).toHaveValue('ada@example.org');
  await expect(form.getByLabel('Guests')).toHaveValue(3);
  await expect(form.getByLabel('Full name')).toHaveValue(/^Ada .* Söhne$/);
  await expect(form.getByRole('checkbox', { name: 'terms' })).toBeChecked();
  await expect(form.getByRole('checkbox', { name: 'news' })).not.toBeChecked();
  await expect(form.getByRole('radio')).toHaveCount(2);
  await expect(page).toHaveText('I accept the terms');
  await expect(form).toMatchSnapshot(`
    textbox "E-mail": "ada@example.org"
    group "Kind"
      /^radio "Private", "Business" checked$/
    checkbox "I accept the terms" checked, "Send me news"
  `);
  const done = await form.getByRole('button', { name: 'Create' }).click({ verify: 'heading:"Thank you"' });
  so(done).toMatchObject({ delivered: 'yes', postcondition: 'satisfied' });
  so(server.received.map((form) => Object.fromEntries(form))).toEqual([
    {
      ...{ name: 'Ada Lovelace & Söhne', mail: 'ada@example.org', country: 'France', guests: '3', kind: 'business' },
      ...{ terms: 'yes', comment: 'héllo 日本 😀\r\nsecond line', code: '' },
    },
  ]);
  await expect(form).not.toBeVisible();
});

test('every call is in the log, under the name of this session', { tags: 'safety' }, async () => {
  const records = await desktop.audit.records();
  const acts = records.filter((record) => record.kind === 'intent');
  so(acts.length).toBeGreaterThanOrEqual(10);
  so(new Set(acts.map((act) => JSON.stringify((act as { caller?: unknown }).caller))).size).toBe(1);
  so(acts[0]).toMatchObject({ tool: 'ui_launch', caller: { surface: 'library' } });
  so(await desktop.audit.verify()).toMatchObject({ ok: true });
});
