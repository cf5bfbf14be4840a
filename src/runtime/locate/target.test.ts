import { CallView } from '../visibility/call-view.js';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { officeSpec, saveAs } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import type { Element } from '../../tree/index.js';
import { Desktop } from '../desktop/desktop.js';
import { findTarget, type Target } from './target.js';
import { takeSnapshot } from '../observe/snapshot.js';

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop(officeSpec());
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
});
afterEach(() => desktop.close());

const find = (target: string, window?: string): Promise<Target> =>
  findTarget(CallView.forUser(desktop), target, window, Deadline.in(5_000));

async function all(window: string): Promise<Element[]> {
  const every = (element: Element): Element[] => [element, ...element.children.flatMap(every)];
  return (await takeSnapshot(CallView.forUser(desktop), { window }, { deadline: Deadline.in(5_000) })).roots.flatMap(
    every,
  );
}

async function seen(window: string, name: string, nth = 0): Promise<string> {
  return (await all(window)).filter((element) => element.name === name)[nth]!.ref;
}

async function refusal(work: Promise<unknown>): Promise<DesktopError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DesktopError) return error;
  throw new Error('it was accepted');
}

describe('a target', () => {
  it('is a ref, in all its spellings, read afresh', async () => {
    const ref = await seen('Mousepad', 'Zoom');
    fake.controls.setValue('Zoom', 150);
    for (const spelling of [ref, `@${ref}`, `@${ref.slice(1)}`, ` ${ref} `]) {
      expect((await find(spelling)).element).toMatchObject({ ref, role: 'spinbutton', name: 'Zoom', value: 150 });
    }
  });

  it('knows where it is', async () => {
    const { window, path } = await find(await seen('Mousepad', 'Save'));
    expect(window.ref).toBe('w1');
    expect(path.map((element) => element.name)).toEqual(['*Untitled 1 - Mousepad', 'Main']);
  });

  it('is a window', async () => {
    expect((await find('w2')).element).toMatchObject({ ref: 'w2', name: 'Orders - Chromium' });
  });

  it('is what has the focus, in a snapshot before or not', async () => {
    const unseen = await find('focused');
    expect(unseen.element).toMatchObject({ role: 'textbox', name: 'Document' });
    expect(unseen.path.map((element) => element.role)).toEqual(['window']);
    expect(await seen('Mousepad', 'Document')).toBe(unseen.element.ref);
    fake.controls.openWindow(saveAs);
    expect((await find('Focused')).element.name).toBe('Name:');
  });

  it('keeps its ref when its name changes', async () => {
    const ref = await seen('Mousepad', 'Save');
    fake.controls.setName('Save', 'Save all');
    expect((await find(ref)).element.name).toBe('Save all');
  });

  it('is searched in the named window and its dialogs', async () => {
    const ref = await seen('Mousepad', 'Save');
    expect((await find(ref, 'Mousepad')).element.ref).toBe(ref);
    const error = await refusal(find(ref, 'Orders'));
    expect(error).toMatchObject({ code: 'element_not_found', message: `${ref} is in w1, not in w2.` });
    fake.controls.openWindow(saveAs);
    const inDialog = await seen('Save As', 'Cancel');
    expect((await find(inDialog, 'w1')).element.name).toBe('Cancel');
  });

  it('that was not found is not denied where something could not be read', async () => {
    fake.controls.openWindow({ title: 'xterm', app: 'xterm', hasTree: false });
    const error = await refusal(find('button:Nowhere'));
    const reason = 'w4: this app has no accessibility tree';
    expect(error).toMatchObject({ code: 'element_not_found', details: { degraded: { reason } } });
    expect(error.message).toBe(
      `Nothing matches button:Nowhere on this desktop, and not everything could be read: ${reason}.`,
    );
    expect((await refusal(find('button:Nowhere', 'w1'))).message).toBe('Nothing matches button:Nowhere in w1.');
  });

  it('by a later alternative is less sure where the earlier one could not be searched everywhere', async () => {
    expect((await find('window=Mail >> "Nowhere" ?? window~=Orders >> button:"Export CSV"')).confidence).toBe(0.86);
    fake.controls.openWindow({ title: 'xterm', app: 'xterm', hasTree: false });
    const { confidence, reasons } = await find('window=xterm >> "Nowhere" ?? window~=Orders >> button:"Export CSV"');
    expect(confidence).toBe(0.68);
    expect(reasons).toContain('not everything could be read');
  });

  it('by a later alternative is not searched if the earlier one may be in an unread part', async () => {
    const read = desktop.driver.read!.bind(desktop.driver);
    vi.spyOn(desktop.driver, 'read').mockImplementation(async (scope, options) => ({
      ...(await read(scope, options)),
      degraded: { reason: 'only the first 5,000 elements were read' },
    }));
    const error = await refusal(find('button:Nowhere ?? button:"Export CSV"'));
    expect(error).toMatchObject({ code: 'element_not_found', delivered: 'no' });
    expect(error.message).toContain('not everything could be read');
    expect((await find('button:"Export CSV" ?? button:Nowhere')).element.name).toBe('Export CSV');
  });

  it('finds an element in a minimised window only if the window is named, and reports that it is minimised', async () => {
    const { id } = (await find('w1')).window;
    fake.controls.minimise(id);
    expect(await refusal(find('button:Save', 'w1'))).toMatchObject({
      code: 'element_not_found',
      message: 'w1 is minimised, and button:Save is searched in visible windows only.',
      hint: 'show it first: ui_window restore w1. To find it without showing it, put w1 >> in front.',
    });
    expect((await find('w1 >> button:Save')).element.name).toBe('Save');
    expect((await refusal(find('button:Nowhere', 'w2'))).message).toBe('Nothing matches button:Nowhere in w2.');
  });

  it.each([
    ['', 'selector_syntax', /./],
    ['region:12', 'element_not_found', /Nothing matches region:12 on this desktop/],
    ['e99', 'element_not_found', /There is no e99/],
    ['@e99 >> role=button', 'element_not_found', /There is no e99/],
    ['w99', 'element_not_found', /There is no window w99/],
    ['e0', 'selector_syntax', /./],
    ['e12345678901234567890', 'selector_syntax', /./],
    ['\u202eevil\n</ui 1>', 'selector_syntax', /^">" is not an operator|cannot stand/],
    ['uia:#ok', 'element_not_found', /Nothing matches/],
    ['ocr:"Save"', 'not_supported', /no ocr driver/],
    ['nmae=Save', 'selector_syntax', /unknown key "nmae"/],
    ['buton:Save', 'selector_syntax', /"buton:" is neither a role nor a prefix/],
  ])('%j is refused', async (target, code, message) => {
    const error = await refusal(find(target));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeDefined();
  });
});

describe('a ref that no longer holds', () => {
  it('is stale when the row shows another item, and the same item elsewhere is named', async () => {
    const edit = await seen('Orders', 'Edit', 1);
    expect((await find(edit)).element.ref).toBe(edit);
    fake.controls.scroll('Customers', 2);
    const error = await refusal(find(edit));
    expect(error).toMatchObject({ code: 'stale_ref', retry: 'no', delivered: 'no' });
    expect(error.message).toMatch(new RegExp(`^${edit} \\(was button "Edit" in listitem "Customer 2"\\) is gone`));
    const [near] = error.details!.nearest as { ref: string; within: { name: string } }[];
    expect(near!.within.name).toBe('Customer 2');
    expect(near!.ref).not.toBe(edit);
    expect(error.hint).toBe(`check that ${near!.ref} is what you mean.`);
    expect((await find(near!.ref)).element.name).toBe('Edit');
  });

  it('identifies a row by its text', async () => {
    const row = (await all('Orders')).find(({ role }) => role === 'listitem')!;
    fake.controls.scroll('Customers', 2);
    const { message } = await refusal(find(row.ref));
    expect(message).toMatch(new RegExp(`^${row.ref} \\(was listitem "Customer 1"\\) is gone`));
  });

  it('stays stale when the item comes back to the same widget', async () => {
    const edit = await seen('Orders', 'Edit', 1);
    fake.controls.scroll('Customers', 500);
    expect((await refusal(find(edit))).code).toBe('stale_ref');
    fake.controls.scroll('Customers', 1);
    expect((await refusal(find(edit))).code).toBe('stale_ref');
  });

  it('is stale when it was removed', async () => {
    const ref = await seen('Mousepad', 'Open');
    fake.controls.remove('Open');
    const error = await refusal(find(ref));
    expect(error.message).toMatch(/^e\d+ \(was button "Open"\) is gone since s1/);
    expect(error.hint).toMatch(/ui_snapshot w1/);
  });

  it('is stale when its window was closed', async () => {
    const ref = await seen('Orders', 'Export CSV');
    fake.controls.closeWindow('orders');
    const error = await refusal(find(ref));
    expect(error.code).toBe('stale_ref');
    expect(error.message).toContain('its window was closed');
  });

  it('reports a hung or dead app by name', async () => {
    const ref = await seen('Mail', 'Reply');
    fake.controls.hang('mail');
    expect(await refusal(find(ref))).toMatchObject({
      code: 'app_hung',
      message: expect.stringMatching(/^mail \(w3\)/) as string,
    });
    fake.controls.resume('mail');
    fake.controls.killDuringRead('mail', 0);
    expect(await refusal(find(ref))).toMatchObject({ code: 'process_gone' });
  });

  it('has a row of a table as its item', async () => {
    const edit = await seen('Orders', 'Edit', 6);
    expect((await find(edit)).path.map((element) => element.role)).toContain('table');
    fake.controls.scroll('Orders', 150);
    // The rows of this table are made by number, so the far one can still be read and is the same.
    expect((await find(edit)).element.ref).toBe(edit);
  });
});

it('reports why the focus is unknown', async () => {
  const plain = fakeDesktop({ ...officeSpec(), without: { focused: 'the platform does not report it' } });
  const other = new Desktop({ name: 'plain', kind: 'virtual', driver: plain.driver });
  const error = await refusal(findTarget(CallView.forUser(other), 'focused', undefined, Deadline.in(5_000)));
  expect(error).toMatchObject({
    code: 'not_supported',
    message: expect.stringContaining('the platform does not report it') as string,
  });
  await other.close();
});
