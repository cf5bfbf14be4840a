// @module-tag safety

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { LiarRoom, once, TOOLKITS } from './support/liar-room.js';
import { everyElement, openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop({ width: 1400, height: 1000 });
});
afterAll(() => real?.stop());

/** What is written, and what the field makes of it. */
const FIELDS: [name: string, text: string, holds: string][] = [
  ['Drops', 'a1b2', 'ab'],
  ['Upper', 'quiet', 'QUIET'],
  ['Short', 'too long', 'too l'],
];
const METHODS = ['pattern', 'input'] as const;
const SENTENCE = 'All of this was meant for one field and for nothing else, whatever opens meanwhile. '.repeat(10);

/**
 * Reads the whole window while an act waits at a checkpoint, so also between the press and the release of a button. An
 * app that then hangs on the release has drawn and reported nothing since: all of its tree is in the driver's cache.
 */
function readBeforeRelease(window: string): { end(): void } {
  const { driver, desktop } = real;
  const own = driver.resume!.bind(driver);
  const readAll = async (): Promise<true | undefined> => {
    const { windows } = await desktop.listWindows(soon());
    const { id } = windows.find(({ ref }) => ref === window)!;
    return (await driver.read!({ window: id }, { deadline: soon() })).calls === 0 || undefined;
  };
  driver.resume = async (...args) => {
    await until('a tree that needs no call', readAll);
    return own(...args);
  };
  return { end: () => void (driver.resume = own) };
}

/** The process of the desktop's window manager. */
function managerOf({ DISPLAY }: Readonly<Record<string, string>>): number {
  const isIts = (pid: string): boolean => {
    try {
      if (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'openbox\n') return false;
      return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(`DISPLAY=${DISPLAY}`);
    } catch {
      return false; // No process, or none any more.
    }
  };
  return Number(readdirSync('/proc').find(isIts));
}

/**
 * After this many letters the next check of the focus stops it. A browser says that it has dealt with keys once it has
 * handed them on to the page's own process; Qt while it waits for the accessibility bus to let it have them.
 */
const MOST = { gtk3: 32, gtk4: 32, qt: SENTENCE.length / 2, chromium: SENTENCE.length - 1 };

describe.each(TOOLKITS)('in %s', (toolkit) => {
  let room: LiarRoom;
  beforeAll(async () => {
    room = await LiarRoom.open(real, toolkit);
  });
  afterAll(() => room?.end());

  const field = (name: string): Promise<string> => room.ref(/^textbox$/, name);
  const clicks = (diary: DiaryLine[]): unknown[] =>
    diary.flatMap(({ clicked }) => (clicked === undefined ? [] : [clicked]));

  test.each(METHODS)('an action that does nothing is not repeated, by %s', async (method) => {
    // A late event about an earlier change would be taken for an effect.
    await room.call('ui_wait', { until: { stableMs: 300 }, window: room.window });
    const from = await room.mark();
    const { word, text, delivered } = await room.call('ui_click', { target: await room.button('Idle'), method });
    expect(delivered, text).toBe('yes');
    // The mouse changes the look of the button in most toolkits.
    if (method === 'input' && word === 'unconfirmed') expect(text).toMatch(/only the look of the target did/);
    else expect(text).toMatch(/^no change: .*delivered, but nothing changed in \d+ ms\.\nnext: do not repeat it/);
    expect(await room.did(from)).toEqual([{ clicked: 'Idle' }]);
  });

  // Each field with each tool, and each tool with each method.
  const writes = FIELDS.flatMap((row, nth) =>
    (['ui_set_value', 'ui_type'] as const).flatMap((tool, other) =>
      METHODS.filter((_, method) => nth === 0 || (nth + other + method) % 2 === 0).map(
        (method): [string, string, ...typeof row] => [tool, method, ...row],
      ),
    ),
  );
  test.each(writes)('%s by %s into %s reports the actual value', async (tool, method, name, text, holds) => {
    const target = await field(name);
    const emptied = await room.call('ui_set_value', { target, value: '' });
    expect(emptied.word, emptied.text).toBe('ok');
    const answer = await room.call(tool, { target, method, ...(tool === 'ui_type' ? { text } : { value: text }) });
    if (toolkit === 'chromium' && method === 'pattern') return expect(answer.word).toBe('pattern_unsupported');
    expect(await room.holds(name)).toBe(holds);
    expect({ word: answer.word, delivered: answer.delivered }, answer.text).toEqual({
      word: 'verify_failed',
      delivered: 'yes',
    });
    expect(answer.text).toContain(`holds ${JSON.stringify(holds)}`);
    expect(answer.text).toMatch(/Retry: no\./);
  });

  test.each([
    ['ui_set_value', { value: '', method: 'input' }],
    ['ui_key', { keys: 'ctrl+a Delete' }],
  ])('%s %j presses nothing for a field that passes its focus on', async (tool, args) => {
    await room.call('ui_set_value', { target: await field('Plain'), value: 'kept' });
    const from = await room.mark();
    const { word, delivered, text } = await room.call(tool, { target: await field('Shy'), ...args });
    expect(word, text).toBe('not_ready');
    // It has the focus for a moment. A check in that moment sees the focus that the pattern gave, and nothing is clicked.
    const clicked = delivered === 'yes';
    const refusal = `does not take the focus${clicked ? ', although it was clicked' : ''}: textbox "Plain" has it`;
    expect(text).toContain(refusal);
    expect(text).toContain(`Delivered: ${delivered}. Retry: ${clicked ? 'no' : 'safe'}.`);
    expect(await room.did(from)).toEqual([]);
  });

  test('reports a focus that moves between two letters, with the element that has it', async () => {
    await room.call('ui_set_value', { target: await field('Plain'), value: '' });
    const [target, plain] = [await field('Jump'), await field('Plain')];
    const { word, text } = await room.call('ui_type', { target, text: 'abcdefgh', method: 'input' });
    expect([await room.holds('Jump'), await room.holds('Plain')]).toEqual(['abc', 'defgh']);
    expect(word, text).toBe('verify_failed');
    expect(text).toContain(`${target} was done (by input), but it holds a different value now`);
    expect(text).toContain(`and the focus is at ${plain} textbox "Plain". Delivered: yes. Retry: no.`);
    expect(text).toContain(`${target} holds "abc"`);
  });

  test('a window that opens while one types gets no more than what was on its way', async () => {
    const target = await field('Pop');
    const from = await room.mark();
    const { word, text, error } = await room.call('ui_type', { target, text: SENTENCE, method: 'input' });
    const last = (name: string, lines: DiaryLine[]): string => {
      const line = lines.findLast((one) => one.text === name);
      return typeof line?.value === 'string' ? line.value : '';
    };
    // The window that opened may have taken keys before anything in it had the focus.
    const lines = await room.did(from);
    const [pop, thief, typed] = [last('Pop', lines), last('Thief', lines), Number(error?.details?.typed)];
    await room.command('close-second');
    expect({ word, pop: pop.length >= 5, typed: typed <= MOST[toolkit] }, text).toEqual({
      word: 'target_changed',
      pop: true,
      typed: true,
    });
    expect(SENTENCE.slice(0, typed)).toContain(pop);
    expect(SENTENCE.slice(pop.length, typed)).toContain(thief);
    expect(text).toMatch(/The focus left e\d+ after \d+ characters.*Delivered: yes\. Retry: no\./);
  });

  // A dialog of a page is no window of its own.
  const OPENS_WINDOWS = toolkit !== 'chromium';
  test.runIf(OPENS_WINDOWS)(
    'letters with pauses end where the focus left, and the count of typed letters is reported',
    async () => {
      const target = await field('Pop');
      expect((await room.call('ui_set_value', { target, value: '' })).word).toBe('ok');
      const args = { target, text: SENTENCE.slice(0, 60), method: 'input', delayMs: 30 };
      const { word, text, error } = await room.call('ui_type', args);
      const pop = await room.holds('Pop');
      await room.command('close-second');
      expect(word, text).toBe('target_changed');
      expect({ pop, typed: error?.details?.typed }).toEqual({ pop: SENTENCE.slice(0, 5), typed: 5 });
    },
  );

  test.runIf(OPENS_WINDOWS)('nor with a window manager that is slow to show it', async () => {
    const target = await field('Pop');
    expect((await room.call('ui_set_value', { target, value: '' })).word).toBe('ok');
    const manager = managerOf(real.seat.env);
    const slow = once(real, 'focused', 'after', () => {
      process.kill(manager, 'SIGSTOP');
      setTimeout(() => process.kill(manager, 'SIGCONT'), 700);
      return Promise.resolve();
    });
    const { word, text, error } = await room.call('ui_type', { target, text: SENTENCE, method: 'input' });
    slow.end();
    await room.command('close-second');
    expect(word, text).toBe('target_changed');
    expect(error?.details?.typed).toBeLessThanOrEqual(MOST[toolkit]);
  });

  test.runIf(OPENS_WINDOWS)('keys do not run on into a window that opens', async () => {
    const target = await field('Pop');
    expect((await room.call('ui_set_value', { target, value: '' })).word).toBe('ok');
    const { word, text, error } = await room.call('ui_key', { target, keys: 'x '.repeat(200).trim() });
    await room.command('close-second');
    expect(word, text).toBe('target_changed');
    // Each key is checked. The window has the keys when its app has come to it, which may take a busy one more keys.
    const pressed = Number(
      /(?:Keys go to w\d+ \w+ "Stolen" now, not to w\d+|The focus has left textbox "Pop"; .*); (\d+) of 200 keys/.exec(
        text,
      )?.[1],
    );
    expect(pressed, text).toBeGreaterThan(0);
    expect(pressed, text).toBeLessThan(100);
    expect(error).toMatchObject({ delivered: 'yes', details: { pressed } });
  });

  test('a button that closes its window', async () => {
    const from = await room.mark();
    expect((await room.call('ui_click', { target: await room.button('Open second') })).word).toBe('ok');
    const { word, text } = await room.call('ui_click', { target: 'button:"Close me"' });
    expect({ word, text }).toEqual({ word: 'ok', text });
    expect(await room.did(from)).toEqual([{ clicked: 'Open second' }, { clicked: 'Close me' }, { closed: 'Second' }]);
  });

  test.each([
    ['between snapshot and act', undefined, 'input'],
    ['at the last moment, by pattern', 'act', 'pattern'],
    ['at the last moment, by input', 'atPoint', 'input'],
  ] as const)('a window that closes itself %s', async (_, last, method) => {
    await room.command('second');
    const target = await until('its button', async () => {
      const snapshot = await real.snapshot({ window: '*' });
      return [...everyElement(snapshot)].find(({ name }) => name === 'Close me')?.ref;
    });
    const from = await room.mark();
    const close = (): Promise<void> => room.command('close-second');
    const happens = last && once(real, last, last === 'act' ? 'before' : 'after', close);
    if (!last) await close();
    const { word, text, delivered } = await room.call('ui_click', { target, method, timeoutMs: 1_000 });
    if (happens) happens.end();
    expect({ word, delivered }, text).toEqual({ word: 'stale_ref', delivered: 'no' });
    expect(clicks(await room.did(from))).toEqual([]);
  });

  test.each(METHODS)('an app that hangs on a click, by %s', async (method) => {
    const from = await room.mark();
    const other = await FixtureApp.start('act-gtk3.py', real.seat.env);
    try {
      const save = await until('the other app', async () => {
        const { windows } = await real.desktop.listWindows(soon());
        const window = windows.find(({ pid, active }) => pid === other.pid && active);
        if (!window) return undefined;
        const snapshot = await real.snapshot({ window: window.ref });
        return [...everyElement(snapshot)].find(({ role, name }) => role === 'button' && name === 'Save')?.ref;
      });
      if (method === 'input') await room.call('ui_window', { action: 'front', window: room.window });
      const target = await room.button('Hang');
      const reads = method === 'input' ? readBeforeRelease(room.window) : undefined;
      const hanging = room.call('ui_click', { target, method }).finally(() => reads?.end());
      // Its turn comes after that, in time.
      const next = await room.call('ui_click', { target: save, timeoutMs: 30_000 }, 'another caller');
      const { word, text, delivered } = await hanging;
      // A page hangs by itself: its browser goes on answering, and cannot say more than that nothing changed.
      const expected = toolkit === 'chromium' ? ['no change', 'yes'] : ['app_hung', 'unknown'];
      // The browser draws its active window, or the pressed button, before the page hangs.
      const isLook = toolkit === 'chromium' && word === 'unconfirmed' && /only the look of|redraws it/.test(text);
      // Chromium drops the sign-in text of its own profile button when it likes. No other change is accepted.
      const isProfileButton = /Changed:\n~ e\d+ button "[^"\n]*" \(was named "Sign in to Chromium\?"\)$/.test(text);
      const said = isLook || (toolkit === 'chromium' && isProfileButton) ? 'no change' : word;
      expect([said, delivered], text).toEqual(expected);
      if (word === 'app_hung')
        expect(text).toMatch(/the click was sent.*Delivered: unknown\. Retry: no\.\n(log: [^\n]+\n)?next: /);
      expect(next.word, next.text).toMatch(/^(ok|no change)$/);
      await other.wait('the click', ({ clicked }) => clicked === 'Save', 0);
      await room.letGo();
      await until('it to go on', async () => clicks(await room.did(from)).length > 0);
      expect(clicks(await room.did(from))).toEqual(['Hang']);
    } finally {
      await other.end();
      await room.letGo();
    }
  });
});
