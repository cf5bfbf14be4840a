import { fileURLToPath, pathToFileURL } from 'node:url';
import { OPEN_POLICY } from './support/library.js';

// The fixture that is published, used as its readers would: a desktop for each worker, and an expect that waits.

const FIXTURE = fileURLToPath(new URL('../../dist/vitest.js', import.meta.url));
const { desktopTest, describe, expect } = (await import(
  pathToFileURL(FIXTURE).href
)) as typeof import('../../src/vitest.js');

const test = desktopTest({ policy: OPEN_POLICY, timeoutMs: 30_000 });

describe('a calculator', () => {
  let name: string;

  test('computes', async ({ desktop }) => {
    name = desktop.name;
    await using app = await desktop.launch('gnome-calculator', { timeoutMs: 60_000 });
    const window = await app.firstWindow();
    for (const key of ['1', '2', '.', '5', '×', '8', '=']) {
      await window.getByRole('button', { name: key, exact: true }).click();
    }
    await expect(window.locator('role=textbox && focused=true')).toHaveValue('100');
    await expect(window.getByRole('button', { name: 'Undo' })).toBeEnabled();
    await expect(window).toBeFocused();
    expect(await window.getByRole('button').count()).toBeGreaterThan(20);
  });

  test('was closed with its test, and the desktop is still the same', async ({ desktop }) => {
    expect(desktop.name).toBe(name);
    await expect(desktop.window('Calculator')).not.toBeVisible();
    expect(await desktop.windows()).toEqual([]);
  });
});
