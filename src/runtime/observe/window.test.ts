import { CallView } from '../visibility/call-view.js';
import { describe, expect, it } from 'vitest';
import { mail, officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import { familyOf } from './snapshot.js';
import { findWindow } from './window.js';

async function open() {
  const fake = fakeDesktop(officeSpec({ ...mail, key: 'mail 2', title: 'Inbox - Mail (2)' }));
  const desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
  const list = async () => (await desktop.listWindows(Deadline.in(5_000))).windows;
  const find = async (which: string) => findWindow(CallView.forUser(desktop), await list(), which);
  return { ...fake, desktop, list, find };
}

async function refusal(work: Promise<unknown>): Promise<DesktopError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw new Error('it was accepted');
}

describe('a window', () => {
  it.each([
    ['w1', '*Untitled 1 - Mousepad'],
    ['orders', 'Orders - Chromium'],
    ['ORDERS – chromium', 'Orders - Chromium'],
    ['Inbox - Mail', 'Inbox - Mail'],
    ['(2)', 'Inbox - Mail (2)'],
    ['*Untitled', '*Untitled 1 - Mousepad'],
  ])('%s', async (which, title) => {
    const { find, desktop } = await open();
    expect((await find(which)).title).toBe(title);
    await desktop.close();
  });

  it('by a word that is the whole title of its open menu is the window, and the menu by that when there is no other', async () => {
    const { find, desktop, controls } = await open();
    const menu = { key: 'menu', title: 'Mousepad', app: 'mousepad', menu: true, children: [] };
    controls.openWindow({ ...menu, bounds: { x: 0, y: 0, width: 90, height: 90 } });
    expect((await find('Mousepad')).title).toBe('*Untitled 1 - Mousepad');
    controls.setTitle('menu', 'Colours');
    expect((await find('colours')).title).toBe('Colours');
    await desktop.close();
  });

  it('that fits two titles is refused with both', async () => {
    const { find, desktop } = await open();
    const error = await refusal(find('inbox'));
    expect(error).toMatchObject({ code: 'ambiguous_target', message: '"inbox" is in the title of 2 windows.' });
    expect(error.details!.candidates).toMatchObject([{ name: 'Inbox - Mail' }, { name: 'Inbox - Mail (2)' }]);
    await desktop.close();
  });

  it.each([
    ['Calculator', 'element_not_found', /No open window has "Calculator"/],
    ['w99', 'element_not_found', /There is no window w99/],
    ['e4', 'bad_arguments', /e4 is an element/],
    ['  ', 'bad_arguments', /empty/],
    ['x'.repeat(50_000), 'element_not_found', /^.{1,200}$/],
  ])('%.20s is refused: %s', async (which, code, message) => {
    const { find, desktop } = await open();
    const error = await refusal(find(which));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeDefined();
    await desktop.close();
  });

  it('that was closed is named, with what is open', async () => {
    const { find, controls, desktop } = await open();
    const { ref } = await find('Orders');
    controls.closeWindow('orders');
    const error = await refusal(find(ref));
    expect(error.message).toBe(`${ref} (was window "Orders - Chromium") is closed.`);
    expect(error.details!.candidates).toHaveLength(3);
    await desktop.close();
  });

  it('has a family: its dialogs and their dialogs', async () => {
    const { controls, list, desktop } = await open();
    controls.openWindow(saveAs);
    controls.openWindow({ ...saveAs, key: 'sure', title: 'Replace it?', of: 'save as' });
    const windows = await list();
    const titles = (of: string) =>
      familyOf(
        windows.find((w) => w.title === of)!,
        windows,
      ).map((w) => w.title);
    expect(titles('*Untitled 1 - Mousepad')).toEqual(['*Untitled 1 - Mousepad', 'Save As', 'Replace it?']);
    expect(titles('Save As')).toEqual(['Save As', 'Replace it?']);
    expect(windows.find((w) => w.title === 'Save As')!.ofTitle).toBe('*Untitled 1 - Mousepad');
    await desktop.close();
  });
});
