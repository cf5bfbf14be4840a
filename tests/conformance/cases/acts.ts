import { expect } from 'vitest';
import type { PatternAct, PatternAnswer } from '../../../src/drivers/contract/index.js';
import { Deadline } from '../../../src/shared/index.js';
import type { Node, Role } from '../../../src/tree/index.js';
import { codeOf, LISTS, readWindow, shown, soon, until, windowTitled, wordsOf, type Case } from '../case.js';
import type { DiaryLine } from '../fixture-app.js';
import { DIALOG, MAIN } from '../scene.js';
import type { Stage } from '../stage.js';

const HUNG_MS = 4_000;
/** Half a second is the aim; a loaded machine gets more. */
const DIALOG_MS = 3_000;

const by = (kind: PatternAct['kind']): PatternAct => ({ kind }) as PatternAct;

async function act(stage: Stage, { id }: Node, what: PatternAct, deadline = soon()): Promise<PatternAnswer> {
  const step = await stage.driver.act!(id, what, { deadline });
  if ('done' in step) return step.done;
  throw new Error('an act without checkpoints paused at one');
}

/** Until the app itself has written down that it happened. */
async function expectInDiary(stage: Stage, from: number, fact: DiaryLine): Promise<void> {
  await until(`${JSON.stringify(fact)} in the diary`, async () =>
    stage
      .diary()
      .slice(from)
      .some((line) => Object.entries(fact).every(([key, value]) => line[key] === value)),
  );
}

async function becomes(stage: Stage, role: Role, name: string, fits: (node: Node) => unknown): Promise<void> {
  await until(`${role} ${name} to be read as it is`, async () => Boolean(fits(await shown(stage, role, name))));
}

/** A diary entry that the case did not ask for would be a wrong act. */
function onlyAbout(stage: Stage, from: number, ...names: string[]): void {
  const about = (line: DiaryLine): unknown => line.clicked ?? line.toggled ?? line.text ?? line.value ?? line.selected;
  const others = stage
    .diary()
    .slice(from)
    .filter((line) => about(line) !== undefined && !names.includes(String(about(line))));
  expect(others).toEqual([]);
}

async function thirdItem(stage: Stage): Promise<Node> {
  return until('the third item', async () => {
    const { children } = await shown(stage, LISTS, 'Items');
    return children.find((item) => /\bItem 3\b/.test(wordsOf(item)));
  });
}

/** The window that has the keys, and where it is in front of the others: acts by pattern change neither. */
async function order(stage: Stage): Promise<string[]> {
  const { windows } = await stage.driver.windows({ deadline: soon() });
  return windows.map(({ id, active }) => `${id}${active ? ' active' : ''}`);
}

const SIMPLE: {
  name: string;
  role: Role;
  element: string;
  act: PatternAct;
  fact: DiaryLine;
  also?: string[];
  after?: (node: Node) => unknown;
}[] = [
  { name: 'a button is pressed', role: 'button', element: 'Save', act: by('invoke'), fact: { clicked: 'Save' } },
  {
    name: 'a check box is toggled',
    role: 'checkbox',
    element: 'Wrap',
    act: by('toggle'),
    fact: { toggled: 'Wrap' },
    after: ({ states }) => states.checked === false,
  },
  {
    name: 'a radio button is selected, and its rival is not any more',
    role: 'radio',
    element: 'Right',
    act: by('select'),
    fact: { toggled: 'Right' },
    also: ['Left'],
    after: ({ states }) => states.checked === true,
  },
  {
    name: 'a field is written into, whatever letters',
    role: 'textbox',
    element: 'Name',
    act: { kind: 'setText', text: 'héllo 日本 😀 Ω€' },
    fact: { text: 'Name', value: 'héllo 日本 😀 Ω€' },
    after: ({ value }) => value === 'héllo 日本 😀 Ω€',
  },
  {
    name: 'a number is set',
    role: 'spinbutton',
    element: 'Age',
    act: { kind: 'setNumber', value: 42 },
    fact: { value: 'Age', is: 42 },
    after: ({ value }) => value === 42,
  },
  {
    name: 'a slider is set',
    role: 'slider',
    element: 'Volume',
    act: { kind: 'setNumber', value: 60 },
    fact: { value: 'Volume', is: 60 },
    after: ({ value }) => value === 60,
  },
  {
    name: 'a number goes up',
    role: 'spinbutton',
    element: 'Age',
    act: by('increment'),
    fact: { value: 'Age' },
    after: ({ value }) => value === 37,
  },
  {
    name: 'a number goes down',
    role: 'spinbutton',
    element: 'Age',
    act: by('decrement'),
    fact: { value: 'Age' },
    after: ({ value }) => value === 35,
  },
];

export const ACTS: Case[] = [
  ...SIMPLE.map(({ name, role, element, act: what, fact, also = [], after }): Case => ({
    name: `act: ${name}`,
    disturbs: true,
    async run(stage) {
      const [before, from] = [await order(stage), stage.diary().length];
      const answer = await act(stage, await shown(stage, role, element), what);
      expect(answer.by).not.toBe('');
      await expectInDiary(stage, from, fact);
      if (after) await becomes(stage, role, element, after);
      expect(await order(stage)).toEqual(before);
      onlyAbout(stage, from, element, ...also);
    },
  })),
  {
    name: 'act: an item of a list is selected',
    disturbs: true,
    async run(stage) {
      const from = stage.diary().length;
      await act(stage, await thirdItem(stage), by('select'));
      await expectInDiary(stage, from, { selected: 'Item 3' });
      onlyAbout(stage, from, 'Item 3');
    },
  },
  {
    name: 'act: a selected item is read as selected, and selecting it again does nothing',
    disturbs: true,
    async run(stage) {
      await act(stage, await thirdItem(stage), by('select'));
      const item = await until('the item to be read as selected', async () => {
        const now = await thirdItem(stage);
        return now.states.selected && now;
      });
      const from = stage.diary().length;
      await act(stage, item, by('select'));
      await stage.command('set-label Done');
      onlyAbout(stage, from);
    },
  },
  {
    name: 'act: what is disabled is not_ready, and nothing happens',
    async run(stage) {
      const from = stage.diary().length;
      expect(await codeOf(act(stage, await shown(stage, 'button', 'Delete'), by('invoke')))).toBe('not_ready');
      await stage.command('set-label Done');
      onlyAbout(stage, from);
    },
    disturbs: true,
  },
  {
    name: 'act: a label offers nothing, a button no text',
    async run(stage) {
      const from = stage.diary().length;
      const label = await shown(stage, 'label', 'Ready');
      for (const kind of ['invoke', 'toggle', 'select', 'expand'] as const) {
        expect(await codeOf(act(stage, label, by(kind)))).toBe('pattern_unsupported');
      }
      const save = await shown(stage, 'button', 'Save');
      expect(await codeOf(act(stage, save, { kind: 'setText', text: 'x' }))).toBe('pattern_unsupported');
      expect(await codeOf(act(stage, save, { kind: 'setNumber', value: 1 }))).toBe('pattern_unsupported');
      expect(stage.diary().slice(from)).toEqual([]);
    },
  },
  {
    name: 'act: an element that was removed is stale_ref',
    disturbs: true,
    async run(stage) {
      await stage.command('add-child Extra');
      const extra = await shown(stage, 'button', 'Extra');
      await stage.command('remove-child Extra');
      const from = stage.diary().length;
      await until('stale_ref', async () => (await codeOf(act(stage, extra, by('invoke')))) === 'stale_ref');
      onlyAbout(stage, from);
    },
  },
  {
    name: 'act: a hung app is reported, with whether the act was delivered',
    disturbs: true,
    async run(stage) {
      const save = await shown(stage, 'button', 'Save');
      await stage.hang();
      const failed = act(stage, save, by('invoke'), Deadline.in(60_000)).catch((error: unknown) => error);
      expect(await Deadline.in(HUNG_MS).race(failed, 'The act')).toMatchObject({ code: 'app_hung', delivered: 'no' });
    },
  },
  {
    name: 'act: an app that has ended is process_gone',
    disturbs: true,
    async run(stage) {
      const save = await shown(stage, 'button', 'Save');
      await stage.kill();
      await until('process_gone', async () => (await codeOf(act(stage, save, by('invoke')))) === 'process_gone');
    },
  },
  {
    name: 'act: a dialog that an act opened is read at once, and answered',
    disturbs: true,
    async run(stage) {
      const from = stage.diary().length;
      await act(stage, await shown(stage, 'button', 'Ask…'), by('invoke'));
      await until(
        'the dialog to be read',
        async () => {
          const { windows } = await stage.driver.windows({ deadline: soon() });
          return windows.some(({ title }) => title === DIALOG);
        },
        DIALOG_MS,
      );
      const yes = await shown(stage, 'button', 'Yes', DIALOG);
      await readWindow(stage, MAIN);
      await act(stage, yes, by('invoke'));
      await expectInDiary(stage, from, { dialog: DIALOG, answer: 'Yes' });
      await windowTitled(stage, MAIN);
    },
  },
  {
    name: 'act: over before it began, and cancelled',
    async run(stage) {
      const save = await shown(stage, 'button', 'Save');
      const from = stage.diary().length;
      expect(await codeOf(act(stage, save, by('invoke'), Deadline.in(0)))).toBe('timeout');
      expect(await codeOf(act(stage, save, by('invoke'), Deadline.in(5_000, AbortSignal.abort())))).toBe('cancelled');
      onlyAbout(stage, from);
    },
  },
];
