import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { centre } from '../../src/tree/index.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { openRealDesktop, theOne, type RealDesktop } from './support/real-desktop.js';
import { ask, until } from './support/seat-room.js';
import { listeners, waitWhile } from './support/waiting.js';

const MAIN = 'Plain fixture';

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop();
});
afterAll(() => real?.stop());
afterEach(() => expect(listeners(real)).toBe(0));

const xdotool = async (...args: (string | number)[]): Promise<string> =>
  (await ask('xdotool', args.map(String), real.seat.env)).output;

/** The X server's own word. */
const isMapped = async (title: string): Promise<boolean> =>
  /\d/.test(await xdotool('search', '--onlyvisible', '--name', `^${title}$`));

describe.each([
  ['GTK 3', 'gtk3.py'],
  ['Qt', 'qt.py'],
])('%s', (_, file) => {
  let app: FixtureApp;
  afterAll(() => app?.end());

  /** The diary's first line from now on that fits, after the wait has answered: the app knows it by then. */
  async function said(from: number, fits: (line: DiaryLine) => boolean): Promise<DiaryLine> {
    return app.wait('the diary', fits, from);
  }

  async function click(role: 'button' | 'checkbox' | 'textbox', name: string, window = MAIN): Promise<void> {
    const element = theOne(await real.snapshot({ window }), role, name);
    const { x, y } = element.clickPoint ?? centre(element.bounds!);
    await xdotool('mousemove', x, y, 'click', 1);
  }

  it('a window that opens', async () => {
    const { text, seen } = await waitWhile(real, { until: { window: MAIN } }, async () => {
      app = await FixtureApp.start(file, real.seat.env);
    });
    expect(text).toMatch(/^ok: satisfied after \d+\.\d s, w\d+ window "Plain fixture"$/);
    expect(seen.windows).toHaveLength(1);
    expect(await isMapped(MAIN)).toBe(true);
    // What is in it comes a moment after the window itself.
    await real.call('ui_wait', { until: 'button:Save', window: MAIN });
  });

  it('a dialog that opens, and closes', async () => {
    const opened = await waitWhile(real, { until: 'dialog:Question >> button:Yes' }, () => click('button', 'Ask…'));
    expect(opened.seen.element!.name).toMatch(/Yes/);
    expect(await isMapped('Question')).toBe(true);
    const from = app.diary.length;
    const closed = await waitWhile(real, { until: { windowClosed: 'Question' } }, () =>
      click('button', 'Yes', 'Question').catch(() => click('button', '&Yes', 'Question')),
    );
    expect(closed.text).toMatch(/^ok: satisfied after \d+\.\d s$/);
    expect(await said(from, (line) => line.dialog === 'Question')).toMatchObject({ answer: 'Yes' });
    expect(await isMapped('Question')).toBe(false);
  });

  it('a checkbox that the user unchecks and checks', async () => {
    for (const on of [false, true]) {
      const from = app.diary.length;
      const { text } = await waitWhile(real, { until: { state: ['checkbox:Wrap', 'checked', on] }, window: MAIN }, () =>
        click('checkbox', 'Wrap'),
      );
      expect(text).toMatch(new RegExp(`e\\d+ checkbox "Wrap"${on ? ' (focused )?checked' : ''}.*: checked is ${on}$`));
      expect(await said(from, (line) => line.toggled === 'Wrap')).toMatchObject({ on });
    }
  });

  it('the focus, and the value that is typed into it', async () => {
    await click('button', 'Save');
    await waitWhile(real, { until: { focused: 'textbox:"Name"' }, window: MAIN }, () => click('textbox', 'Name'));
    const from = app.diary.length;
    await waitWhile(real, { until: { value: ['textbox:"Name"', 'Grace'] }, window: MAIN }, async () => {
      await xdotool('key', 'ctrl+a');
      await xdotool('type', '--delay', 20, 'Grace');
    });
    expect(await said(from, (line) => line.text === 'Name' && line.value === 'Grace')).toBeTruthy();
  });

  it('a number', async () => {
    await waitWhile(real, { until: { changed: 'spinbutton:Age' }, window: MAIN }, async () => {
      const age = theOne(await real.snapshot({ window: MAIN }), 'spinbutton', 'Age');
      const { x, y } = centre(age.bounds!);
      await xdotool('mousemove', x - 30, y, 'click', 1, 'key', 'Up');
    });
    expect(app.diary.findLast((line) => line.value === 'Age')).toMatchObject({ is: 37 });
    const { text } = await real.call('ui_assert', { condition: { value: ['spinbutton:Age', 37] } });
    expect(text).toMatch(/^ok: satisfied, e\d+ spinbutton "Age".*: 37 /);
  });

  it('something new, one more of it, and none', async () => {
    await waitWhile(real, { until: 'button:More', window: MAIN }, () => app.command('add-child More'));
    await waitWhile(real, { until: { count: ['role=button && name^=More', 2] }, window: MAIN }, () =>
      app.command('add-child More still'),
    );
    await app.command('remove-child More still');
    const { text } = await waitWhile(real, { until: { gone: 'button:More' }, window: MAIN }, () =>
      app.command('remove-child More'),
    );
    expect(text).toMatch(/^ok: satisfied after \d+\.\d s$/);
  });

  it('text', async () => {
    await waitWhile(real, { until: { text: 'all is SAVED' } }, () => app.command('set-label Now all is saved.'));
    const failed = await real.failure('ui_assert', { condition: { text: 'hunter2' } });
    expect(failed).toMatch(/^failed: verify_failed\. \{"text":"hunter2"\} does not hold: the text is nowhere\./);
  });

  it('several at once', async () => {
    const all = {
      all: [{ window: 'Question' }, { not: { focused: 'textbox:"Name"' } }, 'button:No', { gone: 'button:More' }],
    };
    await waitWhile(real, { until: all }, () => app.command('open-dialog'));
    await app.command('close-dialog');
    await real.call('ui_wait', { until: { windowClosed: 'Question' } });
  });

  it('a stopped app is not known, and known again when it goes on', async () => {
    await app.freeze();
    try {
      const failed = await real.failure('ui_wait', { until: { gone: 'button:Save' }, window: MAIN, timeoutMs: 500 });
      expect(failed).toMatch(
        /^failed: timeout\. \{"gone":"button:Save"\} is not known after \d+ ms: not everything could be read: w\d+ does not answer\. /,
      );
      const again = waitWhile(real, { until: 'button:Save', window: MAIN }, async () => app.signal('SIGCONT'));
      expect((await again).seen.element!.name).toBe('Save');
    } finally {
      app.signal('SIGCONT');
    }
  });

  it('a miss names what comes near', async () => {
    const failed = await real.failure('ui_wait', { until: 'button:Sav', window: MAIN, timeoutMs: 200 });
    expect(failed).toMatch(/^failed: timeout\. button:Sav does not hold after \d+ ms: nothing matches\. /);
    expect(failed).toMatch(/^nearest: e\d+ button "Save" in w\d+ \(its name is similar\)/m);
  });

  it('an app that ends', async () => {
    const { text } = await waitWhile(
      real,
      { until: { all: [{ windowClosed: MAIN }, { gone: 'button:Save' }] } },
      async () => app.signal('SIGKILL'),
    );
    expect(text).toMatch(/^ok: satisfied/);
    await until('the window to be gone', async () => !(await isMapped(MAIN)));
  });
});
