// @module-tag safety

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { LiarRoom, once, TOOLKITS, type Toolkit } from './support/liar-room.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

/** What a caller hears, and what the app wrote down: all of it, nothing else. */
interface Truth {
  /** The status, or the code of the refusal. */
  word: RegExp;
  says?: RegExp;
  diary: DiaryLine[];
}

interface Lie {
  name: string;
  /** Read before the change. */
  target: (room: LiarRoom) => Promise<string>;
  args?: Record<string, unknown>;
  /** Between the snapshot and the act. */
  between?: string;
  /** After the app was found ready, with the act about to go out; the driver's last question before it. */
  atLast?: [method: 'atPoint' | 'act', line: string];
  /** While the act waits. */
  meanwhile?: string;
  /** On a busy machine its app may do nothing for a while, so that it is not as it should be, and is rightly clicked. */
  mayPause?: boolean;
  /** A toolkit that is not named is one of the others. */
  truth: Truth | (Partial<Record<Toolkit, Truth | Truth[]>> & { others: Truth });
  after?: string;
}

const BY_PATTERN = { method: 'pattern', timeoutMs: 400 };
const BY_INPUT = { method: 'input', timeoutMs: 600 };
const PATIENT = { method: 'input', timeoutMs: 10_000 };
const nothing = (word: RegExp, says?: RegExp): Truth => ({ word, ...(says && { says }), diary: [] });
/** What else changed in the app at that moment may count as its effect. */
/** These buttons show no effect. By mouse, their look may change: under the pointer, with the focus. */
const DONE = /^(ok|no change|unconfirmed)$/;
const clicked = (name: string): Truth => ({ word: DONE, diary: [{ clicked: name }] });
const NOT_READY = /^not_ready$/;
const STALE = /^stale_ref$/;
/**
 * The item is gone from its widget, which is called after another one by now. Chromium reports that a while after it was
 * done: it may show in the snapshot, or only at the precheck.
 */
const ANOTHER = /^(stale_ref|target_changed)$/;
const OUT_OF_SIGHT = nothing(NOT_READY, /is not on the screen|is hidden|is covered by/);
const UNSUPPORTED = nothing(/^pattern_unsupported$/);
const third = clicked('Delete item 3');
const button = (name: string) => (room: LiarRoom) => room.button(name);
/** Something in a row of the list. */
const inRow = (n: number) => (room: LiarRoom) =>
  room.toolkit === 'qt' ? room.ref(/^listitem$/, `item ${n}`) : room.button(`Delete item ${n}`);

const COVERED =
  /button "Under" in w\d+ is covered by (button|text) "Lid" at its click point\. Delivered: no\. Retry: safe\./;
const RENAMED =
  /button was called "Pay" and is called "Refund" now\. Delivered: no\. Retry: no\.\n(log: [^\n]+\n)?next: run ui_snapshot w\d+ again\./;
const LET_GO_ELSEWHERE = /the button was pressed and released elsewhere\. Delivered: unknown\. Retry: no\./;
const GONE = /is gone( since s\d+)?\. Delivered: no\. Retry: no\./;

const LIES: Lie[] = [
  {
    name: 'covered by another widget',
    target: button('Under'),
    args: BY_INPUT,
    between: 'cover',
    truth: nothing(NOT_READY, COVERED),
    after: 'uncover',
  },
  {
    name: 'covered at the last moment',
    target: button('Under'),
    args: BY_INPUT,
    atLast: ['atPoint', 'cover'],
    truth: nothing(NOT_READY, COVERED),
    after: 'uncover',
  },
  {
    name: 'covered, and uncovered in time',
    target: button('Under'),
    args: PATIENT,
    between: 'cover',
    atLast: ['atPoint', 'uncover'],
    truth: clicked('Under'),
  },
  {
    name: 'disabled, by pattern',
    target: button('Pay'),
    args: BY_PATTERN,
    between: 'disable Pay',
    truth: nothing(NOT_READY, /is disabled/),
    after: 'enable Pay',
  },
  {
    name: 'disabled, by input',
    target: button('Pay'),
    args: BY_INPUT,
    between: 'disable Pay',
    truth: nothing(NOT_READY, /is disabled/),
    after: 'enable Pay',
  },
  {
    name: 'disabled at the last moment, by pattern',
    target: button('Pay'),
    args: BY_PATTERN,
    atLast: ['act', 'disable Pay'],
    truth: nothing(NOT_READY, /is disabled/),
    after: 'enable Pay',
  },
  {
    name: 'disabled at the last moment, by input',
    target: button('Pay'),
    args: BY_INPUT,
    atLast: ['atPoint', 'disable Pay'],
    truth: nothing(NOT_READY, /is disabled/),
    after: 'enable Pay',
  },
  {
    name: 'disabled, and enabled in time',
    target: button('Pay'),
    args: { timeoutMs: 10_000 },
    between: 'disable Pay',
    meanwhile: 'enable Pay',
    truth: clicked('Pay'),
  },
  {
    name: 'moving',
    target: button('Runner'),
    args: BY_INPUT,
    between: 'run',
    mayPause: true,
    truth: nothing(NOT_READY, /is (moving|covered by group at its click point)\. Delivered: no/),
    after: 'halt',
  },
  {
    name: 'moving, and still in time',
    target: button('Runner'),
    args: PATIENT,
    between: 'run',
    meanwhile: 'halt',
    truth: clicked('Runner'),
  },
  {
    name: 'moved at the last moment',
    target: button('Runner'),
    args: PATIENT,
    atLast: ['atPoint', 'step'],
    truth: clicked('Runner'),
  },
  {
    name: 'called otherwise, by pattern',
    target: button('Pay'),
    args: BY_PATTERN,
    between: 'rename Pay Refund',
    truth: nothing(/^target_changed$/, RENAMED),
    after: 'rename Pay Pay',
  },
  {
    name: 'called otherwise, by input',
    target: button('Pay'),
    args: BY_INPUT,
    between: 'rename Pay Refund',
    truth: nothing(/^target_changed$/, RENAMED),
    after: 'rename Pay Pay',
  },
  {
    name: 'called otherwise at the last moment, by pattern',
    target: button('Pay'),
    args: BY_PATTERN,
    atLast: ['act', 'rename Pay Refund'],
    truth: nothing(/^target_changed$/, RENAMED),
    after: 'rename Pay Pay',
  },
  {
    name: 'called otherwise at the last moment, by input',
    target: button('Pay'),
    args: BY_INPUT,
    atLast: ['atPoint', 'rename Pay Refund'],
    truth: nothing(/^target_changed$/, RENAMED),
    after: 'rename Pay Pay',
  },
  {
    name: 'replaced by another of the same name, by pattern',
    target: button('Twin'),
    args: BY_PATTERN,
    between: 'replace',
    truth: nothing(STALE, GONE),
  },
  {
    name: 'replaced by another of the same name, by input',
    target: button('Twin'),
    args: BY_INPUT,
    between: 'replace',
    truth: nothing(STALE, GONE),
  },
  {
    name: 'replaced at the last moment, by pattern',
    target: button('Twin'),
    args: BY_PATTERN,
    atLast: ['act', 'replace'],
    truth: nothing(STALE, GONE),
  },
  {
    name: 'replaced at the last moment, by input',
    target: button('Twin'),
    args: BY_INPUT,
    atLast: ['atPoint', 'replace'],
    truth: nothing(STALE, GONE),
  },
  {
    name: 'in a list that was scrolled, by pattern',
    target: inRow(3),
    args: BY_PATTERN,
    between: 'scroll 40',
    truth: { gtk3: third, gtk4: third, qt: UNSUPPORTED, others: nothing(ANOTHER) },
    after: 'scroll 1',
  },
  {
    name: 'in a list that was scrolled, by input',
    target: inRow(3),
    args: BY_INPUT,
    between: 'scroll 40',
    truth: { gtk3: OUT_OF_SIGHT, gtk4: OUT_OF_SIGHT, qt: OUT_OF_SIGHT, others: nothing(ANOTHER) },
    after: 'scroll 1',
  },
  {
    name: 'in a list that is scrolled at the last moment, by pattern',
    target: inRow(3),
    args: BY_PATTERN,
    atLast: ['act', 'scroll 40'],
    truth: { gtk3: third, gtk4: third, qt: UNSUPPORTED, others: nothing(ANOTHER) },
    after: 'scroll 1',
  },
  {
    name: 'in a list that is scrolled at the last moment, by input',
    target: inRow(3),
    args: BY_INPUT,
    atLast: ['atPoint', 'scroll 40'],
    truth: { gtk3: OUT_OF_SIGHT, gtk4: OUT_OF_SIGHT, qt: OUT_OF_SIGHT, others: nothing(ANOTHER) },
    after: 'scroll 1',
  },
  {
    name: 'in a list that was sorted, by pattern',
    target: inRow(3),
    args: BY_PATTERN,
    between: 'sort',
    truth: { gtk3: third, gtk4: third, chromium: nothing(ANOTHER), others: nothing(STALE, GONE) },
    after: 'sort',
  },
  {
    name: 'in a list that was sorted, by input',
    target: inRow(3),
    args: BY_INPUT,
    between: 'sort',
    truth: { gtk3: OUT_OF_SIGHT, gtk4: third, chromium: nothing(ANOTHER), others: nothing(STALE, GONE) },
    after: 'sort',
  },
  {
    name: 'in a list that is sorted at the last moment, by pattern',
    target: inRow(3),
    args: BY_PATTERN,
    atLast: ['act', 'sort'],
    truth: { gtk3: third, gtk4: third, qt: UNSUPPORTED, others: nothing(ANOTHER) },
    after: 'sort',
  },
  {
    name: 'in a list that is sorted at the last moment, by input',
    target: inRow(3),
    args: BY_INPUT,
    atLast: ['atPoint', 'sort'],
    // GTK 4 brings the row back into sight while there is time: then it is found there.
    truth: { gtk3: OUT_OF_SIGHT, gtk4: [OUT_OF_SIGHT, third], others: nothing(ANOTHER) },
    after: 'sort',
  },
];

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop({ width: 1400, height: 1000 });
});
afterAll(() => real?.stop());

describe.each(TOOLKITS)('a target in %s that is', (toolkit) => {
  let room: LiarRoom;
  let from = 0;
  beforeAll(async () => {
    room = await LiarRoom.open(real, toolkit);
  });
  afterAll(() => room?.end());

  /** Whether the change happened as planned: the act reached that moment, and the app did not pause. */
  const tell = async (lie: Lie): Promise<boolean> => {
    const target = await lie.target(room);
    if (lie.between) await room.command(lie.between);
    from = await room.mark();
    const [method, line] = lie.atLast ?? [];
    const last = method && once(real, method, method === 'act' ? 'before' : 'after', () => room.command(line!));
    const soonAfter = lie.meanwhile && once(real, 'read', 'after', () => room.command(lie.meanwhile!));
    const reached = (): boolean => !last || last.happened();
    try {
      const answer = await room.call('ui_click', { target, window: room.window, ...lie.args });
      const truths = [lie.truth].flatMap((truth) => ('others' in truth ? (truth[toolkit] ?? truth.others) : truth));
      const least = Math.min(...truths.map((one) => one.diary.length));
      // A busy app receives input a moment later than we receive its other events.
      const diary = await until(`what it did: ${answer.text}`, async () => {
        const lines = await room.did(from);
        return lines.length >= least || LET_GO_ELSEWHERE.test(answer.text) ? lines : undefined;
      });
      if (lie.mayPause && diary.length === 1 && diary[0]!.clicked === 'Runner') return false;
      const truth = truths.find((one) => one.diary.length === diary.length) ?? truths[0]!;
      // It was noticed after the button went down. What an app does on a press is unknown, but no click was completed.
      if (LET_GO_ELSEWHERE.test(answer.text)) {
        expect({ diary, word: answer.word, delivered: answer.delivered }, answer.text).toEqual({
          diary: [],
          word: 'not_ready',
          delivered: 'unknown',
        });
        return reached();
      }
      expect({ text: answer.text, diary }).toEqual({ text: answer.text, diary: truth.diary });
      expect(answer.word, answer.text).toMatch(truth.word);
      if (truth.says) expect(answer.text).toMatch(truth.says);
      expect(answer.delivered).toBe(diary.length > 0 ? 'yes' : 'no');
      return reached();
    } finally {
      if (last) last.end();
      if (soonAfter) soonAfter.end();
      if (lie.after && reached()) await room.command(lie.after);
    }
  };

  test.each(LIES.map((lie): [string, Lie] => [lie.name, lie]))('%s', async (_, lie) => {
    // A browser may report only now what was done to its list before, and the act is refused for that, before its last
    // moment: rightly, and it says nothing about this lie. An app on a busy machine may pause five times in a row.
    const most = lie.mayPause ? 20 : toolkit === 'chromium' ? 5 : 1;
    for (let tries = 1; !(await tell(lie)); tries++) expect(tries).toBeLessThan(most);
  });

  test('replaced: by its selector the new one is meant', async () => {
    await room.button('Twin');
    await room.command('replace');
    from = await room.mark();
    const { word, text } = await room.call('ui_click', { target: 'button:Twin', window: room.window });
    expect(word, text).toMatch(DONE);
    const [line, ...more] = await room.did(from);
    expect({ line, more }).toMatchObject({ line: { clicked: 'Twin' }, more: [] });
  });

  test('covered by another window', async () => {
    const target = await room.button('Pay');
    const cover = await FixtureApp.start('gtk3.py', real.seat.env, ['--bystander']);
    try {
      const { ref } = await until('the cover', async () => {
        const { windows } = await real.desktop.listWindows(soon());
        return windows.find(({ pid, active }) => pid === cover.pid && active);
      });
      const windows = (await real.desktop.listWindows(soon())).windows;
      const place = windows.find((window) => window.ref === room.window)!.bounds!;
      await room.call('ui_window', { action: 'resize', window: ref, width: place.width, height: place.height });
      await room.call('ui_window', { action: 'move', window: ref, x: place.x, y: place.y });
      from = await room.mark();
      const { word, text } = await room.call('ui_click', { target, ...BY_INPUT });
      expect(word).toBe('not_ready');
      expect(text).toMatch(
        new RegExp(
          `is covered by ${ref} window "[^"]+" at its click point\\. Delivered: no\\. Retry: after closing or moving ${ref}\\.`,
        ),
      );
      expect(await room.did(from)).toEqual([]);
      // What its app offers needs no mouse, and meets no cover.
      expect((await room.call('ui_click', { target, method: 'pattern' })).word).toMatch(/^(ok|no change)$/);
      expect(await room.did(from)).toEqual([{ clicked: 'Pay' }]);
      expect((await room.call('ui_window', { action: 'front', window: room.window })).word).toBe('ok');
      expect((await room.call('ui_click', { target, ...PATIENT })).word).toMatch(DONE);
      expect(await room.did(from)).toEqual([{ clicked: 'Pay' }, { clicked: 'Pay' }]);
    } finally {
      await cover.end();
    }
  });
});
