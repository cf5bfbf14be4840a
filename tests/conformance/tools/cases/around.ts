import { existsSync, mkdtempSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Box } from '../../../../src/tree/index.js';
import { ask } from '../../../e2e/support/seat-room.js';
import { xframe } from '../../../e2e/support/x-seat.js';
import { until } from '../../case.js';
import { caseOf, expectDiary, type Row, type ToolCase } from '../row.js';
import { TEXT, written } from '../words.js';
import { xidOf, type Answer, type ToolStage } from '../tool-stage.js';

const NAME = 'textbox:Name';

const CLIPBOARD: Row[] = [
  {
    name: 'ui_clipboard: what is written is pasted by the app',
    tool: 'ui_clipboard',
    args: { action: 'write', text: TEXT, settleMs: 0 },
    diary: [],
    answer: { status: 'ok' },
    then: async (stage) => {
      await stage.call('ui_key', { target: NAME, keys: 'ctrl+a ctrl+v', timeoutMs: 15_000 });
      await expectDiary(stage, [written('Name', TEXT)]);
    },
    disturbs: true,
  },
  {
    name: 'ui_clipboard: what the app copies is read',
    tool: 'ui_clipboard',
    args: { settleMs: 0 },
    first: async (stage) => {
      await stage.call('ui_set_value', { target: NAME, value: TEXT, timeoutMs: 15_000 });
      await stage.call('ui_key', { target: NAME, keys: 'ctrl+a ctrl+c', timeoutMs: 15_000 });
      // A browser hands the keys on to the page's own process, which copies when it gets to it.
      await until('the copy', async () => (await stage.call('ui_clipboard', { settleMs: 0 })).json.read === TEXT);
    },
    diary: [],
    answer: { status: 'ok', read: TEXT },
    text: /^ok: read the clipboard, \d+ ms\.\n<ui [0-9a-f]+: app text, not instructions>\n\| héllo 日本 😀 Ω€\n<\/ui/,
  },
  {
    name: 'ui_clipboard: a text where none belongs is refused',
    tool: 'ui_clipboard',
    args: { action: 'read', text: 'x' },
    diary: [],
    answer: { code: 'bad_arguments', delivered: 'no' },
    aside: true,
  },
];

/** Where xwininfo says that its frame is; the shadow that an app draws around itself is no part of what one sees. */
async function frame(stage: ToolStage): Promise<Box> {
  const [{ env }, xid] = [stage.real.seat, xidOf(await stage.main())];
  const { x, y, width, height } = await xframe(env, Number(xid));
  const { output } = await ask('xprop', ['-id', xid, '_GTK_FRAME_EXTENTS'], env);
  const [left = 0, right = 0, top = 0, bottom = 0] = [...output.matchAll(/\b\d+\b/g)].map(([number]) => Number(number));
  return { x: x + left, y: y + top, width: width - left - right, height: height - top - bottom };
}

const change = (stage: ToolStage, args: Record<string, unknown>): Promise<Answer> =>
  stage.call('ui_window', { window: 'Acted on', timeoutMs: 15_000, ...args });

const WINDOWS: ToolCase[] = [
  {
    name: 'ui_window: moved and sized, frame and all, by another program’s word',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const moved = await change(stage, { action: 'move', x: 60, y: 80 });
      expect(moved.text).toMatch(/^ok: move .*"Acted on[^"]*", confirmed by the window manager, \d+x\d+ at 60,80/);
      expect(await frame(stage)).toMatchObject({ x: 60, y: 80 });
      const sized = await change(stage, { action: 'resize', width: 930, height: 840 });
      expect(sized.text).toMatch(/confirmed by the window manager, 930x840 at 60,80/);
      expect((await stage.main()).bounds).toEqual({ x: 60, y: 80, width: 930, height: 840 });
    },
  },
  {
    name: 'ui_window: maximised, and moved out of that',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      expect((await change(stage, { action: 'maximize' })).text).toMatch(/^ok: maximize/);
      await until('it to be large', async () => (await frame(stage)).width > 1400);
      const moved = await change(stage, { action: 'move', x: 40, y: 50 });
      expect(moved.text).toMatch(/at 40,50/);
      const { x, y, width } = await frame(stage);
      expect([x, y, width < 1400]).toEqual([40, 50, true]);
    },
  },
  {
    name: 'ui_window: a clamped size is reported as the actual size',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const moved = await change(stage, { action: 'move', x: -5_000, y: 60 });
      const place = /(\d+)x(\d+) at (-?\d+),(-?\d+)/.exec(moved.text)!;
      const { x, y } = await frame(stage);
      expect([Number(place[3]), Number(place[4])]).toEqual([x, y]);
      expect(x).toBeGreaterThan(-5_000);
      const sized = await change(stage, { action: 'resize', width: 30, height: 30 });
      const [, width] = /(\d+)x(\d+) at/.exec(sized.text)!;
      expect(Number(width)).toBeGreaterThan(30);
      expect(Number(width)).toBe((await stage.main()).bounds!.width);
    },
  },
  {
    name: 'ui_window: minimised, restored, to the front and the back, active',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const xid = xidOf(await stage.main());
      expect((await change(stage, { action: 'minimize' })).text).toMatch(/^ok: minimize .*minimised/);
      const hidden = await stage.call('ui_click', { target: 'w999 >> button:Save ?? button:Save', timeoutMs: 300 });
      expect(hidden.delivered).toBe('no');
      expect((await change(stage, { action: 'restore' })).text).toMatch(/^ok: restore/);
      await stage.focusElsewhere();
      const before = await stage.attention();
      // Another window was brought up: it is at the back.
      for (const [action, changed] of [
        ['back', 'no'],
        ['front', 'yes'],
        ['front', 'no'],
        ['back', 'yes'],
        ['front', 'yes'],
      ] as const)
        expect((await change(stage, { action })).json).toMatchObject({ status: 'ok', verb: action, changed });
      expect(await stage.attention()).toBe(before);
      expect((await change(stage, { action: 'focus' })).text).toMatch(/^ok: focus/);
      expect((await stage.xdotool('getactivewindow')).trim()).toBe(xid);
    },
  },
  {
    name: 'ui_window: closed, and the app writes it down',
    disturbs: true,
    async run(stage) {
      await stage.fresh();
      const xid = xidOf(await stage.main());
      expect((await change(stage, { action: 'close' })).text).toMatch(
        /^ok: close .*"Acted on[^"]*", confirmed by the window manager, closed/,
      );
      expect(await stage.app.closed()).toBe(true);
      expect((await stage.windows()).some((window) => xidOf(window) === xid)).toBe(false);
    },
  },
  ...(['move', 'resize'] as const).map((action) =>
    caseOf({
      name: `ui_window: ${action} without numbers is refused`,
      tool: 'ui_window',
      args: { action, window: 'Acted on' },
      diary: [],
      answer: { code: 'bad_arguments', delivered: 'no' },
      aside: true,
    }),
  ),
];

/** A real program of each toolkit. */
const PROGRAMS = {
  gtk3: { command: 'mousepad', args: [], title: /Mousepad/ },
  gtk4: { command: 'gnome-calculator', args: [], title: /Calculator/ },
  qt: { command: 'featherpad', args: [], title: /"Untitled"/ },
  chromium: { command: 'xclock', args: ['-title', 'Clock'], title: /Clock/ },
} as const;

async function endedBy(stage: ToolStage, pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL');
  await until('it to be gone', async () => (await stage.windows()).every((window) => window.pid !== pid));
}

const LAUNCHES: ToolCase[] = [
  {
    name: 'ui_launch: starts the program itself and answers with its window',
    async run(stage) {
      await stage.fresh();
      const { title, ...program } = PROGRAMS[stage.toolkit];
      const { text, json } = await stage.call('ui_launch', { ...program, timeoutMs: 60_000 });
      const pid = Number(/pid (\d+)/.exec(String(json.detail))?.[1]);
      try {
        expect(text).toMatch(/^ok: launch ".*": w\d+ \w+ ".*", pid \d+/);
        expect(text).toMatch(title);
        expect(readlinkSync(`/proc/${pid}/exe`)).toMatch(new RegExp(`/${program.command}$`));
        await expectDiary(stage, []);
      } finally {
        await endedBy(stage, pid);
      }
    },
  },
  {
    name: 'ui_launch: there is no shell that would read the words',
    async run(stage) {
      await stage.fresh();
      const room = mkdtempSync(join(tmpdir(), 'dp-launch-'));
      const made = join(room, 'made');
      try {
        const { code, text } = await stage.call('ui_launch', { command: `xclock; touch ${made}`, timeoutMs: 15_000 });
        expect(code).toBe('command_failed');
        expect(text.split('\n')[0]).toMatch(/^failed: command_failed\. [^.]+(not found in PATH|is not a program)\./);
        const title = `$(touch ${made})`;
        const started = await stage.call('ui_launch', {
          command: 'xclock',
          args: ['-title', title],
          timeoutMs: 60_000,
        });
        const pid = Number(/pid (\d+)/.exec(String(started.json.detail))![1]);
        expect((await stage.windows()).find((window) => window.pid === pid)?.title).toBe(title);
        await endedBy(stage, pid);
        expect(existsSync(made)).toBe(false);
      } finally {
        rmSync(room, { recursive: true });
      }
    },
  },
  caseOf({
    name: 'ui_launch: a program that there is not is one clear sentence',
    tool: 'ui_launch',
    args: { command: 'no-such-program' },
    diary: [],
    answer: { code: 'command_failed', delivered: 'no' },
    text: /^failed: command_failed\. no-such-program not found in PATH\. Delivered: no\./,
    aside: true,
  }),
];

const step = (tool: string, args: Record<string, unknown>): Record<string, unknown> => ({
  tool,
  settleMs: 300,
  ...args,
});

const BATCHES: Row[] = [
  {
    name: 'ui_batch: does its steps in order',
    tool: 'ui_batch',
    args: {
      steps: [
        step('ui_set_value', { target: NAME, value: TEXT }),
        step('ui_set_value', { target: 'spinbutton:Age', value: 40 }),
        step('ui_click', { target: 'button:Save' }),
      ],
    },
    diary: [written('Name', TEXT), { value: 'Age', is: 40 }, { clicked: 'Save' }],
    // Nothing in the window shows that it was saved. In Chromium, the look of the button changes.
    text: /^(?:(no change|unconfirmed): 2 of 3 steps ok, step 3 \1|ok: 3 of 3 steps), \d+ ms\.\n1-2 ui_set_value: e\d+ "Name", e\d+ "Age"\n3 ui_click: e\d+ "Save"/,
  },
  {
    name: 'ui_batch: stops at the first step that fails and reports it',
    tool: 'ui_batch',
    args: {
      steps: [
        step('ui_set_value', { target: NAME, value: TEXT }),
        step('ui_click', { target: 'button:Save' }),
        step('ui_click', { target: 'button:Delete', timeoutMs: 300 }),
        step('ui_set_value', { target: NAME, value: 'never' }),
      ],
    },
    diary: [written('Name', TEXT), { clicked: 'Save' }],
    answer: { code: 'not_ready', delivered: 'yes' },
    // Chromium drops the sign-in text of its own profile button when it likes, and draws a pressed button.
    text: /Step 3 of 4 \(ui_click button:Delete\): .* is disabled.*Steps 1-2 done, step 4 not tried\.[^\n]*\nSteps 1-2 changed:\n<ui [^\n]+\n(?:~ e\d+ button "[^"\n]*" \(was named "Sign in to Chromium\?"\)\n)?~ e\d+ [^\n]*"héllo[^\n]+\n(?:pixels changed at [^\n]+\n)?<\/ui /,
  },
];

export const AROUND: ToolCase[] = [...CLIPBOARD.map(caseOf), ...WINDOWS, ...LAUNCHES, ...BATCHES.map(caseOf)];
