import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../drivers/fake/index.js';
import { compilePolicy } from '../policy/index.js';
import { Desktop, perform, type Performed } from '../runtime/index.js';
import { TOOLS } from './index.js';

const REASON = 'A remote desktop has pixels and no tree';
const WITHOUT = { read: REASON, atPoint: REASON, focused: REASON, text: REASON, range: REASON, act: REASON };
const POLICY = { user: { version: 1, defaults: { act: 'allow', raw: 'allow', read: 'allow', capture: 'allow' } } };

let fake: FakeDesktop;
let desktop: Desktop;
beforeEach(() => {
  fake = fakeDesktop({
    without: WITHOUT,
    windows: [
      {
        ...{ title: 'Remote', app: 'remote', bounds: { x: 0, y: 0, width: 200, height: 200 } },
        children: [{ role: 'button', name: 'Save', box: { x: 0, y: 0, width: 200, height: 200 } }],
      },
    ],
  });
  const policy = compilePolicy(POLICY as never, 'virtual');
  desktop = new Desktop({ name: 'remote', kind: 'virtual', driver: fake.driver, policy });
});
afterEach(() => desktop.close());

const call = (tool: string, args: object = {}): Promise<Performed> =>
  perform(desktop, TOOLS, { tool, args, caller: 'mcp:a', timeoutMs: 2_000 });

describe('a desktop without an accessibility tree', () => {
  it('has no method for it and says why', () => {
    expect((fake.driver as { read?: unknown }).read).toBeUndefined();
    expect(desktop.driver.describe().capabilities.read).toEqual({ can: 'no', reason: REASON });
  });

  it.each([
    ['ui_snapshot', { window: 'Remote' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_describe', { target: 'button:Save' }],
    ['ui_click', { target: 'button:Save' }],
  ])('refuses %s %j with the reason', async (tool, args) => {
    await call('ui_list_windows');
    await expect(call(tool, args)).rejects.toMatchObject({
      ...{ code: 'not_supported', delivered: 'no', retry: 'no' },
      message: `This desktop cannot do that (read): ${REASON}.`,
    });
    expect(fake.diary).toEqual([]);
  });

  it('still lists its windows and takes screenshots', async () => {
    expect((await call('ui_list_windows')).text).toContain('Remote');
    expect((await call('ui_capture')).json).toMatchObject({ width: expect.any(Number) as number });
  });

  it('shows all windows with the reason instead of their trees', async () => {
    expect((await call('ui_snapshot', { window: '*' })).json).toMatchObject({
      degraded: { reason: `w1: This desktop cannot do that (read): ${REASON}` },
      count: 1,
    });
  });

  it('is clicked by points', async () => {
    await call('ui_click_xy', { x: 100, y: 100, settleMs: 20 });
    expect(fake.diary).toEqual(['invoke button "Save"']);
  });
});
