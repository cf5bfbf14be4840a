import { afterEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

const windowAt = (title: string, x: number, pid: number, name: string): WindowSpec => ({
  ...{ key: title, title, app: title, pid, bounds: { x, y: 0, width: 300, height: 300 } },
  children: [{ role: 'button', name, noPattern: true }],
});
const PARCEL = 11;
const SHELF = 12;

let desktop: Desktop;
let fake: FakeDesktop;
afterEach(() => desktop.close());

/** `meanwhile`: what happens once the button is down. */
async function drag(meanwhile: () => void, args: object = { to: 'button:Shelf' }): Promise<DesktopError | string> {
  fake = fakeDesktop({ windows: [windowAt('From', 0, PARCEL, 'Parcel'), windowAt('To', 400, SHELF, 'Shelf')] });
  const policy = compilePolicy({ user: { version: 1, windows: { block: ['*Vault*'] } } }, 'virtual');
  desktop = new Desktop({ name: 'd', kind: 'virtual', driver: fake.driver, policy });
  const resume = fake.driver.resume!.bind(fake.driver);
  let resumed = 0;
  // The first checkpoint is `ready`, before the button goes down.
  fake.driver.resume = (...given) => {
    if (++resumed === 1) setImmediate(meanwhile);
    return resume(...given);
  };
  const call = {
    tool: 'ui_drag',
    args: { from: 'button:Parcel', settleMs: 20, timeoutMs: 500, ...args },
    caller: 'me',
  };
  return perform(desktop, TOOLS, call).then(
    ({ json }) => String(json.status),
    (error: unknown) => {
      if (error instanceof DesktopError) return error;
      throw error;
    },
  );
}

const opened = (spec: Partial<WindowSpec>): void =>
  void fake.controls.openWindow({
    title: 'Sure?',
    app: 'x',
    bounds: { x: 350, y: 0, width: 400, height: 300 },
    ...spec,
  });
const dropped = (): boolean => fake.diary.some((line) => / to \d/.test(line));

it.each<[string, Partial<WindowSpec>, RegExp]>([
  [
    'a dialog',
    { role: 'dialog', pid: SHELF },
    /^w3 dialog "Sure\?" came to \d+,\d+ while e\d+ was dragged there; the drag was cancelled\.$/,
  ],
  ["a dialog of the dragging app's own", { role: 'dialog', pid: PARCEL }, /^w3 dialog "Sure\?" came/],
  ['a menu', { role: 'popup', menu: true, pid: PARCEL }, /^w3 popup "Sure\?" came/],
  ['what another app puts above everything', { role: 'popup', pid: 99 }, /^w3 popup "Sure\?" came/],
  [
    'what the policy hides',
    { title: 'Vault', pid: 99 },
    /^The drag was cancelled: the point \d+,\d+, .* is in a window that the policy hides; part of the drag was done\.$/,
  ],
])('%s that opens over the end while something is dragged there: it is not dropped', async (_, spec, words) => {
  const answer = await drag(() => opened(spec));
  expect(dropped()).toBe(false);
  expect(answer).toBeInstanceOf(DesktopError);
  expect((answer as DesktopError).message).toMatch(words);
  expect(answer).toMatchObject({ delivered: 'yes', retry: 'no' });
});

it('the same by pixels', async () => {
  expect(await drag(() => opened({ role: 'dialog', pid: SHELF }), { dx: 400, dy: 0 })).toMatchObject({
    code: 'target_changed',
    delivered: 'yes',
  });
  expect(dropped()).toBe(false);
});

it('the window at the end is closed', async () => {
  const answer = await drag(() => fake.controls.closeWindow('To'));
  expect(answer).toMatchObject({ code: 'target_changed' });
  expect(String(answer)).toMatch(/The window at .* went away/);
  expect(dropped()).toBe(false);
});

it.each<[string, () => void]>([
  ['the picture of what is dragged', () => opened({ role: 'popup', pid: PARCEL })],
  [
    'a window elsewhere',
    () => opened({ role: 'dialog', pid: SHELF, bounds: { x: 0, y: 400, width: 100, height: 50 } }),
  ],
])('%s does not block the drop', async (_, meanwhile) => {
  expect(await drag(meanwhile)).toMatch(/^(ok|no change)$/);
  expect(dropped()).toBe(true);
});

it('a window that is moved by the drag comes along', async () => {
  const far = { dx: 0, dy: 400 };
  const move = (): void => fake.controls.moveWindow('From', { x: 0, y: 400, width: 300, height: 300 });
  expect(await drag(move, far)).toMatch(/^(ok|no change)$/);
});
