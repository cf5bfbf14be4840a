import { describe, expect, it } from 'vitest';
import { Deadline } from '../../shared/index.js';
import type { Node } from '../../tree/index.js';
import { fakeDesktop, parseRecording, record, specOf } from './index.js';

const soon = () => ({ deadline: Deadline.in(5_000) });

const original = () =>
  fakeDesktop({
    windows: [
      {
        key: 'form',
        title: 'Form',
        app: 'crm',
        children: [
          { role: 'textbox', name: 'E-mail', value: 'ada@', states: { invalid: true }, error: 'Not a valid address' },
          { role: 'passwordbox', name: 'Password', value: 'canary' },
          { role: 'label', name: 'hidden', hidden: true },
          {
            role: 'list',
            name: 'Places',
            list: { total: 30, shown: 3, item: (n) => ({ role: 'listitem', name: `Place ${n}` }) },
          },
        ],
      },
      {
        title: 'Sure?',
        app: 'crm',
        role: 'dialog',
        modal: true,
        of: 'form',
        bounds: { x: 90, y: 90, width: 200, height: 100 },
      },
      { title: 'Stuck', app: 'slow' },
    ],
    hungAfterMs: 20,
  });

function outline(node: Node): unknown {
  const { role, name, value, states, error, bounds, items } = node;
  return { role, name, value, states, error, bounds, items, children: node.children.map(outline) };
}

describe('a recorded desktop', () => {
  it('restores the windows and trees as they were', async () => {
    const first = original();
    first.controls.hang('Stuck');
    const recording = parseRecording(JSON.stringify(await record(first.driver)));
    const restored = fakeDesktop(specOf(recording));
    const before = (await first.driver.windows(soon())).windows;
    const after = (await restored.driver.windows(soon())).windows;
    expect(after.map(({ title, app, role, bounds }) => ({ title, app, role, bounds }))).toEqual(
      before.map(({ title, app, role, bounds }) => ({ title, app, role, bounds })),
    );
    expect(after[1]!.of).toBe(after[0]!.id);
    expect(after[2]!.hasTree).toBe(false);
    const read = async (desk: typeof first, id: string) =>
      outline((await desk.driver.read({ window: id }, soon())).root);
    expect(await read(restored, after[0]!.id)).toEqual(await read(first, before[0]!.id));
  });

  it('never contains the password', async () => {
    const recording = await record(original().driver);
    expect(JSON.stringify(recording)).not.toContain('canary');
    const restored = fakeDesktop(specOf(recording));
    const { root } = await restored.driver.read({ window: restored.controls.windowId('Form') }, soon());
    expect(root.children.find((node) => node.name === 'Password')!.states).toMatchObject({
      secret: true,
      filled: true,
    });
  });

  it.each(['', '{', 'null', '[]', '{"version":2,"windows":[],"trees":{}}'])('refuses %j', (json) => {
    expect(() => parseRecording(json)).toThrow(/recording|recorded/);
  });
});
