import { expect } from 'vitest';
import { until } from '../../case.js';
import { expectDiary, type ToolCase } from '../row.js';
import type { ToolStage } from '../tool-stage.js';

/** Half a second is the aim; a busy machine gets more, and the number is printed. */
const READ_MS = 10_000;
const TOO_SOON_MS = 1_000;

/** The dialog as it is read, and how long after the answer to the act that was. */
async function readDialog(stage: ToolStage, has: RegExp): Promise<string> {
  const answered = performance.now();
  return until(
    'the dialog to be read',
    async () => {
      const snapshot = await stage.call('ui_snapshot', { window: '*' });
      expect(snapshot.code, snapshot.text).toBeUndefined();
      expect(snapshot.text).not.toMatch(/does not answer/);
      if (!has.test(snapshot.text)) return false;
      console.info(`${stage.toolkit}: a dialog was read ${Math.round(performance.now() - answered)} ms after the act`);
      // Chromium's dialogs ignore all presses at first, because a user cannot have meant them.
      if (isPage(stage)) await new Promise((resolve) => setTimeout(resolve, TOO_SOON_MS));
      return snapshot.text;
    },
    READ_MS,
  );
}

const ASKED = { clicked: 'Ask…' };
/** A page's dialog belongs to the browser's window, has other words, and holds up the page's diary. */
const isPage = ({ toolkit }: ToolStage): boolean => toolkit === 'chromium';
const YES = 'button:Yes ?? button:OK';

export const DIALOGS: ToolCase[] = [
  {
    name: 'dialog: opened by pattern it is reported and read at once, the app does not count as hung, and the dialog is answered',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const opened = await stage.call('ui_click', { target: 'button:Ask…', settleMs: 5_000, timeoutMs: 15_000 });
      expect(opened.json, opened.text).toMatchObject({ status: 'ok', method: 'pattern', changed: 'yes' });
      expect(opened.text).toMatch(/\+ (w\d+ (alert)?dialog "Question"|e\d+ dialog "[\d.:]+ says")/);
      if (!isPage(stage)) {
        expect(opened.text).toMatch(/w\d+ is active now\./);
        expect(opened.json.activated).toMatch(/^w\d+$/);
      }
      await readDialog(stage, /button[^\n]*"(Yes|OK)"/);
      const answered = await stage.call('ui_click', { target: YES, settleMs: 5_000, timeoutMs: 15_000 });
      expect(answered.json, answered.text).toMatchObject({ status: 'ok', method: 'pattern' });
      await expectDiary(stage, [...(isPage(stage) ? [] : [ASKED]), { dialog: 'Question', answer: 'Yes' }]);
    },
  },
  {
    name: 'dialog: what is behind it is not_ready, and is ready when it is closed',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      await stage.call('ui_click', { target: 'button:Ask…', settleMs: 5_000, timeoutMs: 15_000 });
      await readDialog(stage, /button[^\n]*"(Yes|OK)"/);
      const behind = await stage.call('ui_click', { target: 'button:Save', timeoutMs: 600 });
      expect(behind.code).toMatch(/^(not_ready|element_not_found)$/);
      expect(behind.delivered).toBe('no');
      const waiting = stage.call('ui_click', { target: 'button:Save', timeoutMs: 30_000 });
      await stage.xdotool('key', 'Escape');
      expect((await waiting).json).toMatchObject({ delivered: 'yes' });
      const answer = isPage(stage) ? 'No' : 'closed';
      const lines = (await stage.diary()).map((line) => line.clicked ?? line.answer);
      const given = ['No', 'closed'].includes(String(lines.at(-2))) ? lines.at(-2) : answer;
      expect(lines).toEqual([...(isPage(stage) ? [] : ['Ask…']), given, 'Save']);
    },
  },
  {
    name: 'dialog: an item of a closed menu opens it too',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const opened = await stage.call('ui_click', { target: 'menuitem:Question…', settleMs: 5_000, timeoutMs: 5_000 });
      expect(opened.json, opened.text).toMatchObject({ status: 'ok', method: 'pattern' });
      await readDialog(stage, /button[^\n]*"Yes"/);
      await stage.call('ui_click', { target: YES, timeoutMs: 15_000 });
      await expectDiary(stage, [{ dialog: 'Question', answer: 'Yes' }]);
    },
  },
  {
    name: 'dialog: an alert of a page is read and closed',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const opened = await stage.call('ui_click', { target: 'button:Alert', settleMs: 5_000, timeoutMs: 5_000 });
      expect(opened.json, opened.text).toMatchObject({ status: 'ok', method: 'pattern' });
      await readDialog(stage, /"Hear this"/);
      const closed = await stage.call('ui_click', { target: 'button:OK', settleMs: 5_000, timeoutMs: 15_000 });
      expect(closed.json, closed.text).toMatchObject({ status: 'ok' });
      await expectDiary(stage, [{ heard: true }]);
    },
  },
];
