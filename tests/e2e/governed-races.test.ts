// @module-tag safety

import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PendingApproval } from '../../src/runtime/index.js';
import type { FixtureApp } from '../conformance/fixture-app.js';
import { coloursOf } from './support/colours.js';
import { GovernedDesktop, NO, YES, type Answerer, type Said } from './support/governed-desktop.js';
import { OwnProgram } from './support/own-program.js';
import { KEY, TestUser } from './support/test-user.js';
import { until } from './support/seat-room.js';

const POLICY = `version: 1
limits: { capturesPerMinute: 1000, actsPerMinute: 1000 }
approvals: { seconds: 300 }
rules:
  - name: ask-first
    when: { app: "*/clerk", class: act }
    decision: ask
    grant: app
`;
const TITLE = 'Accounts';
const ARCHIVE = 'button:Archive';
const KEEP = 'checkbox:Keep';

const directory = mkdtempSync(join(tmpdir(), 'dp-races-'));
const clerk = OwnProgram.in(directory, 'clerk');
let room: GovernedDesktop;
let app: FixtureApp;
let from = 0;

beforeAll(async () => {
  room = await GovernedDesktop.open(POLICY);
  await startApp();
});
afterAll(async () => {
  await app?.end();
  await room?.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  await app.command('reset');
  await until(
    'the window with its parts',
    async () => (await room.call('ui_query', { target: KEEP })).code === undefined,
  );
  room.asked.length = 0;
  from = app.diary.length;
});

async function startApp(): Promise<void> {
  app = await clerk.start('governed.py', room.seat.env, TITLE);
  from = 0;
}

/** The app's own record of what only a caller could have made it do. */
const done = (): unknown[] => app.diary.slice(from).filter((line) => 'clicked' in line || 'toggled' in line);

/** The ref of what a selector finds now. */
async function refOf(target: string): Promise<string> {
  const { json, text } = await room.call('ui_query', { target });
  const [found] = (json.matches ?? []) as { ref: string }[];
  if (!found) throw new Error(text);
  return found.ref;
}

/** One click; before the first answer, which is yes, something happens. A second question is answered with no. */
async function clickWhile(target: string, change: () => unknown): Promise<Said & { asked: PendingApproval[] }> {
  let changing: unknown;
  const user: Answerer = async () => {
    if (room.asked.length > 1) return NO;
    await (changing = change());
    return YES;
  };
  const said = await room.call('ui_click', { target, timeoutMs: 1_000, settleMs: 50 }, user);
  // It may be over before the user has answered.
  await changing;
  return { ...said, asked: [...room.asked] };
}

/** By the driver's word: callers may not see it. */
const hasKeys = (title: string): Promise<unknown> =>
  until(`${title} to have the keys`, async () => {
    const { windows } = await room.desktop.driver.windows({ deadline: room.soon() });
    return windows.some((window) => window.title === title && window.active);
  });

const changedIn = ({ shown }: PendingApproval): string[] => (shown as { changed?: string[] }).changed ?? [];

describe('an act whose target changes while the question is open is not performed', () => {
  /** Refused, or asked again with the difference: never done on the first approval. */
  const never = async (target: string, change: () => unknown, codes: RegExp, changed?: string[]): Promise<void> => {
    const { code, asked: request, text } = await clickWhile(target, change);
    expect(done(), text).toEqual([]);
    expect(code, text).toMatch(codes);
    expect(request.length, text).toBe(code === 'approval_denied' ? 2 : 1);
    if (changed && request[1]) expect(changedIn(request[1])).toEqual(changed);
  };

  it.each<[string, string, RegExp, string[]?]>([
    ['renamed', 'rename Destroy', /^element_not_found$/],
    ['moved within its window', 'nudge', /^approval_denied$/, ['target']],
    ['replaced by another of its name', 'replace', /^approval_denied$/, ['target']],
    ['disabled', 'enable off', /^not_ready$/],
    ['put into another group, where it looks the same', 'reparent', /^approval_denied$/, ['target']],
    ['gone with its window', 'close', /^(policy_denied|element_not_found)$/],
  ])('a target found by its name: %s', async (_, command, codes, changed) => {
    await never(ARCHIVE, () => app.command(command), codes, changed);
  });

  it.each<[string, string, RegExp, string[]?]>([
    ['renamed', 'rename Destroy', /^target_changed$/],
    ['moved within its window', 'nudge', /^approval_denied$/, ['target']],
    ['replaced by another of its name', 'replace', /^stale_ref$/],
    ['put into another group, where it looks the same', 'reparent', /^(approval_denied|stale_ref)$/, ['target']],
    ['gone with its window', 'close', /^(policy_denied|stale_ref|element_not_found)$/],
  ])('a target known by its ref: %s', async (_, command, codes, changed) => {
    await never(await refOf(ARCHIVE), () => app.command(command), codes, changed);
  });

  it('does not click a box that another program has checked, since a click would uncheck it', async () => {
    const { code, asked: request } = await clickWhile(KEEP, () => app.command('check on'));
    expect(done()).toEqual([{ toggled: true }]);
    expect(code).toBe('approval_denied');
    expect(changedIn(request[1]!)).toEqual(['target']);
  });

  it('closes the question together with the window, without an answer', async () => {
    const closing = room.call('ui_click', { target: ARCHIVE }, async () => {
      await app.command('close');
      return undefined;
    });
    const { code, text } = await closing;
    expect(code, text).toBe('policy_denied');
    expect(text).toContain('its window was closed');
    expect(room.desktop.authorizer.questions.all).toEqual([]);
    expect(done()).toEqual([]);
  });

  it.each([
    ['of the same title', () => startApp()],
    ['that was given the same process id', () => startWithPid(app.pid)],
  ])('its process replaced by another of the same program %s', async (_, start) => {
    const replaced = async (): Promise<void> => {
      await app.end();
      await start();
    };
    const { code, asked: request, text } = await clickWhile(ARCHIVE, replaced);
    expect(done(), text).toEqual([]);
    // Its window went with it: that is void, and not asked about again.
    expect(code, text).toMatch(/^(policy_denied|target_changed)$/);
    expect(request).toHaveLength(1);
  });
});

/** The kernel counts on from the number that root writes there; others may be faster, so it is tried again. */
async function startWithPid(wanted: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    writeFileSync('/proc/sys/kernel/ns_last_pid', String(wanted - 1));
    await startApp();
    if (app.pid === wanted) return;
    await app.end();
  }
  throw new Error(`process id ${wanted} is not to be had`);
}

describe('a user who answers in another window of the same desktop', () => {
  it('is believed: the focus went away, their window covers the target, and it is done', async () => {
    const user = await TestUser.sitDown(room.seat.env);
    try {
      const {
        code,
        asked: request,
        text,
      } = await clickWhile(ARCHIVE, async () => {
        await app.command('beside "Elsewhere|#224488|Mine|30|30"');
        await app.command('move "Elsewhere|60|50"');
        await hasKeys('Elsewhere');
        for (let step = 0; step < 5; step++) await user.move(-60, -45);
        await user.tap(KEY.a);
        await app.wait('the key in their window', ({ window, key }) => window === 'Elsewhere' && key === 'a', from);
      });
      expect(code, text).toBeUndefined();
      expect(request).toHaveLength(1);
      await app.wait('the click', ({ clicked }) => clicked === 'Archive', from);
      expect(done()).toEqual([{ clicked: 'Archive', group: 'Copies' }]);
    } finally {
      user.leave();
    }
  });
});

describe('the page on which the user approves', () => {
  const PAGE = 'Deskproof approvals';
  const COLOUR = '#d3287f';
  const LEAKS = /approvals|allow this/i;

  it('is hidden from every caller, and no caller can click in it before or after the question is closed', async () => {
    // The other session may do everything in this program, up to medium risk.
    const granted = await room.call(
      'ui_click',
      { target: KEEP, settleMs: 50 },
      () => ({ channel: 'terminal', scope: 'app' }),
      'mcp:b',
    );
    expect(granted.code, granted.text).toBeUndefined();
    await app.wait('the first click', ({ toggled }) => toggled === true, from);
    const before = app.diary.length;

    let answer!: (yes: typeof NO) => void;
    const waiting = room.call('ui_click', { target: ARCHIVE }, () => new Promise((resolve) => (answer = resolve)));
    await until('the question', () => room.asked.length === 2);
    await app.command(`beside "${PAGE}|${COLOUR}|Allow this|500|200"`);
    const [x, y] = await until('the page in its place', async () => {
      await app.command(`where "${PAGE}"`);
      const at = app.diary.findLast((line) => 'where' in line)!.where as [number, number];
      // Shown first where the window manager likes it, it is moved from there.
      return at[0] > 500 && at[1] > 200 && at[1] < 540 ? at : undefined;
    });

    await hasKeys(PAGE);

    // Each of these would be done at once if the question did not hold the mouse, the keys and the app.
    const over: Said[] = [];
    const late = async (tool: string, args: object): Promise<Said> => {
      const said = await room.call(tool, { timeoutMs: 120_000, settleMs: 50, ...args }, undefined, 'mcp:b');
      over.push(said);
      return said;
    };
    const acts = [
      late('ui_click_xy', { x, y }),
      late('ui_key', { keys: 'Return' }),
      late('ui_click', { target: KEEP }),
    ];
    const answers: Said[] = [];
    for (const [tool, args] of [
      ['ui_list_windows', { hidden: true }],
      ['ui_snapshot', { window: '*' }],
      ['ui_query', { target: 'role=button' }],
      ['ui_query', { target: 'button:Allow' }],
      ['ui_describe', { target: 'focused' }],
      ['ui_events', { limit: 500 }],
    ] as const) {
      answers.push(await room.call(tool, args, undefined, 'mcp:b'));
    }
    for (const answer of answers) expect(`${answer.text}${JSON.stringify(answer.json)}`).not.toMatch(LEAKS);
    for (const area of [{}, { monitor: 1 }, { region: [480, 180, 400, 360] }]) {
      const { painted, code } = await colours(area);
      expect(code).toBeUndefined();
      expect(painted.get(COLOUR) ?? 0).toBe(0);
    }
    // A point or a key in the page is refused whether or not a question is open. Nothing else may end.
    expect(over.filter(({ code }) => code !== 'policy_denied')).toEqual([]);
    expect(app.diary.slice(before).filter((line) => 'clicked' in line || 'toggled' in line || 'key' in line)).toEqual(
      [],
    );

    answer(NO);
    expect((await waiting).code).toBe('approval_denied');
    const [atPoint, byKey, inApp] = await Promise.all(acts);
    expect(atPoint!.code, atPoint!.text).toBe('policy_denied');
    expect(byKey!.code, byKey!.text).toBe('policy_denied');
    expect(inApp!.code, inApp!.text).toBeUndefined();
    await app.wait('the granted click', ({ toggled }) => toggled === false, before);
    const told = app.diary.slice(before).filter((line) => 'clicked' in line || 'key' in line);
    expect(told).toEqual([]);
  });
});

/** Of a picture as a caller gets it. */
async function colours(args: object): Promise<{ painted: Map<string, number>; code?: string }> {
  const { json, code } = await room.call('ui_capture', { ...args, maxSize: 0 }, undefined, 'mcp:b');
  if (code !== undefined) return { painted: new Map(), code };
  const rgba = await sharp(Buffer.from(json.data as string, 'base64'))
    .ensureAlpha()
    .raw()
    .toBuffer();
  return { painted: coloursOf({ rgba }) };
}

describe('the policy on the disk', () => {
  it('that changes while the question is open ends it, whatever the answer', async () => {
    const { code, asked: request, text } = await clickWhile(ARCHIVE, () => appendFileSync(room.policyFile, '# more\n'));
    expect(code, text).toBe('policy_denied');
    expect(text).toContain('policy changed on disk');
    expect(request).toHaveLength(1);
    expect(done()).toEqual([]);
    expect(readFileSync(room.policyFile, 'utf8')).toContain('# more');
  });
});
