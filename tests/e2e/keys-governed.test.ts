// @module-tag safety

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FixtureApp } from '../conformance/fixture-app.js';
import { GovernedDesktop, type Said } from './support/governed-desktop.js';
import { PageServer } from './support/page-server.js';
import { until } from './support/seat-room.js';

/** Rules deny clicks on some buttons, and the choice of Public and Urgent. Keys must not get around them. */
const POLICY = `version: 1
rules:
  - { name: no-send, when: { name: Send, tool: ui_click }, decision: deny }
  - { name: no-shortcut, when: { name: [Deploy, Archive, Cancel], tool: ui_click }, decision: deny }
  - { name: no-choice, when: { name: [Public, Urgent], class: act }, decision: deny }
`;
const PAGE = `<form onsubmit="return false"><input aria-label=Subject>
<button accesskey=s onclick="hits.push('Send')">Send</button></form><button onclick="hits.push('Keep')">Keep</button>
<label><input type=radio name=r checked onchange="hits.push('Private')">Private</label>
<label><input type=radio name=r onchange="hits.push('Public')">Public</label>
<select aria-label=Priority onchange="hits.push(value)"><option>Low<option>Normal<option>Urgent</select>
<button accesskey=k onclick="hits.push('Archive')">Archive</button>
<button id=deploy aria-keyshortcuts="Control+D" onclick="hits.push('Deploy')">Deploy</button>
<dialog oncancel="hits.push('Cancel')"><button>Apply</button><button autofocus>Cancel</button></dialog>`;
const SHORTCUT = `addEventListener('keydown', (key) => {
  if (key.ctrlKey && key.key === 'd') { key.preventDefault(); document.querySelector('#deploy').click(); } });`;

/** GTK 4.8 reports no keys of its controls: any of them counts. */
const BOUND = /"(Deploy|Archive)", which rule no-shortcut denies/;
const UNKNOWN = /not known in advance, which rule no-\w+ may deny/;

/** Where the keys go, what is pressed, and what the refusal names. */
const ATTACKS: [what: string, focus: string, tool: string, args: object, names: RegExp][] = [
  [
    'Enter in the subject',
    'Subject',
    'ui_key',
    { keys: 'Enter' },
    /Enter here would also press button "Send", which rule no-send denies/,
  ],
  ['KP_Enter in the subject', 'Subject', 'ui_key', { keys: 'KP_Enter' }, /button "Send"/],
  ['Enter after a text', 'Subject', 'ui_type', { text: 'hi', enter: true }, /button "Send"/],
  ['a line break in a text', 'Subject', 'ui_type', { text: 'hi\n' }, /button "Send"/],
  [
    'an arrow in a radio group',
    'Private',
    'ui_key',
    { keys: 'Down' },
    /(radio|checkbox) "Public", which rule no-choice denies/,
  ],
  ['an arrow in a combo box', 'Priority', 'ui_key', { keys: 'Down Down' }, /rule no-choice (may deny|denies)/],
  ['a letter in a combo box', 'Priority', 'ui_key', { keys: 'u' }, /rule no-choice (may deny|denies)/],
  ['a mnemonic', 'Subject', 'ui_key', { keys: 'alt+s' }, /button "Send"/],
  ['an accelerator', 'Subject', 'ui_key', { keys: 'ctrl+d' }, BOUND],
  ['a mnemonic that is in no name', 'Subject', 'ui_key', { keys: 'alt+k' }, BOUND],
  ['Escape in a dialog', 'Cancel', 'ui_key', { keys: 'Escape' }, /button "Cancel", which rule no-shortcut denies/],
  ['Space after Tab', 'Subject', 'ui_key', { keys: 'Tab Space' }, /which rule no-\w+ may deny/],
  ['Space after Down', 'Subject', 'ui_key', { keys: 'Down Space' }, /which rule no-\w+ may deny/],
];

interface Stage {
  room: GovernedDesktop;
  /** Everything that was pressed or chosen in the app. */
  effects: () => Promise<unknown[]>;
  focus: (name: string) => Promise<void>;
  close: () => Promise<void>;
}

async function openApp(toolkit: string, choices = '[Public, Urgent]'): Promise<Stage & { app: FixtureApp }> {
  const room = await GovernedDesktop.open(POLICY.replace('[Public, Urgent]', choices));
  const app = await FixtureApp.start('keys_scene.py', room.seat.env, [toolkit]);
  const effects = (): unknown[] => app.diary.flatMap(({ clicked, chosen }) => clicked ?? chosen ?? []);
  return {
    app,
    room,
    effects: async () => effects(),
    focus: (name) => app.command(`focus ${name}`),
    close: async () => {
      await app.end();
      await room.close();
    },
  };
}

async function openPage(): Promise<Stage> {
  const [room, page] = await Promise.all([GovernedDesktop.open(POLICY), PageServer.start('act-page.html')]);
  await room.seat.launch('chromium', ['--start-maximized', page.url]);
  await page.run(`window.hits = []; document.body.innerHTML = ${JSON.stringify(PAGE)}; ${SHORTCUT} 1`);
  const selectors: Record<string, string> = {
    Subject: '[aria-label=Subject]',
    Keep: 'body > button',
    Private: '[type=radio]',
    Priority: 'select',
  };
  return {
    room,
    effects: () => page.run('window.hits'),
    focus: async (name) => {
      const at = `document.querySelector(${JSON.stringify(selectors[name] ?? 'dialog')})`;
      const dialog = `document.querySelector('dialog')`;
      await page.run(name in selectors ? `${dialog}.close(); ${at}.focus(); 1` : `${at}.showModal(); 1`);
    },
    close: async () => {
      await room.close();
      await page.stop();
    },
  };
}

describe.each(['gtk3', 'gtk4', 'qt', 'chromium'])('keys in %s', (toolkit) => {
  let stage: Stage;
  beforeAll(async () => {
    stage = toolkit === 'chromium' ? await openPage() : await openApp(toolkit);
    await until(
      'the form',
      async () => Number((await stage.room.call('ui_query', { target: 'button:Send' })).json.total) > 0,
    );
  });
  afterAll(() => stage?.close());

  async function at(focus: string): Promise<void> {
    await stage.focus(focus);
    await until(`the focus on ${focus}`, async () => {
      const { json } = await stage.room.call('ui_describe', { target: 'focused' });
      return JSON.stringify(json.element ?? {}).includes(focus === 'Priority' ? '' : focus);
    });
  }

  it.each(ATTACKS)('%s does not get around a rule', async (_, focus, tool, args, names) => {
    await at(focus);
    const before = (await stage.effects()).length;
    const said: Said = await stage.room.call(tool, { ...args, timeoutMs: 10_000 });
    expect([said.code, (await stage.effects()).slice(before)]).toEqual(['policy_denied', []]);
    expect(said.text).toMatch(toolkit === 'gtk4' && names === BOUND ? UNKNOWN : names);
  });

  it('presses what no rule denies', async () => {
    await at('Keep');
    const before = (await stage.effects()).length;
    const since = async (): Promise<unknown[]> => (await stage.effects()).slice(before);
    expect((await stage.room.call('ui_key', { keys: 'Space' })).code).toBeUndefined();
    await until('the press', async () => (await since()).includes('Keep'));
    expect(await since()).toEqual(['Keep']);
  });
});

describe('keys in Qt beside lists, whose current items report the focus too', () => {
  let stage: Stage & { app: FixtureApp };
  beforeAll(async () => {
    stage = await openApp('qt');
    await stage.app.command('lists');
  });
  afterAll(() => stage?.close());

  async function at(focus: string, shows = focus): Promise<void> {
    await stage.focus(focus);
    await until(`the focus on ${focus}`, async () => {
      const { json } = await stage.room.call('ui_describe', { target: 'focused' });
      return JSON.stringify(json.element ?? {}).includes(shows);
    });
  }

  it.each<[string, object]>([
    ['ui_key', { keys: 'Space' }],
    ['ui_type', { text: ' ' }],
  ])('%s is decided on by the button that gets it', async (tool, args) => {
    await at('Send');
    const before = (await stage.effects()).length;
    expect((await stage.room.call(tool, args)).code).toBe('policy_denied');
    expect((await stage.effects()).slice(before)).toEqual([]);
  });

  it('knows which of the lists has the focus', async () => {
    await at('Messages', 'Messages one');
    await at('Folders', 'Folders one');
  });
});

describe.each(['gtk3', 'qt'])('suggestions of a field in %s', (toolkit) => {
  let stage: Stage & { app: FixtureApp };
  beforeAll(async () => {
    stage = await openApp(toolkit, '[Public, Urgent, "*Urgent"]');
    await stage.app.command('suggest');
    await stage.focus('Subject');
    const typed = await stage.room.call('ui_type', { text: 'D', target: 'textbox:Subject', method: 'input' });
    expect(typed.code).toBeUndefined();
    await until('the suggestions', async () =>
      JSON.stringify((await stage.room.call('ui_list_windows')).json).includes('popup'),
    );
  });
  afterAll(() => stage?.close());

  it.each(['Down', 'Down Down', 'PageDown', 'Enter', 'Tab'])('%s does not choose what a rule denies', async (keys) => {
    const said = await stage.room.call('ui_key', { keys });
    expect([said.code, await stage.effects()]).toEqual(['policy_denied', []]);
  });
});
