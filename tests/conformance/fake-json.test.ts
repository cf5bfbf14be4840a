import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop } from '../../src/drivers/fake/index.js';
import { compilePolicy } from '../../src/policy/index.js';
import { Desktop, perform } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { TOOLS } from '../../src/tools/index.js';
import { openFakeStage } from './fake-stage.js';
import { jsonDriver } from './json-driver.js';
import { conformance } from './suite.js';

conformance('fake, as JSON', async () => {
  const stage = await openFakeStage();
  return { ...stage, driver: jsonDriver(stage.driver) };
});

describe('the runtime on a driver behind JSON text', () => {
  let fake: FakeDesktop;
  let desktop: Desktop;
  beforeEach(() => {
    const bounds = { x: 0, y: 0, width: 400, height: 300 };
    fake = fakeDesktop({
      windows: [
        {
          ...{ key: 'main', title: 'Main', app: 'main', bounds },
          children: [
            { role: 'button', name: 'Save', key: 'save' },
            { role: 'textbox', name: 'Name', key: 'name', value: '' },
          ],
        },
        {
          ...{ title: `${'Notes '.repeat(50)}My Banking`, app: 'bank', bounds: { ...bounds, x: 500 } },
          children: [{ role: 'button', name: 'Pay' }],
        },
      ],
    });
    const user = { version: 1, windows: { block: ['*My Banking'] }, defaults: { act: 'allow', raw: 'allow' } };
    const policy = compilePolicy({ user } as never, 'virtual');
    desktop = new Desktop({ name: 'remote', kind: 'virtual', driver: jsonDriver(fake.driver), policy });
  });
  afterEach(() => desktop.close());

  const call = (tool: string, args: object) =>
    perform(desktop, TOOLS, { tool, args: { settleMs: 20, timeoutMs: 2_000, ...args }, caller: 'mcp:a' });

  it('hides a window by the end of a title that is cut', async () => {
    const { text } = await perform(desktop, TOOLS, { tool: 'ui_list_windows', args: {}, caller: 'mcp:a' });
    expect(text).toMatch(/^1 window, 1 more hidden by policy/);
    expect(text).not.toContain('Notes');
  });

  it.each(['pattern', 'input'])('clicks by %s', async (method) => {
    expect((await call('ui_click', { target: 'button:Save', method })).json).toMatchObject({
      method,
      delivered: 'yes',
    });
    expect(fake.diary).toEqual(['invoke button "Save"']);
  });

  it('types, drags and presses keys', async () => {
    await call('ui_type', { target: 'textbox:Name', text: 'a'.repeat(100), method: 'input' });
    await call('ui_drag', { from: 'textbox:Name', to: 'button:Save' });
    await call('ui_key', { keys: 'ctrl+s', target: 'textbox:Name' });
    expect(fake.diary.filter((line) => line.startsWith('type'))).toHaveLength(4);
    expect(fake.diary).toContain('key ctrl+s');
    expect(fake.diary.some((line) => /^drag \d+,\d+ to /.test(line))).toBe(true);
  });

  it('stops typing when the focus moves, and says how far it came', async () => {
    const { diary, controls } = fake;
    const watch = setInterval(() => diary.some((line) => line.startsWith('type')) && controls.focus('save'), 0);
    try {
      const failed: unknown = await call('ui_type', {
        target: 'textbox:Name',
        text: 'b'.repeat(2_000),
        method: 'input',
      }).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(DesktopError);
      const { code, delivered, details } = failed as DesktopError;
      expect({ code, delivered }).toEqual({ code: 'target_changed', delivered: 'yes' });
      expect(diary.filter((line) => line.startsWith('type'))).toHaveLength((details!.typed as number) / 32);
    } finally {
      clearInterval(watch);
    }
  });

  it('takes a screenshot', async () => {
    const { json } = await perform(desktop, TOOLS, { tool: 'ui_capture', args: {}, caller: 'mcp:a' });
    expect(json).toMatchObject({ width: expect.any(Number) as number, data: expect.any(String) as string });
  });
});
