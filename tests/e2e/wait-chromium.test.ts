import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { PageServer } from './support/page-server.js';
import { elements, snapshotUntil, openRealDesktop, type RealDesktop } from './support/real-desktop.js';
import { ask } from './support/seat-room.js';
import { listeners, waitWhile } from './support/waiting.js';

let real: RealDesktop;
let page: PageServer;

beforeAll(async () => {
  [real, page] = await Promise.all([openRealDesktop(), PageServer.start('page.html')]);
  await real.seat.launch('chromium', ['--start-maximized', page.url]);
  await snapshotUntil(real, 'the page', (snapshot) => elements(snapshot, 'button', 'Edit').length > 3);
});
afterAll(async () => {
  await real?.stop();
  await page?.stop();
});
afterEach(() => expect(listeners(real)).toBe(0));

it('text that appears', async () => {
  const { text } = await waitWhile(real, { until: { text: 'order 4711 was SENT' } }, () =>
    page.run(`hint.textContent = 'Your order 4711 was sent…'`),
  );
  expect(text).toMatch(/^ok: satisfied after \d+\.\d s, e\d+ text "Your order 4711 was sent…" in w\d+$/);
  expect(await page.run('hint.innerText')).toContain('4711 was sent');
});

it('so many rows', async () => {
  const { seen } = await waitWhile(real, { until: { count: ['role=row && has("Open")', 2] } }, () =>
    page.run(`document.querySelector('tbody').innerHTML = [1, 2, 3, 4, 5, 6].map(row).join('')`),
  );
  expect(seen).toMatchObject({ condition: 'count', matches: 2 });
  expect(await page.run(`[...document.querySelectorAll('tr')].filter((r) => /Open/.test(r.innerText)).length`)).toBe(2);
});

it('a row that goes, and the button in it', async () => {
  await waitWhile(real, { until: { gone: 'role=row && has("1003") >> button:Edit' } }, () =>
    page.run(`edit3.closest('tr').remove()`),
  );
  expect(await page.run(`document.getElementById('edit3')`)).toBe(null);
});

it('a button that can be pressed, a box that is ticked, a field that is filled', async () => {
  await waitWhile(real, { until: 'button:Create && enabled=true' }, () => page.run(`create.disabled = false`));
  await waitWhile(real, { until: { state: ['checkbox:"I accept the terms"', 'checked', true] } }, () =>
    page.run(`terms.click()`),
  );
  expect(await page.run('terms.checked')).toBe(true);
  await waitWhile(real, { until: { value: ['textbox:"Full name"', 'Grace Hopper'] } }, async () => {
    await page.run(`(who.focus(), who.select())`);
    await ask('xdotool', ['type', '--delay', '30', 'Grace Hopper'], real.seat.env);
  });
  expect(await page.run('who.value')).toBe('Grace Hopper');
});

it('the focus', async () => {
  await waitWhile(real, { until: { focused: 'textbox:"E-mail"' } }, () => page.run(`mail.focus()`));
  expect(await page.run('document.activeElement.id')).toBe('mail');
  await waitWhile(real, { until: { not: { focused: 'textbox:"E-mail"' } } }, () => page.run(`who.focus()`));
  // A part of the window has the focus when something in it has.
  await real.call('ui_wait', { until: { focused: 'document:Orders' } });
});

it('a value of a password is never known', { tags: 'safety' }, async () => {
  const failed = await real.failure('ui_assert', { condition: { value: ['textbox:"Password"', 'page-canary-7'] } });
  expect(failed).toMatch(/^failed: verify_failed\. .* is not known: e\d+ is a secret field: its value is never read\./);
  expect(await real.failure('ui_assert', { condition: { text: 'page-canary' } })).toContain('the text is nowhere');
});

it('no change, once an animation has ended', async () => {
  const animate = `(() => {
    window.endedAt = undefined;
    let n = 0;
    const timer = setInterval(() => {
      hint.textContent = 'step ' + ++n;
      if (n < 20) return;
      clearInterval(timer);
      window.endedAt = performance.now();
    }, 60);
  })()`;
  const { text } = await waitWhile(real, { until: { all: [{ text: 'step' }, { stableMs: 400 }] } }, () =>
    page.run(animate),
  );
  const since = await page.run<number>('performance.now() - endedAt');
  expect(since).toBeGreaterThanOrEqual(400);
  expect(text).toMatch(/no change for \d+ ms$/);
  expect(await page.run('hint.innerText')).toBe('step 20');
});

it('no change, once something has stopped to move', async () => {
  const move = `(() => {
    window.endedAt = undefined;
    cancel.style.position = 'relative';
    let n = 0;
    const timer = setInterval(() => {
      cancel.style.left = ++n * 3 + 'px';
      if (n < 20) return;
      clearInterval(timer);
      window.endedAt = performance.now();
    }, 60);
  })()`;
  await page.run(move);
  // Chromium reports the positions of moving elements about twice a second, so a shorter time is not enough.
  await real.call('ui_wait', { until: { stableMs: 1_200 }, window: 'Orders' });
  expect(await page.run<number>('performance.now() - endedAt')).toBeGreaterThan(0);
});

it('a change of something, wherever it is in it', async () => {
  const { text } = await waitWhile(real, { until: { changed: 'table:"Open orders"' } }, () =>
    page.run(`document.querySelector('td').textContent = 'new'`),
  );
  expect(text).toMatch(/something in it changed$/);
});
