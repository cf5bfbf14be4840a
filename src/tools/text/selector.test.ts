import { afterEach, beforeEach, expect, it } from 'vitest';
import { officeSpec } from '../../../tests/scenes/office.js';
import { fakeDesktop, type FakeDesktop } from '../../drivers/fake/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';
import { readingLines, readSelector, type ExplainedSearch } from './selector.js';

let fake: FakeDesktop;
let desktop: Desktop;

beforeEach(() => {
  fake = fakeDesktop(officeSpec());
  desktop = new Desktop({ name: 'office', kind: 'virtual', driver: fake.driver });
});
afterEach(() => desktop.close());

async function explained(args: Record<string, unknown>): Promise<ExplainedSearch> {
  try {
    const { json } = await perform(desktop, TOOLS, {
      tool: 'ui_query',
      args: { ...args, explain: true },
      caller: 'me',
    });
    return json.explained as ExplainedSearch;
  } catch (error) {
    if (error instanceof DesktopError && error.details?.explained) return error.details.explained as ExplainedSearch;
    throw error;
  }
}

const SHOWN_FIRST = 'what shows is read first, the rest only if nothing there fits';

it.each<[string, string[]]>([
  ['button:Save', [SHOWN_FIRST]],
  ['window~=Calc', ['the list of windows is enough, no window is read']],
  ['button:Save && visible=false', ['also what does not show is read at once']],
  ['#ok', [SHOWN_FIRST, 'ids, classes and descriptions are read too']],
  ['cell:Sheet1!B7', [SHOWN_FIRST, 'asked for by address, no table is walked: Sheet1!B7']],
  [
    'window="A" ?? role=row && has(.x)',
    [
      'alternative 1: the list of windows is enough, no window is read',
      `alternative 2: ${SHOWN_FIRST}`,
      'alternative 2: ids, classes and descriptions are read too',
    ],
  ],
])('what %s will read', (selector, plan) => expect(readSelector(selector).plan).toEqual(plan));

it('a wrong selector is not explained', () => {
  expect(() => readSelector('nmae=Save')).toThrow(/unknown key/);
});

it.each<[string, Record<string, unknown>, string[]]>([
  [
    'the first step',
    { target: 'app=mousepad >> button:Save' },
    ['read what shows in w1', 'left out w2, w3: not app is “mousepad”'],
  ],
  [
    'a window that does not show',
    { target: 'button:Save' },
    ['read what shows in w1, w2', 'left out w3: does not show'],
  ],
  [
    'a minimised window that is named',
    { target: 'app=mail >> button:Reply' },
    ['read what shows in w3', 'left out w1, w2: not app is “mail”'],
  ],
  ['the list alone', { target: 'app=mail' }, ['asked the list for w3', 'left out w1, w2: not app is “mail”']],
  [
    'the window argument',
    { target: 'button:Save', window: 'w1' },
    ['read what shows in w1', 'left out w2: not in the window that was named', 'left out w3: does not show'],
  ],
  [
    'nothing there: what does not show was read too',
    { target: 'app=mousepad >> button:Nowhere' },
    ['read all, also what does not show, in w1', 'left out w2, w3: not app is “mousepad”'],
  ],
  [
    'alternatives, one without its driver',
    { target: 'ocr:Save ?? app=mail >> button:Nowhere ?? app=mousepad >> button:Save' },
    [
      'read what shows in w1',
      'left out w2, w3: not app is “mousepad”',
      'left out alternative 1: there is no ocr driver here',
      'found by alternative 3',
    ],
  ],
])('what was read because of %s', async (_, args, lines) => {
  fake.controls.minimise('mail');
  expect((await explained(args)).pushedDown).toEqual(lines);
});

it('stands in two columns', () => {
  const reading = { description: 'a', canonical: 'b', plan: ['c', 'd'], pushedDown: ['e'] };
  expect(readingLines(reading)).toEqual(['reads     a', 'canonical b', 'plan      c', '          d', 'search    e']);
});
