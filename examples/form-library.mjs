// A web form, filled through the library in a private desktop. What counts is what the server received.
// Run it: node examples/form-library.mjs
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, openDesktop } from 'deskproof';

const FORM = `<!doctype html><meta charset="utf-8"><title>Sign up</title><form method="post">
  <p><label>Full name <input name="name"></label>
  <p><label>Country <select name="country"><option>France</option><option>Japan</option></select></label>
  <p><label><input type="checkbox" name="news"> Send me news</label>
  <p><button>Send</button></form>`;

const received = [];
const server = createServer(async (request, response) => {
  if (request.method === 'POST') received.push(Object.fromEntries(new URLSearchParams(await text(request))));
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(request.method === 'POST' ? '<title>Sign up</title><h1>Thank you</h1>' : FORM);
});
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));

const desktop = await openDesktop({ timeoutMs: 30_000 });
try {
  const browser = await desktop.launch('chromium', { args: [`http://127.0.0.1:${server.address().port}/`] });
  const page = (await browser.firstWindow({ timeoutMs: 60_000 })).getByRole('document', { name: 'Sign up' });
  await page.getByLabel('Full name').fill('Ada Lovelace');
  await page.getByLabel('Country').selectOption('Japan');
  await page.getByRole('checkbox', { name: 'Send me news' }).check();
  await expect(page.getByLabel('Full name')).toHaveValue('Ada Lovelace');
  await page.getByRole('button', { name: 'Send' }).click({ verify: 'heading:"Thank you"' });
  assert.deepEqual(received, [{ name: 'Ada Lovelace', country: 'Japan', news: 'on' }]);
  console.log('ok: the server received', JSON.stringify(received[0]));
} finally {
  await desktop.close();
  server.closeAllConnections();
  server.close();
}
