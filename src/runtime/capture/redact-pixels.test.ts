import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';

const BOUNDS = { x: 0, y: 0, width: 400, height: 400 };
let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({
    windows: [
      { key: 'page', title: 'Page', app: 'web', bounds: BOUNDS, children: [{ role: 'textbox', key: 'field' }] },
    ],
  });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver });
});
afterEach(() => desktop.close());

async function places() {
  const deadline = Deadline.in(5_000);
  const { windows } = await desktop.listWindows(deadline);
  return desktop.secrets.find(windows, undefined, deadline);
}

/** Its field is not among what was read. */
function cutShort(): void {
  const read = fake.driver.read.bind(fake.driver);
  fake.driver.read = async (scope, options) => {
    const answer = await read(scope, options);
    return { ...answer, root: { ...answer.root, children: [] }, degraded: { reason: 'there is more' } };
  };
}

it('a window with a secret in it that is not read to its end is painted over as a whole', async () => {
  const typed = { window: fake.controls.windowId('page'), field: fake.controls.elementId('field') };
  desktop.secrecy.taint.typed({ name: 'pin', value: 'correct horse', ...typed });
  const [field] = (await places()).boxes;
  expect(field!.width).toBeLessThan(BOUNDS.width + 1);
  expect(field!.height).toBeLessThan(BOUNDS.height);
  cutShort();
  expect(await places()).toEqual({ boxes: [BOUNDS], silent: ['w1'] });
});

it('one without is not', async () => {
  cutShort();
  expect(await places()).toEqual({ boxes: [], silent: [] });
  desktop.secrecy.taint.typed({ name: 'pin', value: 'correct horse', window: 'another', field: 'x' });
  expect(await places()).toEqual({ boxes: [], silent: [] });
});
