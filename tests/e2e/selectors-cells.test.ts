import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Driver } from '../../src/drivers/contract/index.js';
import type { Snapshot } from '../../src/tree/index.js';
import { AppRoom, type App } from './support/app-room.js';
import { allMean, clickOn, failureOf, meant } from './support/by-selector.js';
import { elements, soon } from './support/real-desktop.js';

let room: AppRoom;
let app: App;

const ROWS = Array.from({ length: 12 }, (_, i) => [`Item ${i + 1}`, String((i + 1) * 11), String(i + 1)].join(','));

beforeAll(async () => {
  room = await AppRoom.open();
  const far = `${','.repeat(25)}far away`;
  const text = [...ROWS, ...Array<string>(2000 - ROWS.length - 1).fill(''), far, ''].join('\n');
  const path = await room.file('Sheet1.csv', text);
  const filter = '--infilter=CSV:44,34,76,1';
  app = await room.start(/^Sheet1\.csv - LibreOffice Calc$/, 'libreoffice', '--calc', filter, path);
  await app.until('the cells', (snapshot) => elements(snapshot, 'cell', 'Item 12').length > 0);
});

afterAll(() => room.close());

/** Calc's own name box shows the address of the selected cell. */
const isAt = (address: string) => (snapshot: Snapshot) =>
  elements(snapshot, 'textbox').some(({ value }) => value === address);

test('a cell by its address, its numbers and with its sheet; a hand that clicks there chooses it', async () => {
  await clickOn(room, 'cell:B7', 'cell:R7C2', 'cell:Sheet1!B7', 'role=sheet >> cell:B7', 'window~=Sheet1 >> cell:b7');
  await app.until('B7 to be chosen', isAt('B7'));
  await clickOn(room, 'app=soffice >> cell:R3C2 ?? cell:R3C2', 'cell:B3', 'cell:"33"');
  await app.until('B3 to be chosen', isAt('B3'));
  const { element } = await meant(room.real, 'cell:B7');
  expect(element).toMatchObject({ role: 'cell', name: '77', cell: { row: 7, column: 2, address: 'B7' } });
});

test('of 1,048,576 rows none is walked: as many driver calls as for one snapshot and one cell', async () => {
  const window = room.real.desktop.refs.get(app.ref)!.id;
  const { count } = await room.real.driver.read!({ window }, { deadline: soon() });
  const range = vi.spyOn(room.real.driver as Required<Driver>, 'range');
  const read = vi.spyOn(room.real.driver, 'read');
  try {
    const { element } = await meant(room.real, 'cell:Z2000', app.ref);
    expect(element).toMatchObject({ name: 'far away', cell: { row: 2000, column: 26, address: 'Z2000' } });
    // Once for the search; the read before it found nothing of that address on the screen.
    const asked = range.mock.calls.map(([, request]) => request);
    for (const request of asked) expect(request).toMatchObject({ cells: { rows: [2000, 2000], columns: [26, 26] } });
    expect(asked.length).toBeLessThanOrEqual(3);
    const answers = await Promise.all(read.mock.results.map(({ value }) => value as Promise<{ count: number }>));
    for (const answer of answers) expect(answer.count).toBeLessThanOrEqual(count + 50);
  } finally {
    range.mockRestore();
    read.mockRestore();
  }
});

test('an empty cell and the last one are cells too; what is beyond is not', async () => {
  const { element } = await allMean(room.real, 'cell:XFD1048576', 'cell:R1048576C16384');
  expect(element.cell).toMatchObject({ row: 1_048_576, column: 16_384 });
  expect((await failureOf(room.real, 'ui_describe', { target: 'cell:XFE1' })).code).toBe('element_not_found');
  expect((await failureOf(room.real, 'ui_describe', { target: 'cell:Budget!A1' })).code).toBe('element_not_found');
});

test('what is suggested for a cell is its address', async () => {
  const { selector } = await meant(room.real, 'cell:B7');
  expect(selector?.by).toBe('address');
  expect(selector?.selector).toMatch(/>> cell:B7$/);
  expect((await meant(room.real, selector!.selector)).element.name).toBe('77');
});
