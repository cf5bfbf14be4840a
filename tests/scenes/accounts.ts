import type { WindowSpec } from '../../src/drivers/fake/index.js';

export const form: WindowSpec = {
  key: 'form',
  title: 'New account',
  app: 'crm',
  bounds: { x: 0, y: 0, width: 400, height: 500 },
  children: [
    { role: 'button', name: 'Create', does: (controls) => controls.setName('Status', 'Created') },
    { role: 'button', name: 'Nothing' },
    { role: 'button', name: 'Liar', lies: 'says yes, does nothing' },
    {
      role: 'button',
      name: 'Denier',
      lies: 'says no, does it',
      does: (controls) => controls.setName('Status', 'Denied'),
    },
    { role: 'button', name: 'Trap', lies: 'hangs' },
    {
      role: 'button',
      name: 'Later',
      states: { enabled: false },
      does: (controls) => controls.setName('Status', 'Late'),
    },
    { role: 'button', name: 'Mouse only', noPattern: true, does: (controls) => controls.setName('Status', 'Moused') },
    {
      role: 'button',
      name: 'Ask',
      does: (controls) => void controls.openWindow({ ...dialog }),
    },
    { role: 'checkbox', name: 'Terms', states: { checked: false } },
    { role: 'textbox', name: 'E-mail', value: 'ada@', states: { editable: true } },
    { role: 'textbox', name: 'Leaky', value: '', lies: 'drops characters', states: { editable: true } },
    { role: 'spinbutton', name: 'Age', value: 30, range: { min: 0, max: 130 }, states: { editable: true } },
    { role: 'combobox', name: 'Country', value: 'none', noPattern: true },
    { role: 'label', key: 'Status', name: 'Empty' },
  ],
};

export const dialog: WindowSpec = {
  key: 'sure',
  title: 'Are you sure?',
  app: 'crm',
  role: 'dialog',
  modal: true,
  of: 'form',
  bounds: { x: 20, y: 20, width: 200, height: 100 },
  children: [{ role: 'button', name: 'Yes' }],
};

export const list: WindowSpec = {
  key: 'list',
  title: 'Items',
  app: 'shop',
  bounds: { x: 420, y: 0, width: 300, height: 300 },
  children: [
    {
      role: 'list',
      key: 'rows',
      name: 'Goods',
      list: {
        total: 100,
        shown: 5,
        recycle: true,
        item: (n) => ({
          role: 'listitem',
          layout: 'row',
          children: [
            { role: 'label', name: `Item ${n}` },
            { role: 'button', name: 'Delete' },
          ],
        }),
      },
    },
  ],
};
