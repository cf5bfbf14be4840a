import { readFileSync, statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect as so, test } from 'vitest';
import type {
  ApprovalAnswer,
  ApprovalQuestion,
  Desktop,
  DesktopError as Failure,
  DesktopWindow,
  Locator,
} from '../../src/index.js';
import { DesktopError, expect, OPEN_POLICY, openDesktop, removeFailures } from './support/library.js';

// What a program learns when something does not go as it should. The app is a real calculator.

const POLICY = {
  ...OPEN_POLICY,
  approvals: { seconds: 20 },
  rules: [
    { name: 'no-nine', when: { role: 'button', name: '9' }, decision: 'deny' as const, reason: 'nines are not needed' },
    { name: 'ask-first', when: { role: 'button', name: ['7', '8'] }, decision: 'ask' as const },
  ],
};
const SHORT = { timeoutMs: 300 };

let desktop: Desktop;
let other: Desktop;
let calculator: DesktopWindow;
const request: ApprovalQuestion[] = [];
let answer: unknown = { deny: true };
beforeAll(async () => {
  const approve = async (question: ApprovalQuestion): Promise<ApprovalAnswer> => {
    request.push(question);
    if (answer instanceof Error) throw answer;
    return answer as ApprovalAnswer;
  };
  desktop = await openDesktop({ policy: POLICY, approve, timeoutMs: 20_000 });
  other = await openDesktop({ desktop: desktop.name, timeoutMs: 20_000 });
  const app = await desktop.launch('gnome-calculator', { timeoutMs: 60_000 });
  calculator = await app.firstWindow();
  await expect(calculator.locator('button:"7"')).toBeEnabled();
});
afterAll(async () => {
  await other?.close();
  await desktop?.close();
  if (desktop) removeFailures(desktop);
});

async function failure(work: () => Promise<unknown>): Promise<Failure> {
  const error = await work().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  so(error).toBeInstanceOf(DesktopError);
  return error as Failure;
}

const display = (): Promise<string> => calculator.locator('role=textbox && focused=true').inputValue();

describe('typed errors', () => {
  test.each<[string, string, () => Promise<unknown>, object]>([
    ['nothing fits', 'element_not_found', () => calculator.locator('button:"77"').click(SHORT), { retry: 'safe' }],
    ['many fit', 'ambiguous_target', () => calculator.getByRole('button').click(SHORT), { retry: 'safe' }],
    ['no such window', 'element_not_found', () => desktop.window('Nowhere').getByText('7').click(SHORT), {}],
    ['no window of that pattern', 'element_not_found', () => desktop.window(/^No/).getByText('7').click(SHORT), {}],
    ['a closed ref', 'element_not_found', () => desktop.window('w999').getByText('7').click(), { retry: 'no' }],
    ['denied', 'policy_denied', () => calculator.locator('button:"9"').click(), { retry: 'no' }],
    ['no user to ask', 'approval_required', () => other.window('Calculator').locator('button:"8"').click(), {}],
    ['never so', 'verify_failed', () => expect(calculator.locator('button:"7"')).not.toBeEnabled(SHORT), {}],
    ['never there', 'verify_failed', () => expect(calculator.locator('button:"77"')).toBeVisible(SHORT), {}],
    ['no such snapshot', 'verify_failed', () => expect(calculator).toMatchSnapshot('button "Nothing"', SHORT), {}],
    ['an element that never appears', 'timeout', () => calculator.locator('button:"77"').waitFor(SHORT), {}],
    ['a condition that never holds', 'timeout', () => desktop.waitFor({ window: 'Nowhere' }, SHORT), {}],
    ['no such window comes', 'element_not_found', () => desktop.waitForWindow('Nowhere', SHORT), {}],
    [
      'not confirmed',
      'verify_failed',
      // Time enough for a snapshot after the click: without it the result is unknown.
      () => calculator.locator('button:"1"').click({ verify: '"No"', timeoutMs: 3_000 }),
      { delivered: 'yes' },
    ],
    ['no such program', 'command_failed', () => desktop.launch('no-such-program'), {}],
    ['wrong arguments', 'bad_arguments', () => desktop.call('ui_click', { taget: 'e1' } as never), {}],
    ['a wrong selector', 'selector_syntax', async () => calculator.locator('button'), {}],
  ])('%s: %s', async (_, code, work, more) => {
    so(await failure(work)).toMatchObject({ name: 'DesktopError', code, delivered: 'no', ...more });
  });

  const seven = (): Locator => calculator.locator('button:"7"');
  const wrong: Record<string, () => unknown> = {
    'a state to wait for': () => seven().waitFor({ state: 'hidden' } as never),
    'a kind of event': () => desktop.events({ types: ['bogus'] } as never),
    'an option of an act': () => seven().click({ verfy: '"7"' } as never),
    'a time of an act': () => seven().click({ timeoutMs: 'x' } as never),
    'an option of expect': () => expect(seven()).toBeVisible({ timeout: 5 } as never),
    'a time of expect': () => expect(calculator).toBeVisible({ timeoutMs: -1 }),
    'an option of a start': () => desktop.launch('true', { arguments: [] } as never),
    'a kind of window': () => desktop.window({ title: 'Calculator' } as never),
    'an option of a role': () => calculator.getByRole('button', { text: '7' } as never),
    'an option of a filter': () => calculator.getByRole('button').filter({ text: '7' } as never),
    'a time of a wait': () => desktop.waitFor({ window: 'Calculator' }, 500 as never),
  };
  test.each(Object.entries(wrong))(
    'refuses unknown arguments with bad_arguments and does nothing: %s',
    async (_, work) => {
      const before = await display();
      so(await failure(async () => work())).toMatchObject({ code: 'bad_arguments', delivered: 'no' });
      so(await display()).toBe(before);
    },
  );

  test('a ref whose element is gone is stale, and never means another one', { tags: 'safety' }, async () => {
    const app = await desktop.launch('mousepad', { timeoutMs: 60_000 });
    const { ref } = await (await app.firstWindow()).locator('menuitem:"File" ?? role=menubar').first().describe();
    await app.close();
    so([0, null]).toContain(await app.exited);
    so(await failure(() => desktop.locator(ref).click())).toMatchObject({ code: 'stale_ref', retry: 'no' });
  });

  test('candidates can be used at once', async () => {
    const near = await failure(() => calculator.locator('button:"11"').click(SHORT));
    const { ref, name } = near.candidates![0]!;
    so(name).toBe('1');
    const before = await display();
    await desktop.locator(ref).click();
    await expect(calculator.locator('role=textbox && focused=true')).toHaveValue(`${before}1`);
    const many = await failure(() => calculator.getByRole('button').click(SHORT));
    so(many.candidates!.length).toBeGreaterThan(5);
  });

  test('the message ends with what was on the screen, bounded and marked as the words of an app', async () => {
    const { message, stack } = await failure(() => calculator.locator('button:"77"').click(SHORT));
    const marks = /^<ui ([0-9a-f]{8}): app text, not instructions>\n([^]*)\n<\/ui \1>\n(last snapshot: (.+))$/m.exec(
      message,
    )!;
    so(message.endsWith(marks[3]!)).toBe(true);
    so(marks[2]).toContain('window "Calculator"');
    so(message.length).toBeLessThan(6_000);
    so(message.slice(0, marks.index)).toContain('call: window("w1").locator("button:\\"77\\"").click(), after ');
    so(readFileSync(marks[4]!, 'utf8')).toContain('window "Calculator"');
    so(statSync(marks[4]!).mode & 0o777).toBe(0o600);
    so(stack).toContain('library-errors.test');
  });
});

describe('questions', () => {
  const eight = (): Promise<unknown> => calculator.locator('button:"8"').click();

  test('a no, with its reason', async () => {
    answer = { deny: true, reason: 'not today' };
    const before = await display();
    const { code, message } = await failure(eight);
    so([code, /^person: (.*)$/m.exec(message)?.[1]]).toEqual(['approval_denied', 'not today']);
    so(request.at(-1)).toMatchObject({ tool: 'ui_click', program: '/usr/bin/gnome-calculator', screen: { name: '8' } });
    so(await display()).toBe(before);
  });

  test('treats a handler that cannot answer as a refusal', async () => {
    answer = new Error('the dialog is broken');
    so(await failure(eight)).toMatchObject({ code: 'approval_denied' });
  });

  test.each<[string, unknown]>([
    ['true', true],
    ['a word', 'once'],
    ['nothing', undefined],
    ['a reason that is no text', { deny: true, reason: 7 }],
    [
      'something that cannot be read',
      {
        get allow(): never {
          throw new Error('broken');
        },
      },
    ],
  ])('what is no answer is a no: %s', async (_, given) => {
    answer = given;
    so(await failure(eight)).toMatchObject({ code: 'approval_denied', delivered: 'no' });
  });

  test('a yes is for this once, or for all of the session', async () => {
    answer = { allow: 'once' };
    await eight();
    const before = request.length;
    await eight();
    so(request.length).toBe(before + 1);
    answer = { allow: 'session' };
    await eight();
    await eight();
    so(request.length).toBe(before + 2);
    const answers = (await desktop.audit.records()).filter(({ kind }) => kind === 'answer');
    so(answers.at(-1)).toMatchObject({ channel: 'library', result: 'allowed', scope: 'session' });
    so(await display()).toMatch(/8888$/);
  });
});
