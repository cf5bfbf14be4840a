import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CliRoom, type Outcome } from './cli-room.js';
import { until } from './support/seat-room.js';

const DOCUMENT = 'app=mousepad >> role=textbox';
const TEXT = 'héllo 日本 😀 Ω€';

let room: CliRoom;
beforeAll(async () => {
  room = new CliRoom();
  await room.ok('desktop', 'start', '--name', 'desk');
  await room.ok('launch', 'mousepad', '--timeout-ms', '60000');
});
afterAll(() => room?.close());

/** The app's own word: what it saves when it is asked to, by its own key. */
async function expectSaved(text: string | RegExp): Promise<void> {
  await room.ok('key', 'ctrl+s', '--window', 'Mousepad');
  const fits = (there: string): boolean => (typeof text === 'string' ? there === text : text.test(there));
  await until('the file', () => fits(readFileSync(join(room.base, 'saved.txt'), 'utf8')));
}

describe('work from the command line', () => {
  it('a file is written and saved', async () => {
    const typed = await room.ok('type', TEXT, DOCUMENT);
    expect(typed).toMatch(/^ok: type 13 characters into e\d+ textbox in w1, by pattern, \d+ ms/);
    const file = join(room.base, 'saved.txt');
    const opened = await room.ok('click', 'menuitem:"Save As..."', '--verify', 'dialog:"Save As"');
    expect(opened).toMatch(/^ok: click e\d+ menuitem "Save As\.\.\." in w1, by pattern, \d+ ms\. Verify: satisfied\./);
    await room.ok('set-value', 'textbox:Name', file, '--window', 'Save As');
    await room.ok('click', 'button:Save', '--window', 'Save As', '--verify', '{"window":"saved.txt"}');
    expect(readFileSync(file, 'utf8')).toBe(TEXT);
  });

  it('--json is the object, and a pipe gets the text of the tool', async () => {
    const told = await room.json<Record<string, unknown>>('act', 'focus', DOCUMENT);
    expect(told).toMatchObject({ schema: 1, status: 'ok', verb: 'focus', untrusted: true, delivered: 'no' });
    const piped = await room.ok('act', 'focus', DOCUMENT);
    expect(piped).toMatch(/^ok: focus e\d+ textbox in w1: it has the focus already, nothing was done\.\n$/);
  });

  it('what begins with a dash goes after two of them, and a number needs none', async () => {
    await room.ok('set-value', DOCUMENT, '-3');
    await expectSaved('-3');
    await room.ok('set-value', '--', DOCUMENT, '--dashes');
    await expectSaved('--dashes');
  });

  it('a long text arrives whole', async () => {
    const long = `${'0123456789'.repeat(9_000)}end`;
    await room.ok('set-value', DOCUMENT, long);
    await expectSaved(long);
    await room.ok('set-value', DOCUMENT, 'short');
  });

  it('a text that is interrupted ends with 130, and says how much of it went in', async () => {
    await room.ok('set-value', DOCUMENT, '');
    const words = ['type', 'x'.repeat(400), DOCUMENT, '--method', 'input', '--delay-ms', '50'];
    const { child, said } = room.start(...words);
    const ended = new Promise((resolve) => child.on('exit', resolve));
    await until('some of it', async () => (await room.ok('read', DOCUMENT)).includes('xx'));
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    const typed = Number(/^failed: cancelled\. Typing was cancelled after (\d+) of 400 characters/.exec(said())?.[1]);
    expect(typed, said()).toBeGreaterThan(1);
    await expectSaved('x'.repeat(typed));
    await room.ok('set-value', DOCUMENT, 'short');
  });

  it.each([['chromium', '--debug', 'about:blank\nshell touch MADE\nquit'] as const, ['soffice', '--strace'] as const])(
    '%s %s is asked about: its script would run more than the app',
    async (app, ...words) => {
      const made = join(room.base, 'made-by-a-debugger');
      const launched = await room.run(['launch', app, '--', ...words.map((word) => word.replace('MADE', made))]);
      expect(launched.err).toMatch(/^failed: approval_required\. .*rule private\/launch-terminal/m);
      expect(launched.code).toBe(3);
      expect(existsSync(made)).toBe(false);
    },
  );

  it.each([['--display=:150'], ['--display', ':150']])(
    'an app that is to open on another display is asked about: %s %s',
    async (...words) => {
      const launched = await room.run(['launch', 'mousepad', '--', ...words]);
      expect(launched.err).toMatch(/^failed: approval_required\. .*rule private\/launch-terminal/m);
      expect(launched.code).toBe(3);
    },
  );

  it('keys, clipboard and window', async () => {
    await room.ok('key', 'ctrl+a', '--window', 'Mousepad');
    await room.ok('clipboard', TEXT);
    expect(await room.ok('clipboard')).toContain(`| ${TEXT}\n`);
    await room.ok('key', 'ctrl+v', '--window', 'Mousepad');
    await expectSaved(TEXT);
    expect(await room.ok('window', 'move', 'Mousepad', '--x', '100', '--y', '80')).toMatch(
      /^ok: move w1 ".*saved\.txt - Mousepad", confirmed by the window manager, \d+x\d+ at 100,80, \d+ ms\.\n$/,
    );
  });

  it('a batch from a file and from standard input', async () => {
    const steps = [
      { tool: 'ui_set_value', target: DOCUMENT, value: 'one' },
      { tool: 'ui_type', target: DOCUMENT, text: ' two' },
    ];
    writeFileSync(join(room.base, 'steps.json'), JSON.stringify(steps));
    expect(await room.ok('batch', 'steps.json')).toMatch(/^ok: 2 of 2 steps, \d+ ms\.\n1 ui_set_value: /);
    await expectSaved(/^(one two| twoone)$/);
    const { code, out } = await room.run(['batch', '-', '--json'], {
      input: JSON.stringify({ steps, snapshot: true }),
    });
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      schema: 1,
      steps: [{ tool: 'ui_set_value', status: 'ok' }, { tool: 'ui_type' }, { tool: 'ui_snapshot' }],
    });
  });
});

describe('what is not done', () => {
  const wrong: [string, string[], RegExp][] = [
    ['no target', ['click'], /^failed: bad_arguments\. ui_click needs target\./],
    ['an empty target', ['click', ''], /target is empty/],
    ['a target that is too long', ['click', 'x'.repeat(3_000)], /target is longer than 2000 characters/],
    ['a selector that is none', ['click', 'button:['], /selector_syntax/],
    ['a text with a dash', ['type', '-dash'], /Unknown option '-dash'\.\n.*last, after --/],
    ['a negative amount', ['scroll', '--amount', '-3'], /amount must be at least 0/],
    ['an unknown action', ['act', 'chek', 'e1'], /action is one of invoke, .*, not "chek"\.[^]*did you mean check/],
    ['an unknown key', ['key', 'ctrl+nothing'], /There is no key "nothing"/],
    ['half a point', ['click-xy', '5'], /needs y/],
    ['a point of letters', ['click-xy', 'a', 'b'], /whole number, not "a"/],
    ['a move without a place', ['window', 'move', 'Mousepad'], /move needs x and y/],
    ['a drag to nowhere', ['drag', 'e1'], /needs either to, or dx and dy/],
    [
      'verify that is not JSON',
      ['click', 'e1', '--verify', '{"window":'],
      /verify starts with \{ but is not valid JSON/,
    ],
    ['verify of an unknown word', ['click', DOCUMENT, '--verify', '{"windwo":"x"}'], /windwo/],
    [
      'a file that is not there',
      ['batch', 'nothing.json'],
      /"nothing\.json" cannot be read: it does not exist[^]*next: Give a file/,
    ],
    ['a directory', ['batch', '.'], /it is a directory/],
    ['no program', ['launch'], /needs command/],
  ];
  it.each(wrong)('%s: one sentence, exit code 2', async (_, words, message) => {
    expectFailure(await room.run(words), 2, message);
  });

  it.each([
    ['garbage', 'garbage', /is not valid JSON/],
    ['nothing', '', /is not valid JSON/],
    ['a number', '42', /does not contain a list of steps/],
    ['no steps', '[]', /steps is empty/],
    ['a step without a tool', '[{"target":"e1"}]', /needs steps\.0\.tool/],
    ['a wrong second step', '[{"tool":"ui_key","keys":"x"},{"tool":"ui_clik"}]', /Step 2 of 2 .*Nothing was done/],
    ['a batch in a batch', '[{"tool":"ui_batch","steps":[]}]', /is a batch itself/],
  ])('a batch of %s', async (_, input, message) => {
    expectFailure(await room.run(['batch', '-'], { input }), 2, message);
  });

  const failed: [string, string[], RegExp][] = [
    ['nothing of that name', ['click', 'button:Nothing', '--timeout-ms', '300'], /element_not_found/],
    ['a shell in the name of a program', ['launch', 'mousepad;reboot'], /not found in PATH/],
    [
      'a condition that does not come',
      ['key', 'F24', '--verify', '{"window":"Nothing"}', '--timeout-ms', '300'],
      /verify_failed.* was done/,
    ],
  ];
  it.each(failed)('%s: exit code 1', async (_, words, message) => {
    expectFailure(await room.run(words), 1, message);
  });

  it('no letter of a target reaches the terminal as a command', async () => {
    const { err } = await room.run(['click', 'button:\u001b]0;title\u0007\u001b[31mred', '--timeout-ms', '300']);
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  });

  it('the app has none of it', async () => {
    await expectSaved(/^[one tw]+$/);
  });
});

function expectFailure({ code, out, err }: Outcome, expected: number, message: RegExp): void {
  expect(err).toMatch(message);
  expect(out).toBe('');
  expect(err.trimEnd().split('\n').length).toBeLessThanOrEqual(8);
  expect(code).toBe(expected);
}
