// @module-tag safety

import { afterEach, describe, expect, it } from 'vitest';
import { afterAct } from '../../../tests/scenes/after-act.js';
import { letterWith } from '../../../tests/scenes/letter.js';
import { type Controls, fakeDesktop, type WidgetSpec } from '../../drivers/fake/index.js';
import { Desktop, perform, type ActResult } from '../../runtime/index.js';
import { uiClick } from './ui-click.js';

/** What an app shows, what a click on the target makes of it, and the element that was hit, or undefined. */
type Row = [title: string, target: string, shows: WidgetSpec[], does: (app: Controls) => void, hit?: string];

let desktop: Desktop;
afterEach(() => desktop.close());

async function click(target: string, shows: WidgetSpec[], does: (app: Controls) => void): Promise<ActResult> {
  const fake = fakeDesktop({ windows: [letterWith(...shows)] });
  desktop = new Desktop({ name: 'app', driver: fake.driver, kind: 'virtual' });
  afterAct(fake.driver, 'click', () => does(fake.controls));
  const args = { target, method: 'input', timeoutMs: 2_000, settleMs: 60 };
  return (await perform(desktop, [uiClick], { tool: 'ui_click', args, caller: 'me' })).json as unknown as ActResult;
}

/** Its effect is what `does` makes of it. */
const inert = (spec: WidgetSpec): WidgetSpec => ({ ...spec, noPattern: true, lies: 'says yes, does nothing' });
const list = (...names: string[]): WidgetSpec => ({
  role: 'list',
  name: 'Rows',
  children: names.map((name) => inert({ role: 'listitem', name, states: { selected: false } })),
});
const check = (name: string, checked = false): WidgetSpec => inert({ role: 'checkbox', name, states: { checked } });

function exchange(app: Controls, one: string, other: string): void {
  app.setName(one, 'between');
  app.setName(other, one);
  app.setName('between', other);
}

const withButtons = (...names: string[]): WidgetSpec => ({
  role: 'list',
  name: 'Rows',
  children: names.map((name) => ({
    role: 'listitem',
    children: [{ role: 'label', name }, inert({ role: 'button', name: `Delete ${name}` })],
  })),
});

const select = (name: string) => (app: Controls) => app.setState(name, 'selected', true);

describe('the effect of a click shows on another element', () => {
  const rows: Row[] = [
    ['another row was selected', 'listitem:One', [list('One', 'Two')], select('Two'), 'Two'],
    [
      "the rows took each other's texts",
      'listitem:One',
      [list('One', 'Two', 'Three')],
      (app) => {
        exchange(app, 'One', 'Three');
        select('Three')(app);
      },
      'Three',
    ],
    [
      'the rows took texts from out of view',
      'listitem:One',
      [list('One', 'Two', 'Three')],
      (app) => {
        for (const [old, name] of [
          ['One', 'Seven'],
          ['Two', 'Eight'],
          ['Three', 'Nine'],
        ] as const)
          app.setName(old, name);
        select('Seven')(app);
      },
      'Seven',
    ],
    [
      "the check boxes took each other's names",
      'checkbox:Tick',
      [check('Tick'), check('Tock')],
      (app) => {
        exchange(app, 'Tick', 'Tock');
        app.setState('Tock', 'checked', true);
      },
      'Tock',
    ],
    [
      "check boxes in different groups took each other's names",
      'checkbox:Tick',
      [
        { role: 'group', children: [check('Tick')] },
        { role: 'group', children: [check('Tock')] },
      ],
      (app) => {
        exchange(app, 'Tick', 'Tock');
        app.setState('Tock', 'checked', true);
      },
      'Tock',
    ],
    [
      "the check boxes took each other's names, and the new state is not reported yet",
      'checkbox:Tick',
      [check('Tick'), check('Tock')],
      (app) => {
        exchange(app, 'Tick', 'Tock');
        app.focus('Tock');
      },
      'Tock',
    ],
    [
      'another switch was toggled',
      'checkbox:Tick',
      [check('Tick'), check('Tock')],
      (app) => app.setState('Tock', 'checked', true),
      'Tock',
    ],
    [
      'another section was opened',
      'button:Files',
      ['Files', 'Mail'].map((name) => inert({ role: 'button', name, states: { expanded: false } })),
      (app) => app.setState('Mail', 'expanded', true),
      'Mail',
    ],
    [
      'the button in another row has the focus, and the rows moved',
      'button:"Delete One"',
      [withButtons('One', 'Two', 'Three')],
      (app) => {
        exchange(app, 'One', 'Three');
        exchange(app, 'Delete One', 'Delete Three');
        app.focus('Delete Three');
      },
      'Delete Three',
    ],
    [
      'a row that was out of view is selected instead of the one that was',
      'listitem:One',
      [list('One', 'Two', 'Three')],
      (app) => {
        app.setName('Three', 'Nine');
        select('Nine')(app);
        app.focus('Nine');
      },
      'Nine',
    ],
  ];
  it.each(rows)('%s', async (_, target, shows, does, hit) => {
    const error = await click(target, shows, does).catch((failed: unknown) => failed);
    expect(error).toMatchObject({ code: 'target_changed', delivered: 'yes', retry: 'no' });
    expect((error as Error).message).toMatch(new RegExp(`but its effect shows on e\\d+ \\w+ "${hit}"`));
  });
});

it('what was hit is unknown if the items moved and none in view shows an effect', async () => {
  const { status, reason } = await click('listitem:One', [list('One', 'Two', 'Three')], (app) =>
    exchange(app, 'Two', 'Three'),
  );
  expect(status).toBe('unconfirmed');
  expect(reason).toBe('the items moved while the app handled the click, and none in view shows its effect');
});

it('what was pressed is unknown if rows with buttons took the names of others', async () => {
  const shows = [withButtons('One', 'Two', 'Three')];
  const { status, reason } = await click('button:"Delete One"', shows, (app) => {
    for (const [old, name] of [
      ['One', 'Seven'],
      ['Two', 'Eight'],
      ['Three', 'Nine'],
    ] as const) {
      app.setName(old, name);
      app.setName(`Delete ${old}`, `Delete ${name}`);
    }
  });
  expect(status).toBe('unconfirmed');
  expect(reason).toBe('the rows changed while the app handled the press, so it is unknown in which of them it was');
});

describe('a click that did what it was for is ok, although', () => {
  const rows: Row[] = [
    [
      'another row was selected as well',
      'listitem:One',
      [list('One', 'Two')],
      (app) => {
        select('One')(app);
        select('Two')(app);
      },
    ],
    [
      'the focus went on to a field',
      'listitem:One',
      [list('One', 'Two'), { role: 'textbox', name: 'Details', states: { editable: true } }],
      (app) => {
        select('One')(app);
        app.focus('Details');
      },
    ],
    [
      'it was the label of a check box',
      'label:"Send copies to me"',
      [{ role: 'label', name: 'Send copies to me' }, check('Copies')],
      (app) => app.setState('Copies', 'checked', true),
    ],
    [
      'a tab shows another panel, which has the focus',
      'tab:Mail',
      [
        {
          role: 'tablist',
          children: ['Files', 'Mail'].map((name) =>
            inert({ role: 'tab', name, states: { selected: name === 'Files' } }),
          ),
        },
        { role: 'group', name: 'Panel', children: [{ role: 'textbox', name: 'Address', states: { editable: true } }] },
      ],
      (app) => {
        app.setState('Files', 'selected', false);
        app.setState('Mail', 'selected', true);
        app.focus('Address');
      },
    ],
    [
      'a radio button switched its sibling off',
      'radio:Green',
      ['Red', 'Green'].map((name) => inert({ role: 'radio', name, states: { checked: name === 'Red' } })),
      (app) => {
        app.setState('Red', 'checked', false);
        app.setState('Green', 'checked', true);
      },
    ],
    [
      'the button is disabled now and the next one has the focus',
      'button:Start',
      [inert({ role: 'button', name: 'Start' }), inert({ role: 'button', name: 'Stop' })],
      (app) => {
        app.setState('Start', 'enabled', false);
        app.focus('Stop');
      },
    ],
    [
      'the row was made again with the same text',
      'listitem:Two',
      [list('One', 'Two', 'Three')],
      (app) => {
        for (const name of ['One', 'Two', 'Three']) app.remove(name);
        for (const name of ['One', 'Two', 'Three'])
          app.addChild('Rows', { role: 'listitem', name, states: { selected: name === 'Two' } });
      },
    ],
    [
      'the row has another text once it is selected',
      'listitem:"Inbox (3)"',
      [list('Inbox (3)', 'Sent', 'Drafts')],
      (app) => {
        app.setName('Inbox (3)', 'Inbox (2)');
        select('Inbox (2)')(app);
      },
    ],
    [
      'the row moved to the top and took the selection with it',
      'listitem:Three',
      [list('One', 'Two', 'Three')],
      (app) => {
        exchange(app, 'One', 'Three');
        select('Three')(app);
      },
    ],
    [
      'the row is gone and the next one is selected',
      'listitem:One',
      [list('One', 'Two', 'Three')],
      (app) => {
        app.remove('One');
        select('Two')(app);
      },
    ],
    [
      'the row is gone, the next one has its widget, and another one came into view',
      'button:"Delete One"',
      [withButtons('One', 'Two', 'Three')],
      (app) => {
        app.setName('Three', 'Four');
        app.setName('Two', 'Three');
        app.setName('One', 'Two');
        app.setName('Delete Three', 'Delete Four');
        app.setName('Delete Two', 'Delete Three');
        app.setName('Delete One', 'Delete Two');
        app.focus('Delete Two');
      },
    ],
    [
      'a new row was made and selected',
      'listitem:"Add a row"',
      [list('Add a row')],
      (app) => {
        app.addChild('Rows', { role: 'listitem', name: 'New', states: { selected: true } });
        app.focus('New');
      },
    ],
    [
      'a branch was opened and its first leaf selected',
      'treeitem:Mail',
      [
        {
          role: 'tree',
          name: 'Folders',
          children: [inert({ role: 'treeitem', name: 'Mail', level: 1, states: { expanded: false, selected: false } })],
        },
      ],
      (app) => {
        app.setState('Mail', 'expanded', true);
        app.addChild('Folders', { role: 'treeitem', name: 'Inbox', level: 2, states: { selected: true } });
      },
    ],
    [
      'a section was opened and another one closed',
      'button:Files',
      ['Files', 'Mail'].map((name) => inert({ role: 'button', name, states: { expanded: name === 'Mail' } })),
      (app) => {
        app.setState('Files', 'expanded', true);
        app.setState('Mail', 'expanded', false);
      },
    ],
    [
      "two buttons took each other's names",
      'button:First',
      [inert({ role: 'button', name: 'First' }), inert({ role: 'button', name: 'Last' })],
      (app) => exchange(app, 'First', 'Last'),
    ],
    [
      'a dialog opened, which has the focus',
      'menuitem:Settings',
      [inert({ role: 'menuitem', name: 'Settings' }), inert({ role: 'menuitem', name: 'Help' })],
      (app) => {
        app.openWindow({
          key: 'settings',
          title: 'Settings',
          app: 'mail',
          children: [{ role: 'button', name: 'Close' }],
        });
        app.activate('settings');
      },
    ],
  ];
  it.each(rows)('%s', async (_, target, shows, does) => {
    expect((await click(target, shows, does)).status).toBe('ok');
  });
});
