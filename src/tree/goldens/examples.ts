import type { Element } from '../element.js';
import type { Snapshot } from '../snapshot.js';
import { box, el, shot, win } from './build.js';

function buttonRow(first: number, y: number, names: string[]): Element[] {
  return names.map((name, at) =>
    el(`e${first + at}`, 'button', { name, patterns: ['invoke'], ...box(12 + at * 58, y, 54, 40) }, [
      el(`e${900 + first + at}`, 'label', { name }),
    ]),
  );
}

/** As GTK exposes it: nested boxes, and each button with its label. */
export function calculator(): Snapshot {
  const keys = [
    ...buttonRow(10, 300, ['7', '8', '9', '÷', '↶', 'C']),
    ...buttonRow(16, 344, ['4', '5', '6', '×', '(', ')']),
    ...buttonRow(22, 388, ['1', '2', '3', '−', 'x²', '√']),
    ...buttonRow(28, 432, ['0', '.', '%', '+', '=']),
  ];
  const root = el('w2', 'window', { name: 'Calculator' }, [
    el('e1', 'titlebar', {}, [
      el('e2', 'button', { name: 'Undo', states: { enabled: false }, ...box(10, 8, 34, 34) }),
      el('e3', 'togglebutton', { name: 'Basic Mode', ...box(120, 8, 120, 34) }),
      el('e4', 'togglebutton', { name: 'Main menu', ...box(300, 8, 34, 34) }),
    ]),
    el('e5', 'group', {}, [
      el('e7', 'scrollpane', {}, [
        el('e6', 'textbox', { value: '12.5×8', states: { focused: true, editable: true } }),
        el('e8', 'scrollbar', { value: 0 }),
      ]),
      el('e9', 'separator'),
      el('e33', 'group', {}, keys),
    ]),
  ]);
  return shot('s7', [win('w2', 'Calculator', 'gnome-calculator')], [root]);
}

function fileRow(ref: string, cells: string[], selected?: boolean): Element {
  return el(
    ref,
    'row',
    { states: selected ? { selected } : {} },
    cells.map((name, at) => el(`${ref}c${at}`, 'cell', name ? { name } : {})),
  );
}

export function fileDialog(): Snapshot {
  const places = ['Recent', 'Home', 'Desktop'].map((name, at) =>
    el(`e${67 + at}`, 'listitem', { name, ...box(10, 200 + at * 30, 120, 30) }, [el(`e${167 + at}`, 'label', { name })]),
  );
  const root = el('w5', 'dialog', { name: 'Save As', states: { modal: true } }, [
    el('e59', 'group', {}, [
      el('e58', 'label', { id: 'name-label', name: 'Name:' }),
      el('e60', 'textbox', {
        name: 'Name:',
        nameFrom: 'label',
        labelId: 'name-label',
        value: 'Untitled 1.txt',
        states: { focused: true, editable: true },
      }),
      el('e61', 'button', { name: 'Create Folder' }),
    ]),
    el('e62', 'group', {}, [
      el('e63', 'togglebutton', { name: 'home', states: { pressed: false } }),
      el('e64', 'togglebutton', { name: 'ada', states: { pressed: false } }),
      el('e65', 'togglebutton', { name: 'Documents', states: { pressed: true } }),
    ]),
    el('e66', 'list', { name: 'Places', items: { total: 12, shown: [1, 3] } }, places),
    el(
      'e80',
      'table',
      { name: 'Files', table: { rows: 3, columns: 4, headers: ['Name', 'Size', 'Type', 'Modified'] } },
      [
        fileRow('e81', ['invoices', '', 'Folder', '3 Nov']),
        fileRow('e82', ['budget.ods', '18.2 kB', 'Spreadsheet', 'Yesterday']),
        fileRow('e83', ['notes.txt', '1.1 kB', 'Text', '09:14'], true),
      ],
    ),
    el('e90', 'combobox', { name: 'Encoding:', value: 'Default (UTF-8)', states: { expanded: false } }, [
      el('e93', 'option', { name: 'Default (UTF-8)', states: { visible: false } }),
    ]),
    el('e91', 'button', { name: 'Cancel', ...box(400, 500, 80, 34) }),
    el('e92', 'button', { name: 'Save', ...box(490, 500, 80, 34) }),
  ]);
  const given = { role: 'dialog', modal: true, of: 'w3', ofTitle: '*Untitled 1 - Mousepad' } as const;
  return shot('s12', [win('w5', 'Save As', 'mousepad', given)], [root]);
}

const CUSTOMERS = ['Ada Lovelace', 'Alan Turing', 'Grace Hopper', 'Edsger Dijkstra'];

function orderRow(at: number): Element {
  const id = 41 + at * 2;
  const texts = [
    String(1001 + at),
    CUSTOMERS[at % CUSTOMERS.length] ?? '',
    ((at + 1) * 12.5).toFixed(2),
    at % 2 ? 'Open' : 'Paid',
  ];
  return el(`e${id}`, 'row', {}, [
    ...texts.map((name, column) => el(`e${1000 + at * 10 + column}`, 'cell', { name, cell: { row: at + 1, column: column + 1 } })),
    el(`e${1004 + at * 10}`, 'cell', { name: 'Edit' }, [
      el(`e${id + 1}`, 'button', { name: 'Edit', patterns: ['invoke'] }, [el(`e${1005 + at * 10}`, 'text', { name: 'Edit' })]),
    ]),
  ]);
}

export function orders(): Snapshot {
  const table = {
    rows: 200,
    columns: 5,
    shown: { rows: [1, 24], columns: [1, 5] },
    headers: ['Id', 'Customer', 'Total', 'Status', 'Action'],
  } satisfies Element['table'];
  const rows = Array.from({ length: 24 }, (_, at) => orderRow(at));
  const root = el('w1', 'window', { name: 'Orders - Chromium' }, [
    el('e1', 'group', {}, [
      el('e2', 'button', { name: 'Back' }),
      el('e3', 'button', { name: 'Forward', states: { enabled: false } }),
      el('e4', 'button', { name: 'Reload' }),
      el('e5', 'textbox', { name: 'Address and search bar', value: '127.0.0.1:8080/orders' }),
    ]),
    el('e8', 'scrollpane', {}, [
      el('e9', 'document', { name: 'Orders' }, [
        el('e10', 'heading', { name: 'Orders', level: 1 }, [el('e100', 'text', { name: 'Orders' })]),
        el('e101', 'label', { id: 'filter-label', name: 'Filter' }, [el('e102', 'text', { name: 'Filter' })]),
        el('e11', 'textbox', { name: 'Filter', value: '', nameFrom: 'label', labelId: 'filter-label' }),
        el('e12', 'button', { name: 'Export CSV' }, [el('e103', 'text', { name: 'Export CSV' })]),
        el('e40', 'table', { name: 'Orders', table }, [el('e39', 'rowgroup', {}, rows)]),
      ]),
    ]),
  ]);
  return shot('s3', [win('w1', 'Orders - Chromium', 'chromium')], [root]);
}

/** A form, and the same form after two corrections. */
export function form(corrected = false): Snapshot {
  const email = corrected
    ? { value: 'ada@example.org', states: { required: true } }
    : { value: 'ada@', error: 'Not a valid address', states: { required: true, invalid: true } };
  const age = corrected ? { value: 36 } : { value: 212, error: 'Too high', states: { invalid: true } };
  const root = el('w4', 'dialog', { name: 'New account' }, [
    ...(corrected ? [] : [el('e3', 'alert', { name: '2 problems need your attention' })]),
    el('e5', 'textbox', { name: 'Full name', value: 'Ada Lovelace', states: { required: true } }),
    el('e7', 'textbox', { name: 'E-mail', ...email }),
    el('e9', 'passwordbox', { name: 'Password', states: { required: true, secret: true, filled: true } }),
    el('e11', 'spinbutton', { name: 'Age', range: { min: 0, max: 130 }, ...age }),
    el('e13', 'combobox', { name: 'Country', value: 'United Kingdom', states: { expanded: false } }),
    el('e14', 'radiogroup', {}, [
      el('e15', 'radio', { name: 'Private', states: { checked: true } }),
      el('e16', 'radio', { name: 'Business', states: { checked: false } }),
    ]),
    el('e18', 'checkbox', { name: 'I accept the terms', states: { checked: false } }),
    el('e21', 'button', { name: 'Cancel' }),
    el('e22', 'button', { name: 'Create', states: { enabled: corrected } }),
    ...(corrected ? [el('e23', 'label', { name: 'All good' })] : []),
  ]);
  return shot(corrected ? 's22' : 's21', [win('w4', 'New account', 'crm', { role: 'dialog' })], [root]);
}

function toolbar(ref: number, name: string, buttons: string[]): Element {
  return el(
    `e${ref}`,
    'toolbar',
    { name },
    buttons.map((button, at) => el(`e${ref + 1 + at}`, 'button', { name: button })),
  );
}

const STANDARD =
  'New,Templates,Open,Save,Export as PDF,Print,Print Preview,Cut,Copy,Paste,Clone Formatting,Undo,Redo,Find,Spelling,Sort Ascending,Sort Descending,AutoFilter';
const FORMATTING =
  'Bold,Italic,Underline,Font Color,Highlighting,Align Left,Center,Align Right,Wrap Text,Merge Cells,Currency,Percent,Number,Date,Add Decimal,Delete Decimal,Borders,Styles';

export function calcSheet(): Snapshot {
  const cell = (ref: string, address: string, row: number, column: number, value?: string | number): Element =>
    el(ref, 'cell', {
      name: address,
      cell: { row, column, address },
      ...(value === undefined ? {} : { value }),
      states: address === 'B2' ? { focused: true } : {},
    });
  const root = el('w6', 'window', { name: 'prices.ods - LibreOffice Calc' }, [
    el(
      'e2',
      'menubar',
      {},
      'File,Edit,View,Insert,Format,Styles,Sheet,Data,Tools,Window,Help'
        .split(',')
        .map((name, at) => el(`e${3 + at}`, 'menuitem', { name })),
    ),
    toolbar(14, 'Standard', STANDARD.split(',')),
    toolbar(40, 'Formatting', FORMATTING.split(',')),
    el('e70', 'toolbar', { name: 'Formula Bar' }, [
      el('e71', 'combobox', { name: 'Name Box', value: 'B2', states: { expanded: false } }),
      el('e72', 'button', { name: 'Function Wizard' }),
      el('e73', 'textbox', { name: 'Input line', value: '100' }),
    ]),
    el(
      'e80',
      'sheet',
      {
        name: 'Sheet1',
        states: { focused: true },
        table: { rows: 1048576, columns: 16384, shown: { rows: [1, 30], columns: [1, 11] }, sheet: true },
      },
      [
        cell('e81', 'A1', 1, 1, 'Price'),
        cell('e82', 'B1', 1, 2, 'Stock'),
        cell('e83', 'C1', 1, 3),
        cell('e84', 'A2', 2, 1, 12.5),
        cell('e85', 'B2', 2, 2, 100),
      ],
    ),
    el('e90', 'tablist', { name: 'Sheets' }, [el('e91', 'tab', { name: 'Sheet1', states: { selected: true } })]),
    el('e92', 'statusbar', { name: 'Status Bar' }, [
      el('e93', 'label', { name: 'Sheet 1 of 1' }),
      el('e94', 'label', { name: 'Default' }),
      el('e95', 'label', { name: 'Average: ; Sum: 0' }),
    ]),
  ]);
  return shot('s9', [win('w6', 'prices.ods - LibreOffice Calc', 'soffice')], [root]);
}
