import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { PatternAct } from '../../src/drivers/contract/index.js';
import { Deadline } from '../../src/shared/index.js';
import type { Role, WindowNode } from '../../src/tree/index.js';
import { codeOf } from '../conformance/case.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { ActRoom, by, has, number, soon, text } from './support/act-room.js';
import { until } from './support/seat-room.js';

type Toolkit = 'gtk3' | 'gtk4' | 'qt';
/** What the app writes down; a code when the toolkit has nothing for it, and nothing is written down. */
type Outcome = DiaryLine | 'pattern_unsupported' | 'not_ready' | 'nothing';

interface Row {
  role: Role | Role[];
  name: string | RegExp;
  act: PatternAct;
  gtk3?: Outcome;
  gtk4?: Outcome;
  qt?: Outcome;
}

const TEXT = 'héllo 日本 😀 Ω€';
const ALL = (outcome: Outcome): Pick<Row, Toolkit> => ({ gtk3: outcome, gtk4: outcome, qt: outcome });
const NONE = 'pattern_unsupported';
const CHECK: Role[] = ['checkbox', 'switch', 'togglebutton'];

/** In this order: each stands on what those before it did. A toolkit that is not named does not have the widget. */
const ROWS: Row[] = [
  { role: 'button', name: 'Save', act: by('invoke'), ...ALL({ clicked: 'Save' }) },
  { role: 'button', name: 'Delete', act: by('invoke'), ...ALL('not_ready') },
  { role: 'checkbox', name: 'Locked', act: by('toggle'), ...ALL('not_ready') },
  { role: [...CHECK, 'button'], name: 'Bold', act: by('toggle'), ...ALL({ toggled: 'Bold', on: true }) },
  {
    role: CHECK,
    name: 'Power',
    act: by('toggle'),
    gtk3: { toggled: 'Power', on: true },
    gtk4: { toggled: 'Power', on: true },
  },
  { role: CHECK, name: 'Wrap', act: by('toggle'), ...ALL({ toggled: 'Wrap', on: true }), gtk4: NONE },
  { role: ['radio', 'checkbox'], name: 'Right', act: by('select'), ...ALL({ toggled: 'Right', on: true }), gtk4: NONE },
  { role: 'radio', name: 'Right', act: by('select'), gtk3: 'nothing', qt: 'nothing' },
  { role: 'label', name: 'Plain words', act: by('invoke'), ...ALL(NONE) },
  {
    role: ['link', 'button'],
    name: 'Help page',
    act: by('invoke'),
    gtk3: { clicked: 'Help page' },
    gtk4: { clicked: 'Help page' },
  },
  { role: 'menuitem', name: 'New', act: by('invoke'), gtk3: { clicked: 'New' }, qt: { clicked: 'New' } },
  {
    role: ['menuitemcheckbox', 'menuitem'],
    name: 'Grid',
    act: by('invoke'),
    gtk3: { toggled: 'Grid', on: true },
    qt: { toggled: 'Grid', on: true },
  },
  {
    role: ['menuitemradio', 'menuitem'],
    name: 'Large',
    act: by('invoke'),
    gtk3: { toggled: 'Large', on: true },
    qt: { toggled: 'Large', on: true },
  },
  {
    role: ['togglebutton', 'button'],
    name: /^More/,
    act: by('expand'),
    gtk3: { expanded: 'More', on: true },
    gtk4: { expanded: 'More', on: true },
  },
  { role: ['togglebutton', 'button'], name: /^More/, act: by('expand'), gtk3: 'nothing', gtk4: 'nothing' },
  {
    role: ['togglebutton', 'button'],
    name: /^More/,
    act: by('collapse'),
    gtk3: { expanded: 'More', on: false },
    gtk4: { expanded: 'More', on: false },
  },
  { role: 'tab', name: 'Details', act: by('select'), ...ALL({ selected: 'Details' }) },
  { role: 'tab', name: 'Details', act: by('select'), ...ALL('nothing') },
  { role: 'tab', name: 'General', act: by('invoke'), ...ALL({ selected: 'General' }) },
  { role: 'textbox', name: 'Name', act: text(TEXT), ...ALL({ text: 'Name', value: TEXT }) },
  {
    role: 'textbox',
    name: 'Notes General',
    act: text(`${TEXT}\nzwei`),
    ...ALL({ text: 'Notes General', value: `${TEXT}\nzwei` }),
  },
  { role: 'textbox', name: 'Fixed', act: text('x'), ...ALL('not_ready') },
  { role: 'textbox', name: 'Fixed', act: { kind: 'insertText', text: 'x' }, ...ALL('not_ready') },
  { role: 'textbox', name: 'Shown', act: text('x'), ...ALL('not_ready') },
  { role: 'passwordbox', name: 'Secret', act: text('new'), ...ALL({ text: 'Secret', value: 'new' }) },
  { role: 'textbox', name: 'Name', act: by('invoke'), ...ALL(NONE) },
  { role: 'spinbutton', name: 'Age', act: number(40), ...ALL({ value: 'Age', is: 40 }) },
  // The step is 5; only GTK 3 exposes it.
  {
    role: 'spinbutton',
    name: 'Age',
    act: by('increment'),
    gtk3: { value: 'Age', is: 45 },
    gtk4: { value: 'Age', is: 41 },
    qt: { value: 'Age', is: 41 },
  },
  { role: 'spinbutton', name: 'Age', act: number(999), ...ALL({ value: 'Age', is: 130 }) },
  { role: 'slider', name: 'Volume', act: number(60), ...ALL({ value: 'Volume', is: 60 }) },
  { role: 'slider', name: 'Volume', act: by('decrement'), ...ALL({ value: 'Volume', is: 59 }) },
  { role: 'combobox', name: 'Colour', act: text('Blue'), gtk3: { selected: 'Blue' }, gtk4: NONE },
  { role: 'combobox', name: 'Colour', act: text('Mauve'), gtk3: NONE, gtk4: NONE },
  { role: 'row', name: /^$/, act: by('expand'), gtk3: { expanded: 'Fruit', on: true }, qt: NONE },
  { role: 'row', name: /^$/, act: by('collapse'), gtk3: { expanded: 'Fruit', on: false } },
  { role: 'button', name: 'Far 40', act: by('scrollIntoView'), ...ALL(NONE) },
  { role: 'button', name: 'Far 40', act: by('invoke'), ...ALL({ clicked: 'Far 40' }) },
  { role: 'textbox', name: 'Name', act: by('contextMenu'), ...ALL(NONE) },
];

describe.each<Toolkit>(['gtk3', 'gtk4', 'qt'])('acts by pattern in %s', (toolkit) => {
  let room: ActRoom;
  let app: FixtureApp;
  /** Has the keys all the time: acts by pattern need no active window, and make none. */
  let bystander: FixtureApp;
  let window: WindowNode;
  let from = 0;
  beforeAll(async () => {
    room = await ActRoom.open();
    app = await FixtureApp.start(`act-${toolkit}.py`, room.seat.env);
    window = await room.window(({ pid, active }) => pid === app.pid && active);
    await room.find(window, 'button', 'Save');
    bystander = await FixtureApp.start('gtk3.py', room.seat.env, ['--bystander']);
    await room.window(({ pid, active }) => pid === bystander.pid && active);
  });
  afterAll(async () => {
    await Promise.all([app?.end(), bystander?.end()]);
    await room?.close();
  });
  afterEach(() => {
    from = app.diary.length;
  });

  /** After the app has done what it was asked before this. */
  const since = async (): Promise<DiaryLine[]> => {
    const mark = app.diary.length;
    await app.command('sleep 0');
    return app.diary.slice(from).filter((line, index) => !(index + from >= mark && line.done === 'sleep'));
  };

  const rows = ROWS.flatMap((row): [string, Row, Outcome][] => {
    const outcome = row[toolkit];
    const words = `${row.act.kind} ${[row.role].flat()[0]} ${String(row.name)}`;
    return outcome === undefined ? [] : [[`${words} → ${JSON.stringify(outcome)}`, row, outcome]];
  });

  test.each(rows)('%s', async (_, { role, name, act }, outcome) => {
    const node = await room.find(window, role, name);
    const before = await room.attention();
    if (outcome === NONE || outcome === 'not_ready') {
      expect(await codeOf(room.act(node, act))).toBe(outcome);
      expect(await since()).toEqual([]);
    } else if (outcome === 'nothing') {
      expect((await room.act(node, act)).by).toMatch(/^nothing/);
      expect(await since()).toEqual([]);
    } else {
      expect((await room.act(node, act)).said).toBe(true);
      await until(JSON.stringify(outcome), () => app.diary.slice(from).some((line) => has(line, outcome)));
    }
    expect(await room.attention()).toBe(before);
  });

  test('text goes in at the caret, and in place of what is selected', async () => {
    const name = await room.find(window, 'textbox', 'Name');
    await room.act(name, text('a😀z'));
    const wide = toolkit === 'qt' ? 3 : 2;
    await app.command(`caret Name ${wide} ${wide}`);
    await room.act(name, { kind: 'insertText', text: 'é日' });
    await until('it at the caret', () =>
      app.diary.slice(from).some((line) => has(line, { text: 'Name', value: 'a😀é日z' })),
    );
    await room.act(name, { kind: 'insertText', text: '-' });
    await until('the next behind it', () =>
      app.diary.slice(from).some((line) => has(line, { text: 'Name', value: 'a😀é日-z' })),
    );
    await app.command('caret Name 0 1');
    await room.act(name, { kind: 'insertText', text: 'Ω' });
    await until('it in its place', () =>
      app.diary.slice(from).some((line) => has(line, { text: 'Name', value: 'Ω😀é日-z' })),
    );
  });

  test('what was removed is stale_ref, what was disabled in between is not_ready', async () => {
    const [far, save] = [await room.find(window, 'button', 'Far 7'), await room.find(window, 'button', 'Save')];
    await app.command('remove Far 7');
    await until('stale_ref', async () => (await codeOf(room.act(far, by('invoke')))) === 'stale_ref');
    await app.command('disable Save');
    expect(await codeOf(room.act(save, by('invoke')))).toBe('not_ready');
    await app.command('enable Save');
    await room.act(save, by('invoke'));
    await until('the click', () => app.diary.slice(from).some((line) => line.clicked === 'Save'));
    expect(app.diary.slice(from).filter((line) => line.clicked !== undefined)).toHaveLength(1);
  });

  test('reports an app that hangs on an act, and that the act may have been delivered', async () => {
    const name = await room.find(window, 'textbox', 'Name');
    const sent: unknown = await room.act(name, text('hang')).catch((error: unknown) => error);
    expect(sent).toMatchObject({ code: 'app_hung', delivered: 'unknown', retry: 'no' });
    const notSent: unknown = await room.act(name, text('more')).catch((error: unknown) => error);
    expect(notSent).toMatchObject({ code: 'app_hung', delivered: 'no' });
    await app.command('go');
    await app.command('sleep 0');
    await room.act(await room.find(window, 'textbox', 'Name'), text('again'));
    await app.wait('what was written after it', (line) => has(line, { text: 'Name', value: 'again' }), from);
    const values = app.diary.slice(from).map(({ value }) => value);
    expect(values).not.toContain('more');
    expect(values.filter((value) => value === 'hang')).toHaveLength(1);
  });

  test('reports to a caller who gives up during an act that it may have been delivered', async () => {
    const name = await room.find(window, 'textbox', 'Name');
    const giveUp = new AbortController();
    const acting = room.act(name, text('hang'), Deadline.in(10_000, giveUp.signal)).catch((error: unknown) => error);
    await app.wait('the app to hang', (line) => has(line, { text: 'Name', value: 'hang' }), from);
    giveUp.abort();
    expect(await acting).toMatchObject({ code: 'cancelled', delivered: 'unknown' });
    await app.command('go');
    await app.command('sleep 0');
  });

  test('focus goes where the toolkit lets it', async () => {
    const name = await room.find(window, 'textbox', 'Name');
    if (toolkit === 'gtk4') return expect(await codeOf(room.act(name, by('focus')))).toBe(NONE);
    await room.driver.changeWindow!(window.id, { action: 'focus' }, { deadline: soon() });
    await room.act(name, by('focus'));
    await until(
      'the focus',
      async () => (await room.driver.focused!({ deadline: soon() }))?.path.at(-1)?.id === name.id,
    );
  });

  test('a dialog with a loop of its own: it is read, the app is not called hung, and more can be done', async () => {
    await room.act(await room.find(window, 'button', 'Ask…'), by('invoke'));
    const dialog = await room.window(({ pid, role }) => pid === app.pid && role === 'dialog');
    const yes = await room.find(dialog, 'button', /Yes/);
    await room.nodes(window);
    await room.act(yes, by('invoke'));
    await app.wait('the answer', (line) => line.answer === 'Yes', from);
    await room.act(await room.find(window, 'button', 'Save'), by('invoke'));
    await app.wait('the click after it', (line) => line.clicked === 'Save', from);
  });
});
