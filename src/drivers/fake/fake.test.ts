import { describe, expect, it } from 'vitest';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Node } from '../../tree/index.js';
import type { DriverEvent } from '../contract/index.js';
import { fakeDesktop, type DesktopSpec, type WindowSpec } from './index.js';

const soon = () => ({ deadline: Deadline.in(5_000) });

const editor: WindowSpec = {
  key: 'editor',
  title: 'Notes',
  app: 'mousepad',
  bounds: { x: 0, y: 0, width: 400, height: 300 },
  children: [
    { role: 'button', name: 'Save' },
    { role: 'textbox', name: 'Text', text: 'héllo 😀 world', states: { focused: true } },
  ],
};
const sheet: WindowSpec = {
  key: 'calc',
  title: 'Untitled 1 - Calc',
  app: 'soffice',
  bounds: { x: 500, y: 0, width: 600, height: 600 },
  children: [
    {
      key: 'sheet',
      role: 'sheet',
      name: 'Sheet1',
      table: {
        rows: 1_048_576,
        columns: 16_384,
        sheet: true,
        shownRows: 20,
        shownColumns: 8,
        cell: (row, column) => (row % 1000 === 2 && column <= 2 ? row * column : undefined),
      },
    },
  ],
};

function open(...windows: WindowSpec[]) {
  return fakeDesktop({ windows: windows.length > 0 ? windows : [editor, sheet], hungAfterMs: 30 });
}

function names(node: Node): string[] {
  return [node.name ?? '', ...node.children.flatMap(names)];
}

async function code(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'none',
    (error: unknown) => (error instanceof DesktopError ? error.code : String(error)),
  );
}

describe('a sheet of 17 billion cells', () => {
  it('is one node with its filled cells on screen', async () => {
    const { driver, controls } = open();
    const { root, count } = await driver.read({ window: controls.windowId('calc') }, soon());
    const node = root.children[0]!;
    expect(node.table).toMatchObject({ rows: 1_048_576, columns: 16_384, sheet: true });
    expect(node.table!.shown).toEqual({ rows: [1, 20], columns: [1, 8] });
    expect(node.children.map((row) => row.children.map((cell) => cell.cell!.address))).toEqual([['A2', 'B2']]);
    expect(count).toBeLessThan(10);
  });

  it('is read by address far from the screen, and a cell can be read again by its id', async () => {
    const { driver, controls } = open();
    const id = controls.elementId('sheet');
    const cells = { rows: [1_002, 1_002] as [number, number], columns: [2, 3] as [number, number] };
    const answer = await driver.range!(id, { cells }, soon());
    const cell = answer.rows[0]!.children[0]!;
    expect(cell).toMatchObject({ value: 2004, cell: { row: 1002, column: 2, address: 'B1002' } });
    expect(cell.states.offscreen).toBe(true);
    expect((await driver.read({ element: cell.id }, soon())).root).toMatchObject({ id: cell.id, value: 2004 });
  });

  it('shows another part after scrolling', async () => {
    const { driver, controls } = open();
    controls.scroll('sheet', 995);
    const { root } = await driver.read({ window: controls.windowId('calc') }, soon());
    expect(names(root)).toContain('2004');
  });
});

describe('apps that do not answer', () => {
  it('waits for a slow app, and reports it as hung beyond the limit', async () => {
    const { driver, controls } = open();
    const window = controls.windowId('editor');
    controls.slow('editor', 5);
    expect(await code(driver.read({ window }, soon()))).toBe('none');
    controls.slow('editor', 500);
    expect(await code(driver.read({ window }, soon()))).toBe('app_hung');
    expect(await code(driver.read({ window }, { deadline: Deadline.in(10) }))).toBe('timeout');
  });

  it('continues the waiting read after the app resumes', async () => {
    const { driver, controls } = fakeDesktop({ windows: [editor], hungAfterMs: 5_000 });
    controls.hang('editor');
    const read = driver.read({ window: controls.windowId('editor') }, soon());
    controls.resume('editor');
    expect((await read).root.name).toBe('Notes');
  });

  it('can be cancelled during the wait', async () => {
    const { driver, controls } = fakeDesktop({ windows: [editor], hungAfterMs: 5_000 });
    const stop = new AbortController();
    controls.hang('editor');
    const read = code(
      driver.read({ window: controls.windowId('editor') }, { deadline: Deadline.in(5_000, stop.signal) }),
    );
    stop.abort();
    expect(await read).toBe('cancelled');
  });

  it('reports an app that dies during a read', async () => {
    const { driver, controls } = open();
    const window = controls.windowId('editor');
    controls.killDuringRead('editor', 2);
    expect(await code(driver.read({ window }, soon()))).toBe('process_gone');
    expect(await code(driver.read({ window: controls.windowId('calc') }, soon()))).toBe('none');
  });
});

describe('windows', () => {
  const popup: WindowSpec = {
    key: 'menu',
    title: '',
    app: 'mousepad',
    role: 'popup',
    of: 'editor',
    bounds: { x: 10, y: 10, width: 80, height: 60 },
    children: [{ role: 'menuitem', name: 'Open' }],
  };

  it('puts a popup over its window, where it gets clicks but is not active', async () => {
    const { driver, controls } = open();
    controls.openWindow(popup);
    const { windows } = await driver.windows(soon());
    expect(windows.map((window) => [window.role, window.active])).toEqual([
      ['popup', false],
      ['window', true],
      ['window', false],
    ]);
    const found = await driver.atPoint!({ x: 20, y: 20 }, soon());
    expect(found?.path.map((node) => node.name)).toEqual([undefined, 'Open']);
    controls.closeWindow('editor');
    expect((await driver.windows(soon())).windows.map((window) => window.app)).toEqual(['soffice']);
  });

  it('takes a minimised window away from the mouse and activates another', async () => {
    const { driver, controls } = open();
    controls.minimise('editor');
    const { windows } = await driver.windows(soon());
    expect(windows.map((window) => [window.title, window.visible, window.active])).toEqual([
      ['Untitled 1 - Calc', true, true],
      ['Notes', false, false],
    ]);
    expect(await driver.atPoint!({ x: 5, y: 5 }, soon())).toBeUndefined();
  });

  it('reads a plain client as a window without a tree', async () => {
    const { driver, controls } = open({ ...editor, hasTree: false });
    const answer = await driver.read({ window: controls.windowId('editor') }, soon());
    expect(answer.root.children).toEqual([]);
    expect(answer.degraded).toBeDefined();
  });

  it('clips elements beyond the edge of the screen', async () => {
    const { driver, controls } = open({ ...editor, bounds: { x: 1200, y: 0, width: 400, height: 300 } });
    const { root } = await driver.read({ window: controls.windowId('editor') }, soon());
    expect(root.children[0]!.bounds).toMatchObject({ x: 1200, width: 80 });
  });
});

it('treats a field with a secret label as secret', async () => {
  const { driver, controls } = open({
    title: 'Form',
    app: 'form',
    children: [{ role: 'textbox', name: 'PIN code', value: '4711' }],
  });
  const { root } = await driver.read({ window: controls.windowId('Form') }, soon());
  expect(root.children[0]).toMatchObject({ name: 'PIN code', states: { secret: true, filled: true } });
  expect(JSON.stringify(root)).not.toContain('4711');
});

describe('events', () => {
  it('reports lost events to a listener that is far behind', async () => {
    const { driver, controls } = open();
    const stop = new AbortController();
    const stream = driver.events({ signal: stop.signal })[Symbol.asyncIterator]();
    for (let n = 0; n < 6_000; n++) controls.notify(`n${n}`);
    const first = (await stream.next()).value as DriverEvent;
    expect(first.type).toBe('lost');
    stop.abort();
    expect((await stream.next()).done).toBe(true);
  });

  it('ends with the driver', async () => {
    const { driver } = open();
    const waiting = driver.events({ signal: new AbortController().signal })[Symbol.asyncIterator]().next();
    await driver.close();
    expect((await waiting).done).toBe(true);
  });
});

describe('honesty', () => {
  it('has no methods for missing capabilities', async () => {
    const without: DesktopSpec['without'] = { screenshot: 'no pixels here' };
    const { driver } = fakeDesktop({ windows: [editor], without });
    expect(typeof driver.screenshot).toBe('undefined');
    expect(driver.describe().capabilities.screenshot).toEqual({ can: 'no', reason: 'no pixels here' });
    expect(driver.describe().capabilities.text).toEqual({ can: 'yes' });
  });

  it('changes the screenshot with the screen, and refuses areas outside of it', async () => {
    const { driver, controls } = open();
    const before = await driver.screenshot!(undefined, soon());
    expect(before).toMatchObject({ width: 1280, height: 800, origin: { x: 0, y: 0 } });
    controls.setName('Save', 'Saved');
    expect((await driver.screenshot!(undefined, soon())).rgba.equals(before.rgba)).toBe(false);
    expect(await code(driver.screenshot!({ x: 9_000, y: 0, width: 5, height: 5 }, soon()))).toBe('bad_arguments');
  });

  it('refuses impossible changes', () => {
    const { controls } = open();
    expect(() => controls.scroll('Save', 3)).toThrow('does not scroll');
    expect(() => controls.remove(controls.elementId('Notes'))).toThrow('closed, not removed');
    expect(() => controls.windowId('nowhere')).toThrow('not open');
  });
});
