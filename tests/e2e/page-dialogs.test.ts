import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { perform } from '../../src/runtime/index.js';
import { DesktopError } from '../../src/shared/index.js';
import { failureText, TOOLS } from '../../src/tools/index.js';
import type { DiaryLine } from '../conformance/fixture-app.js';
import { PageServer } from './support/page-server.js';
import { WorkRoom } from './support/work-room.js';

let work: WorkRoom;
let page: PageServer;
const refs = new Map<string, string>();

beforeAll(async () => {
  [work, page] = await Promise.all([WorkRoom.open(), PageServer.start('act-page.html')]);
  await work.launch('chromium', page.url);
  await work.until('button:Save');
  for (const target of ['button:Save', 'checkbox:Wrap', 'textbox:"Notes General"'])
    refs.set(target, await refOf(target));
});
afterAll(async () => {
  await work?.room.close();
  await page?.stop();
});
afterEach(() => page.run('document.querySelectorAll(".extra").forEach((one) => one.remove()); 0'));

const diary = (): Promise<DiaryLine[]> => page.run<DiaryLine[]>('window.diary');

async function refOf(target: string): Promise<string> {
  const { json } = await work.do('ui_describe', { target });
  return (json as unknown as { element: { ref: string } }).element.ref;
}

async function told(tool: string, args: Record<string, unknown>): Promise<string> {
  try {
    return (await perform(work.room.real.desktop, TOOLS, { tool, args, caller: 'test' })).text;
  } catch (error) {
    if (error instanceof DesktopError) return failureText(error);
    throw error;
  }
}

test.each(['alert("Hello")', 'confirm("Sure?")', 'prompt("Name?")'])(
  'behind %s nothing of the page is acted on, and the dialog itself is',
  async (ask) => {
    const before = (await diary()).length;
    await page.run(`setTimeout(() => { window.said = String(${ask}) }, 50); 0`);
    const says = `dialog:"${new URL(page.url).host} says"`;
    await work.until(says);
    const dialog = await refOf(says);
    const acts: [string, string, object][] = [
      ['ui_click', 'button:Save', {}],
      ['ui_click', 'button:Save', { method: 'input' }],
      ['ui_act', 'checkbox:Wrap', { action: 'toggle' }],
      ['ui_set_value', 'textbox:"Notes General"', { value: 'Rome' }],
    ];
    for (const [tool, target, more] of acts) {
      const answer = await told(tool, { target: refs.get(target), timeoutMs: 300, ...more });
      expect(answer).toMatch(new RegExp(`^failed: not_ready\\. .* is behind ${dialog} dialog ".* says"`));
      expect(answer).toContain(`Delivered: no. Retry: after closing ${dialog}.`);
    }
    if (ask.startsWith('prompt')) await work.act('ui_set_value', { target: 'textbox:"Name?"', value: 'Ada' });
    await work.act('ui_click', { target: 'button:OK', verify: { gone: says } });
    await work.until('button:Save');
    expect(await page.run('window.said')).toBe({ a: 'undefined', c: 'true', p: 'Ada' }[ask[0]!]);
    expect((await diary()).slice(before)).toEqual([]);
    await work.do('ui_click', { target: refs.get('button:Save') });
    expect((await diary()).slice(before)).toEqual([{ clicked: 'Save' }]);
  },
);

test.each(['pattern', 'input'])(
  'a dialog that has just opened gets its click by %s, each of ten times',
  async (method) => {
    await page.run(
      `document.body.insertAdjacentHTML('afterbegin', '<button class=extra>Confirm</button>');
     window.answers = [];
     document.querySelector('button.extra').onclick = () =>
       setTimeout(() => window.answers.push(confirm('Sure?')), 0); 0`,
    );
    await work.until('button:Confirm');
    for (let time = 1; time <= 10; time++) {
      const answer = await told('ui_batch', {
        steps: [
          { tool: 'ui_click', target: 'button:Confirm' },
          { tool: 'ui_click', target: 'button:Cancel', method, timeoutMs: 20_000 },
        ],
      });
      expect(answer).toMatch(/^ok: 2 of 2 steps/);
      await work.until('button:Save');
      expect(await page.run('window.answers')).toEqual(Array.from({ length: time }, () => false));
    }
  },
);

test('while another window is active, and its tree contains the whole page, too', async () => {
  const before = (await diary()).length;
  const says = `dialog:"${new URL(page.url).host} says"`;
  await page.run('setTimeout(() => alert("Hello"), 50); 0');
  await work.until(says);
  await work.launch('mousepad');
  await work.until('button:Save');
  for (const target of ['button:Save', refs.get('button:Save')!])
    expect(await told('ui_click', { target, timeoutMs: 300 })).toMatch(/^failed: not_ready\. .* is behind e\d+ dialog/);
  await work.act('ui_click', { target: 'button:OK', verify: { gone: says } });
  expect((await diary()).slice(before)).toEqual([]);
});

test('a bubble of the browser leaves the page usable', async () => {
  const before = (await diary()).length;
  await work.act('ui_click', { target: 'button:"Bookmark this tab"', verify: 'dialog:"Bookmark added"' });
  await work.do('ui_click', { target: refs.get('button:Save') });
  expect((await diary()).slice(before)).toEqual([{ clicked: 'Save' }]);
  await work.act('ui_click', { target: 'button:Done', verify: { gone: 'dialog:"Bookmark added"' } });
});

const DIALOGS: [string, string][] = [
  ['is not modal', '<dialog class=extra open style=position:static aria-label=Extra><button>Inside</button></dialog>'],
  ['is only called so', '<div class=extra role=dialog aria-label=Extra><button>Inside</button></div>'],
  [
    'is called modal by its page alone',
    '<div class=extra role=dialog aria-modal=true aria-label=Extra><button>Inside</button></div>',
  ],
];

test.each(DIALOGS)('beside a dialog of the page that %s the page is acted on', async (_, html) => {
  await page.run(`document.body.insertAdjacentHTML('afterbegin', ${JSON.stringify(html)}); 0`);
  await work.until('dialog:Extra');
  const before = (await diary()).length;
  for (const method of ['pattern', 'input']) await work.do('ui_click', { target: refs.get('button:Save'), method });
  expect((await diary()).slice(before)).toEqual([{ clicked: 'Save' }, { clicked: 'Save' }]);
});

test.each(['pattern', 'input'])('reports that a click by %s moved the focus to a field', async (method) => {
  await page.run(
    `document.body.insertAdjacentHTML('afterbegin', '<div class=extra><button>Go there</button><input aria-label=There></div>');
     document.querySelector('.extra button').onclick = () => document.querySelector('.extra input').focus(); 0`,
  );
  await work.until('textbox:There');
  const answer = await told('ui_click', { target: 'button:"Go there"', method, settleMs: 1_000 });
  expect(answer).toMatch(/^ok: click e\d+ button "Go there" .*\nfocus: e\d+ textbox "There"$/);
  expect(await page.run('document.activeElement.ariaLabel')).toBe('There');
});
