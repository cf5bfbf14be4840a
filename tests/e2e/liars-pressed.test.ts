// @module-tag safety

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ActStep, Checkpoint } from '../../src/drivers/contract/index.js';
import type { Point } from '../../src/tree/index.js';
import { FixtureApp, type DiaryLine } from '../conformance/fixture-app.js';
import { LiarRoom, TOOLKITS } from './support/liar-room.js';
import { openRealDesktop, soon, type RealDesktop } from './support/real-desktop.js';
import { until } from './support/seat-room.js';

// What becomes another one with the mouse button down on it: the button is let go of elsewhere, and where that is may
// itself become the place of what was pressed (an app reports a change before it lays it out).

let real: RealDesktop;
beforeAll(async () => {
  real = await openRealDesktop({ width: 1400, height: 1000 });
});
afterAll(() => real?.stop());

const CALLED_OFF = /changed while the mouse button went down on it; .* Delivered: unknown\. Retry: no\./;

describe.each(TOOLKITS)('%s', (toolkit) => {
  let room: LiarRoom;
  beforeAll(async () => {
    room = await LiarRoom.open(real, toolkit);
  });
  afterAll(() => room?.end());

  test('a button that is renamed while it is pressed, and lies where it was to be let go of, is not clicked', async () => {
    const target = await room.button('Pay');
    const from = await room.mark();
    const places: (Point | undefined)[] = [];
    const end = pressing(real, {
      onPressed: async (pointer) => {
        if (!pointer) await room.command('rename Pay Refund');
      },
      decide: (at, pointer, decided) => {
        places.push(decided);
        // As if the app had laid out the button's new name only now: it is still under the pointer.
        return pointer || !decided ? decided : { x: at.x + 1, y: at.y };
      },
    });
    try {
      const { word, text } = await room.call('ui_click', { target, method: 'input', timeoutMs: 3_000 });
      expect({ word, places }, text).toEqual({
        word: 'not_ready',
        places: [expect.anything(), expect.anything(), undefined],
      });
      expect(text).toMatch(CALLED_OFF);
      expect(await room.did(from)).toEqual([]);
    } finally {
      end();
      await room.command('rename Pay Pay');
    }
    const again = await room.call('ui_click', { target: await room.button('Pay'), method: 'input' });
    // By mouse, the look of the button may change.
    expect(again.word, again.text).toMatch(/^(ok|no change|unconfirmed)$/);
    expect(await room.did(from)).toEqual([{ clicked: 'Pay' }]);
  });

  describe('a button that means something else after its first press', () => {
    const presses: [string, string, Record<string, unknown>][] = [
      ['double click', 'ui_click', { count: 2, method: 'input' }],
      ['triple click', 'ui_click', { count: 3, method: 'input' }],
      ['keys', 'ui_key', { keys: 'Space Space' }],
    ];
    test.each(presses)('%s: is pressed once', async (_, tool, args) => {
      const target = await room.button('Next');
      const from = await room.mark();
      try {
        const { word, text, delivered } = await room.call(tool, { target, ...args, timeoutMs: 3_000 });
        expect({ word, delivered }, text).toEqual({ word: 'target_changed', delivered: 'yes' });
        expect(text).toMatch(/is called "Send" now; 1 of [23] (clicks|keys) (was|were) (sent|pressed)\b/);
        expect(clicksIn(await room.did(from))).toEqual(['Next']);
      } finally {
        await room.command('rename Next Next');
      }
    });

    test('by a point: is pressed once', async () => {
      const bounds = await room.boundsOf(await room.button('Next'));
      const at = { x: Math.round(bounds.x + bounds.width / 2), y: Math.round(bounds.y + bounds.height / 2) };
      const from = await room.mark();
      try {
        const { word, text, delivered } = await room.call('ui_click_xy', { ...at, count: 2, timeoutMs: 3_000 });
        expect({ word, delivered }, text).toEqual({ word: 'target_changed', delivered: 'yes' });
        expect(clicksIn(await room.did(from))).toEqual(['Next']);
      } finally {
        await room.command('rename Next Next');
      }
    });
  });

  test.each([
    ['words', 'abc d e f'],
    ['one line after another', 'abc\nd'],
  ])('a field that passes the focus on to a button in the middle of %s presses nothing', async (_, text) => {
    const target = await room.ref(/^textbox$/, 'Hop');
    await room.call('ui_set_value', { target, value: '' });
    const from = await room.mark();
    const answer = await room.call('ui_type', { target, text, method: 'input', timeoutMs: 3_000 });
    expect(answer.word, answer.text).toBe('target_changed');
    expect(answer.text).toMatch(/The focus left e\d+ after 3 characters\b/);
    expect(await room.holds('Hop')).toBe('abc');
    expect(clicksIn(await room.did(from))).toEqual([]);
  });

  // The app gives the elements each other's names while it handles the press, before it acts on it.
  test.each<[string, string, [RegExp, string]]>([
    [
      'a list whose rows',
      'slip',
      toolkit === 'chromium' ? [/^(option|listitem)$/, 'pick 3'] : [/^listitem$/, 'item 3'],
    ],
    ['check boxes that', 'swap', [/^checkbox$/, 'Tick']],
  ])("%s take each other's texts during the press: what was hit is named", async (_, command, [role, name]) => {
    const target = await room.ref(role, name);
    const from = await room.mark();
    await room.command(command);
    const { word, text, delivered } = await room.call('ui_click', { target, method: 'input', timeoutMs: 3_000 });
    const hit = (await room.did(from)).flatMap(({ selected, toggled }) => selected ?? toggled ?? []);
    expect(hit).toEqual([{ 'item 3': 'item 58', 'pick 3': 'pick 2', Tick: 'Tock' }[name]]);
    expect({ word, delivered }, text).toEqual({ word: 'target_changed', delivered: 'yes' });
    expect(text).toContain(`its effect shows on e`);
    expect(text).toContain(JSON.stringify(hit[0]));
  });
});

const clicksIn = (lines: DiaryLine[]): unknown[] => lines.flatMap((line) => ('clicked' in line ? [line.clicked] : []));

describe('what reaches from edge to edge of the screen and is another one as soon as it is pressed', () => {
  test.each<[string, string[], object, RegExp]>([
    ['is let go of below', [], {}, /released elsewhere\. Delivered: unknown\. Retry: no\./],
    [
      'and from top to bottom, is clicked, and that is reported',
      ['--everywhere'],
      { clicked: 'Delete everything' },
      /released on the element that is there now, which covers every point nearby\. Delivered: yes\. Retry: no\./,
    ],
  ])('%s', async (_, options, done, says) => {
    const app = await FixtureApp.start('edge.py', real.seat.env, options);
    try {
      const window = await until('its window', async () => {
        const { windows } = await real.desktop.listWindows(soon());
        return windows.find(({ pid, active, bounds }) => pid === app.pid && active && bounds!.width === 1400)?.ref;
      });
      const said = await real.failure('ui_click', { target: 'button:"Open report"', window, method: 'input' });
      expect(said).toMatch(says);
      const clicks = await until('what was done', () => {
        const lines = app.diary.filter((line) => 'clicked' in line);
        return lines.length === Object.keys(done).length && lines;
      });
      expect(clicks).toEqual('clicked' in done ? [done] : []);
    } finally {
      await app.end();
    }
  });
});

interface Pressing {
  /** The button is down, and the runtime does not know it yet. */
  onPressed: (pointer: Point | undefined) => Promise<void>;
  /** Where the button is released instead of where the runtime has decided. */
  decide: (at: Point, pointer: Point | undefined, decided: Point | undefined) => Point | undefined;
}

/** Stands between the runtime and the driver at the checkpoint `pressed`. */
function pressing({ desktop }: RealDesktop, { onPressed, decide }: Pressing): () => void {
  const { driver } = desktop;
  const input = driver.input!;
  const click = input.click.bind(input);
  const resume = driver.resume!.bind(driver);
  let clickedAt: Point;
  let last: Checkpoint | undefined;
  const follow = async <T>(step: ActStep<T>): Promise<ActStep<T>> => {
    last = 'checkpoint' in step ? step.checkpoint : undefined;
    if (last?.at === 'pressed') await onPressed(last.pointer);
    return step;
  };
  input.click = async (at, options) => {
    clickedAt = at;
    return follow(await click(at, options));
  };
  driver.resume = async (token, decision, options) => {
    if (last?.token !== token || last.at !== 'pressed') return follow(await resume(token, decision, options));
    const decided = typeof decision === 'object' ? decision.releaseAt : undefined;
    const releaseAt = decide(clickedAt, last.pointer, decided);
    return follow(await resume(token, releaseAt ? { releaseAt } : 'proceed', options));
  };
  return () => {
    input.click = click;
    driver.resume = resume;
  };
}
