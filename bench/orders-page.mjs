// A form above a table of 200 rows: what an agent meets in an office's web page.
import { createServer } from 'node:http';

const ROWS = 200;
const COLUMNS = 8;
export const CELLS = ROWS * COLUMNS;

/** Serves it on a free port of this machine. */
export function servePage() {
  const cell = (row, column) => `<td>${column === 1 ? `Order ${1000 + row}` : `${row * column}.50`}</td>`;
  const numbers = (count) => Array.from({ length: count }, (_, i) => i + 1);
  const rows = numbers(ROWS).map(
    (row) =>
      `<tr>${numbers(COLUMNS)
        .map((column) => cell(row, column))
        .join('')}</tr>`,
  );
  const html = `<!doctype html><html lang="en"><title>Orders</title><h1>Orders</h1>
<form><label>Customer <input name="customer"></label> <label><input type="checkbox"> Paid only</label>
<button type="button">Search</button></form>
<table><thead><tr>${numbers(COLUMNS)
    .map((column) => `<th>Column ${column}</th>`)
    .join('')}</tr></thead><tbody>${rows.join('')}</tbody></table></html>`;
  const server = createServer((_request, response) => response.setHeader('content-type', 'text/html').end(html));
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
