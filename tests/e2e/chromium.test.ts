import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { centre, type Box, type Element, type Point, type Snapshot } from '../../src/tree/index.js';
import { PageServer } from './support/page-server.js';
import {
  elements,
  everyElement,
  snapshotUntil,
  openRealDesktop,
  soon,
  theOne,
  type RealDesktop,
} from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';

let real: RealDesktop;
let page: PageServer;
/** From the page's coordinates to the screen's, as the page learnt it from the mouse. */
let offset: Point;

beforeAll(async () => {
  [real, page] = await Promise.all([openRealDesktop(), PageServer.start('page.html')]);
  await real.seat.launch('chromium', ['--start-maximized', page.url]);
  await snapshotUntil(real, 'the page', (snapshot) => elements(snapshot, 'button', 'Edit').length > 3);
  offset = await until('the page to see the mouse', async () => {
    await ask('xdotool', ['mousemove', '700', '420', 'mousemove_relative', '3', '3'], real.seat.env);
    return page.run<Point>('pointer');
  });
});
afterAll(async () => {
  await real?.stop();
  await page?.stop();
});

/** Where things are, in the page's own words and on the screen: what of them lies in the window's view. */
async function places(selector: string): Promise<{ id: string; text: string; box: Box }[]> {
  const seen = await page.run<{ id: string; text: string; box: Box }[]>(`
    [...document.querySelectorAll(${JSON.stringify(selector)})].map((element) => {
      let { left, top, right, bottom } = element.getBoundingClientRect();
      const clip = (box) => {
        [left, top] = [Math.max(left, box.left), Math.max(top, box.top)];
        [right, bottom] = [Math.min(right, box.right), Math.min(bottom, box.bottom)];
      };
      clip({ left: 0, top: 0, right: innerWidth, bottom: innerHeight });
      if (element !== log && log.contains(element)) clip(log.getBoundingClientRect());
      const box = { x: left, y: top, width: right - left, height: bottom - top };
      return { id: element.id, text: element.innerText, box };
    })`);
  return seen
    .filter(({ box }) => box.width >= 2 && box.height >= 2)
    .map((one) => ({ ...one, box: { ...one.box, x: one.box.x + offset.x, y: one.box.y + offset.y } }));
}

const SIDES = ['x', 'y', 'width', 'height'] as const;

function expectAt({ bounds, name }: Element, box: Box): void {
  for (const side of SIDES) {
    const off = Math.abs(bounds![side] - box[side]);
    expect(off, `${side} of ${name}: ${bounds![side]}, not ${box[side]}`).toBeLessThan(2);
  }
}

const isAt = ({ bounds }: Element, box: Box): boolean =>
  bounds !== undefined && SIDES.every((side) => Math.abs(bounds[side] - box[side]) < 2);

const clickPoint = (element: Element): Point => element.clickPoint ?? centre(element.bounds!);
const table = (snapshot: Snapshot): Element => theOne(snapshot, 'table', 'Open orders');
const idOf = (row: Element): string => row.children[0]?.name ?? '';
const editOf = (row: Element): Element => theOne(row, 'button', 'Edit');
const rowOf = (snapshot: Snapshot, id: string): Element => table(snapshot).children.find((row) => idOf(row) === id)!;

/** Scrolls the page and waits until a snapshot shows it there. */
async function scrollTo(y: number): Promise<Snapshot> {
  await page.run(`scrollTo(0, ${y})`);
  const shown = (await places('tbody tr')).map(({ text, box }) => ({ id: text.split('\t')[0]!, box }));
  return snapshotUntil(real, `rows ${shown[0]?.id} to ${shown.at(-1)?.id} at their places`, (snapshot) => {
    const rows = table(snapshot).children;
    return (
      rows.length === shown.length && rows.every((row, i) => idOf(row) === shown[i]!.id && isAt(row, shown[i]!.box))
    );
  });
}

describe('a form in Chromium', () => {
  it('has the names, values and states that a user sees', async () => {
    const snapshot = await real.snapshot();
    const form = theOne(snapshot, 'region', 'Account');
    expect(theOne(snapshot, 'heading', 'Orders').level).toBe(1);
    expect(theOne(snapshot, 'heading', 'Account').level).toBe(2);
    theOne(snapshot, 'link', 'New order');
    theOne(snapshot, 'link', 'Help & support');
    expect(theOne(form, 'textbox', 'Full name')).toMatchObject({ value: 'Ada Lovelace', states: { required: true } });
    const mail = theOne(form, 'textbox', 'E-mail');
    expect(mail).toMatchObject({ value: 'ada@', states: { invalid: true }, error: 'Not a valid address' });
    const password = theOne(form, 'passwordbox', 'Password');
    expect(password.states).toMatchObject({ secret: true, filled: true });
    expect(password).not.toHaveProperty('value');
    expect(theOne(form, 'spinbutton', 'Age')).toMatchObject({ value: 36, range: { min: 0, max: 130 } });
    expect(theOne(form, 'slider', 'Volume')).toMatchObject({ value: 4, range: { min: 0, max: 10 } });
    const country = theOne(form, 'combobox', 'Country');
    expect(country).toMatchObject({ value: 'United Kingdom', states: { expanded: false } });
    const checked = (role: 'radio' | 'checkbox', name: string) => theOne(form, role, name).states.checked;
    expect([checked('radio', 'Private'), checked('radio', 'Business')]).toEqual([true, false]);
    expect([checked('checkbox', 'I accept the terms'), checked('checkbox', 'Newsletter')]).toEqual([false, true]);
    expect(theOne(form, 'button', 'Create').states.enabled).toBe(false);
    expect(theOne(form, 'button', 'Cancel').states.enabled).toBe(true);
    expect(elements(snapshot, undefined, 'Never shown')).toEqual([]);
    expect(elements(snapshot, undefined, 'Far away')).toEqual([]);
  });

  it('prints as a model should read it', async () => {
    const { text } = await real.call('ui_snapshot');
    const lines = [
      /^ +e\d+ heading "Orders" level 1$/m,
      /^ +link e\d+ "New order", e\d+ "Help & support"$/m,
      /^ +e\d+ textbox "Full name" required: "Ada Lovelace"$/m,
      /^ +e\d+ textbox "E-mail" invalid: "ada@" \(error: "Not a valid address"\)$/m,
      /^ +e\d+ textbox "Password" secret: filled$/m,
      /^ +e\d+ spinbutton "Age": 36 \(0 to 130\)$/m,
      /^ +e\d+ combobox "Country" collapsed: "United Kingdom"$/m,
      /^ +radio e\d+ "Private" checked, e\d+ "Business"$/m,
      /^ +checkbox e\d+ "I accept the terms", e\d+ "Newsletter" checked$/m,
      /^ +button e\d+ "Cancel", e\d+ "Create" disabled, e\d+ "Delete account…"$/m,
    ];
    for (const line of lines) expect(text).toMatch(line);
    // A label that names its field is not said twice.
    expect(text.match(/Full name/g)).toHaveLength(1);
    expect(text).not.toContain('page-canary');
  });

  it('lies where the page says, and a click there meets it', async () => {
    const snapshot = await real.snapshot();
    const boxes = new Map((await places('[id]')).map(({ id, box }) => [id, box]));
    const named: [string, Element][] = [
      ['who', theOne(snapshot, 'textbox', 'Full name')],
      ['mail', theOne(snapshot, 'textbox', 'E-mail')],
      ['pass', theOne(snapshot, 'passwordbox', 'Password')],
      ['age', theOne(snapshot, 'spinbutton', 'Age')],
      ['land', theOne(snapshot, 'combobox', 'Country')],
      ['private', theOne(snapshot, 'radio', 'Private')],
      ['news', theOne(snapshot, 'checkbox', 'Newsletter')],
      ['cancel', theOne(snapshot, 'button', 'Cancel')],
      ['create', theOne(snapshot, 'button', 'Create')],
      ['log', theOne(snapshot, 'log', 'Log')],
      ...table(snapshot).children.map((row, i): [string, Element] => [`edit${i + 1}`, editOf(row)]),
    ];
    for (const [id, element] of named) expectAt(element, boxes.get(id)!);
    const points = named.map(([, element]) => clickPoint(element));
    const hit = await page.run<string[]>(
      `${JSON.stringify(points)}.map(({ x, y }) => document.elementFromPoint(x - ${offset.x}, y - ${offset.y})?.closest('[id]')?.id)`,
    );
    expect(hit).toEqual(named.map(([id]) => id));
  });
});

const CLICKABLE = [
  ...['button', 'link', 'textbox', 'passwordbox', 'spinbutton', 'combobox', 'slider', 'radio', 'checkbox', 'tab'],
];

/** Every element that one could click, asked of the driver by its click point; of the rows the first and the last. */
async function expectClickable(snapshot: Snapshot): Promise<void> {
  const rows = table(snapshot).children;
  const others = new Set(rows.slice(2, -2).map(editOf));
  const named = [...everyElement(snapshot)].filter(
    ({ role, name, bounds }) => CLICKABLE.includes(role) && name && bounds,
  );
  expect(named.length - others.size).toBeGreaterThan(10);
  for (const element of named) {
    if (others.has(element)) continue;
    await until(`${element.role} ${element.name} at its own point`, async () => {
      const found = await real.driver.atPoint!(clickPoint(element), { deadline: soon() });
      if (found?.path.some((node) => node.id === element.id)) return true;
      // The browser's own bar moves now and then: elements are read again.
      const now = [...everyElement(await real.snapshot())].find(({ id }) => id === element.id);
      if (now) element.bounds = now.bounds;
      return !now;
    });
  }
}

describe('a table of 200 rows in Chromium', () => {
  const positions = [
    ['at the top', 0],
    ['with its head scrolled out', 900],
    ['in the middle', 3011],
    ['at the end', 100_000],
  ] as const;
  it.each(positions)('%s: every row on screen is listed, cheaply', async (_, y) => {
    const snapshot = await scrollTo(y);
    const onScreen = await places('tbody tr');
    const { table: info, children } = table(snapshot);
    expect(children.map(idOf)).toEqual(onScreen.map(({ text }) => text.split('\t')[0]));
    expect(info).toMatchObject({ rows: 200, columns: 5, headers: ['Id', 'Customer', 'Total', 'Status', 'Action'] });
    const numbers = children.map((row) => Number(idOf(row)) - 1000);
    expect(info!.shown!.rows).toEqual([numbers[0], numbers.at(-1)]);
    children.forEach((row, i) => expectAt(row, onScreen[i]!.box));

    const { text } = await real.call('ui_snapshot');
    const [first, last] = [numbers[0], numbers.at(-1)];
    expect(text).toMatch(
      new RegExp(
        `"Open orders" 200 rows, ${first}-${last} on screen: Id \\| Customer \\| Total \\| Status \\| Action\n`,
      ),
    );
    for (const { text: words } of onScreen) {
      const [id, customer, total, status] = words.split('\t');
      const line = `^ +e\\d+ \\| ${id} \\| ${customer} \\| ${total} \\| ${status} \\| e\\d+ button "Edit"$`;
      expect(text).toMatch(new RegExp(line, 'm'));
    }
    expect(encode(text).length).toBeLessThan(1500);
    await expectClickable(snapshot);
  });

  it('is read by range, also where it is off screen', async () => {
    const snapshot = await scrollTo(0);
    const { ref } = table(snapshot);
    const { text, json } = await real.call('ui_read', { target: ref, range: '150-160' });
    const lines = text.split('\n');
    expect(lines).toHaveLength(14);
    expect(lines[1]).toMatch(/^e\d+ \| 1150 \| Alan Turing \| 1875\.00 \| Open \| e\d+ button "Edit"$/);
    expect(lines[11]).toMatch(/^e\d+ \| 1160 \| Edsger Dijkstra \| 2000\.00 \| Paid \| e\d+ button "Edit"$/);
    expect(lines.at(-1)).toBe('rows 150-160 of 200');
    const rows = json.rows as Element[];
    const edit = editOf(rows[5]!);
    const about = (await real.call('ui_describe', { target: edit.ref })).text;
    expect(about).toMatch(/^e\d+ button "Edit" offscreen in w1$/m);
    expect(about).toMatch(/ {2}bounds {2}\d+,\d+ \d+x\d+, not on screen$/m);
    const again = (await real.call('ui_read', { target: ref, range: 'rows 155-155' })).json.rows as Element[];
    expect(editOf(again[0]!).ref).toBe(edit.ref);
    const there = await scrollTo(4100);
    expect(editOf(rowOf(there, '1155')).ref).toBe(edit.ref);
    await scrollTo(0);
    expect(await real.failure('ui_read', { target: ref, range: '201-210' })).toMatch(/^failed: bad_arguments\. /);
    expect((await real.call('ui_read', { target: ref })).text).toMatch(
      /\nrows 1-\d+ of 200; next: ui_read e\d+ \d+-\d+$/,
    );
  });
});

/** What the page shows changed: waits for a snapshot that fits. */
const waitForPage = (what: string, fits: (snapshot: Snapshot) => unknown): Promise<Snapshot> =>
  snapshotUntil(real, what, fits);

describe('refs and differences in Chromium', () => {
  it('keeps refs from snapshot to snapshot, and when scrolled away and back', async () => {
    const first = await scrollTo(0);
    const refs = (snapshot: Snapshot) =>
      table(snapshot).children.map((row) => [row.ref, idOf(row), elements(row, 'button')[0]?.ref]);
    const before = refs(first);
    expect(refs(await real.snapshot())).toEqual(before);
    const away = refs(await scrollTo(2500));
    expect(away.filter(([ref]) => before.some(([old]) => old === ref))).toEqual([]);
    expect(refs(await scrollTo(0))).toEqual(before);
    const full = await real.snapshot({ full: true });
    expect(refs(full).slice(0, before.length)).toEqual(before);
    expect(table(full).children.map(idOf)).toEqual(Array.from({ length: 200 }, (_, i) => String(1001 + i)));
  });

  it('reports exactly what changed since a snapshot', async () => {
    const { id } = await scrollTo(0);
    await page.run(`mail.value = 'ada@example.org'; mail.removeAttribute('aria-invalid'); create.disabled = false`);
    const done = await waitForPage(
      'the corrected form',
      (snapshot) => theOne(snapshot, 'button', 'Create').states.enabled,
    );
    const { text } = await real.call('ui_snapshot', { since: id });
    expect(text).toMatch(/^snapshot s\d+ of w1 since s\d+: 0 new, 0 gone, 2 changed, \d+ same\n/);
    const mail = theOne(done, 'textbox', 'E-mail').ref;
    const create = theOne(done, 'button', 'Create').ref;
    expect(text).toContain(`~ ${mail} textbox "E-mail": "ada@example.org" (was invalid: "ada@")\n`);
    expect(text).toContain(`~ ${create} button "Create" (was disabled)\n`);
    expect(text.split('\n')).toHaveLength(5);
    await page.run(`mail.value = 'ada@'; mail.setAttribute('aria-invalid', 'true'); create.disabled = true`);
    await waitForPage('the form as before', (snapshot) => !theOne(snapshot, 'button', 'Create').states.enabled);
  });

  it('a row that now shows another order has another ref', { tags: 'safety' }, async () => {
    const before = await scrollTo(0);
    const second = rowOf(before, '1002');
    const old = [second.ref, editOf(second).ref];
    // As a virtual list does it: the same elements, other words.
    await page.run(`document.querySelectorAll('tbody tr')[1].cells[0].firstChild.data = '1777'`);
    const after = await waitForPage('the other order', (snapshot) => rowOf(snapshot, '1777'));
    expect(old).not.toContain(rowOf(after, '1777').ref);
    expect(old).not.toContain(editOf(rowOf(after, '1777')).ref);
    for (const ref of old) {
      const failure = await real.failure('ui_describe', { target: ref });
      expect(failure).toMatch(new RegExp(`^failed: stale_ref\\. ${ref} \\(was .*"1002".*\\) is gone since s\\d+\\. `));
    }
    await page.run('fill(1)');
    await waitForPage('the re-created rows', (snapshot) => rowOf(snapshot, '1002'));
  });

  it('reports refs of re-created rows as stale and names the row of the same order as nearest', async () => {
    const before = await scrollTo(0);
    const [edit, moved] = ['1003', '1004'].map((id) => editOf(rowOf(before, id)).ref);
    await page.run('fill(3)');
    const after = await waitForPage('the new rows', (snapshot) => !rowOf(snapshot, '1001') && rowOf(snapshot, '1018'));
    const now = editOf(rowOf(after, '1003')).ref;
    expect(now).not.toBe(edit);
    const failure = await real.failure('ui_describe', { target: edit });
    expect(failure).toMatch(/^failed: stale_ref\. e\d+ \(was button "Edit" in row "1003"\) is gone since s\d+\./);
    expect(failure).toMatch(new RegExp(`^nearest: ${now} button "Edit" in (e\\d+ )?row "1003"`, 'm'));
    expect(failure).toMatch(new RegExp(`^next: check that ${now} is what you mean\\.$`, 'm'));
    expect(await real.failure('ui_read', { target: moved })).toMatch(/^failed: stale_ref\. .*row "1004"/);
    await page.run('fill(1)');
    await waitForPage('the first rows again', (snapshot) => rowOf(snapshot, '1001'));
  });
});

describe('what lies over and inside a page', () => {
  it('reports a modal dialog as modal, with the focus in it', async () => {
    await scrollTo(0);
    await page.run('question.showModal()');
    const boxes = new Map((await places('dialog [id]')).map(({ id, box }) => [id, box]));
    const snapshot = await waitForPage('the dialog at its place', (snapshot) => {
      const [button] = elements(snapshot, 'button', 'Keep it');
      return button && isAt(button, boxes.get('no')!);
    });
    const dialog = theOne(snapshot, 'dialog', 'Delete account?');
    expect(dialog.states.modal).toBe(true);
    const [yes, no] = [theOne(dialog, 'button', 'Yes, delete'), theOne(dialog, 'button', 'Keep it')];
    theOne(dialog, undefined, 'All orders are lost.');
    expectAt(yes, boxes.get('yes')!);
    expectAt(no, boxes.get('no')!);
    const focused = (await real.call('ui_describe', { target: 'focused' })).text;
    expect(focused).toMatch(/button "Yes, delete" focused.* in w1 > .*dialog "Delete account\?"/);
    const { x, y } = clickPoint(no);
    await ask('xdotool', ['mousemove', String(x), String(y), 'click', '1'], real.seat.env);
    await until('the page to hear the click', async () => (await page.run<string[]>('clicks')).includes('no'));
    await waitForPage('the page without it', (snapshot) => elements(snapshot, 'dialog').length === 0);
  });

  it('an inner scroll area shows its lines, cut at its edge', async () => {
    await scrollTo(0);
    await page.run('log.scrollTop = 130');
    const shown = await places('#log p');
    const linesOf = (snapshot: Snapshot): Element[] =>
      theOne(snapshot, 'log', 'Log').children.filter((line) => line.role === 'paragraph');
    const snapshot = await waitForPage(`${shown[0]!.text} at its place`, (snapshot) => {
      const [first] = linesOf(snapshot);
      return first && elements(first, 'text', shown[0]!.text).length > 0 && isAt(first, shown[0]!.box);
    });
    const lines = linesOf(snapshot);
    expect(lines.flatMap((line) => line.children).map((line) => line.name)).toEqual(shown.map(({ text }) => text));
    lines.forEach((line, i) => expectAt(line, shown[i]!.box));
  });
});
