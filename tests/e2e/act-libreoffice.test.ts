import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Node, WindowNode } from '../../src/tree/index.js';
import { codeOf } from '../conformance/case.js';
import { ActRoom, by, number, soon, text } from './support/act-room.js';
import { until } from './support/seat-room.js';

let room: ActRoom;
beforeAll(async () => {
  room = await ActRoom.open();
});
afterAll(() => room?.close());

/** Started, and busy no more: its tools are there. */
async function start(kind: 'calc' | 'writer', title: RegExp): Promise<WindowNode> {
  await room.seat.launch('libreoffice', [`--${kind}`]);
  const window = await room.window((one) => title.test(one.title) && one.active);
  await until('its tools', async () => (await room.find(window, 'togglebutton', 'Bold')).states.enabled);
  return window;
}

describe('Calc', () => {
  let window: WindowNode;
  let sheet: Node;
  beforeAll(async () => {
    window = await start('calc', /LibreOffice Calc$/);
    sheet = await room.find(window, 'sheet', /./);
  });
  const cell = async (address: string): Promise<Node> => {
    const { root } = await room.driver.read!({ element: `${sheet.id}#${address}` }, { deadline: soon(), depth: 0 });
    return root;
  };

  test('a number goes into a cell without the focus', async () => {
    await room.act(await cell('r3c2'), number(42.5));
    await until('the number', async () => (await cell('r3c2')).name === '42.5');
  });

  test('a text does not: keys do it, in the cell that is selected', async () => {
    expect(await codeOf(room.act(await cell('r4c2'), text('Summe')))).toBe('pattern_unsupported');
    await room.act(await cell('r4c2'), by('select'));
    await room.keys('S', 'u', 'm', 'Return');
    await until('the text', async () => (await cell('r4c2')).name === 'Sum');
  });

  test('a tool is toggled, and its state is read', async () => {
    await room.act(await cell('r3c2'), by('select'));
    await room.act(await room.find(window, 'togglebutton', 'Bold'), by('toggle'));
    await until('Bold', async () => (await room.find(window, 'togglebutton', 'Bold')).states.pressed);
  });

  test('a closed menu item opens a dialog, its tabs are selected, and it is cancelled', async () => {
    await room.act(await room.find(window, 'menuitem', 'Cells...'), by('invoke'));
    const dialog = await room.window(({ pid, role }) => pid === window.pid && role === 'dialog');
    await room.act(await room.find(dialog, 'tab', 'Borders'), by('select'));
    await until('the tab', async () => (await room.find(dialog, 'tab', 'Borders')).states.selected);
    await room.act(await room.find(dialog, 'button', 'Cancel'), by('invoke'));
    await until('the dialog to close', async () => (await room.windows()).every(({ id }) => id !== dialog.id));
  });
});

describe('Writer', () => {
  test('a paragraph is written, whatever letters', async () => {
    const window = await start('writer', /LibreOffice Writer$/);
    const paragraph = await room.find(window, 'paragraph', /^$/);
    await room.act(paragraph, text('héllo 日本 😀 Ω€'));
    await until('the text', async () => {
      const now = (await room.nodes(window)).filter(({ role }) => role === 'paragraph');
      return now.some(({ name, value }) => (value ?? name) === 'héllo 日本 😀 Ω€');
    });
    await room.act(
      (await room.nodes(window)).find(({ role }) => role === 'paragraph')!,
      { kind: 'insertText', text: '!' },
    );
  });
});
