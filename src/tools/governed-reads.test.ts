import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MemoryLedger } from '../audit/index.js';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../policy/index.js';
import { Desktop, type PendingApproval, perform, type UserAnswer } from '../runtime/index.js';
import { Deadline, DesktopError } from '../shared/index.js';
import { pixelsOf } from '../../tests/scenes/png-pixels.js';
import { TOOLS } from './index.js';

const window = (key: string, title: string, x: number): WindowSpec => ({
  ...{ key, title, app: key, program: `/usr/bin/${key}`, bounds: { x, y: 0, width: 200, height: 200 } },
  children: [
    { role: 'button', name: key === 'mail' ? 'Reply to Ada' : 'Save', key: `${key}-button` },
    { role: 'textbox', name: `${key} field`, key: `${key}-field` },
  ],
});

type Rules = NonNullable<PolicyFile['rules']>;
const rule = (decision: 'deny' | 'ask' | 'allow', when: object): Rules[number] => ({ name: 'letters', decision, when });
const MAIL = { app: '/usr/bin/mail', class: 'read' };

let fake: FakeDesktop;
let desktop: Desktop;
let ledger: MemoryLedger;
let request: PendingApproval[];

function open(...rules: Rules): void {
  fake = fakeDesktop({ windows: [window('notes', 'Notes', 0), window('mail', 'Letters', 300)] });
  ledger = new MemoryLedger();
  const policy = compilePolicy({ user: { version: 1, rules } }, 'virtual');
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger });
}
beforeEach(() => void (request = []));
afterEach(() => desktop.close());

interface Answer {
  text: string;
  json: Record<string, unknown>;
}

async function call(tool: string, args: object = {}, user?: UserAnswer): Promise<Answer> {
  const onQuestion = (question: PendingApproval): void => {
    request.push(question);
    desktop.authorizer.questions.answer(question.id, user!);
  };
  return perform(desktop, TOOLS, { tool, args, caller: 'mcp:a', ...(user && { onQuestion }) }).catch(
    (error: unknown) => {
      if (!(error instanceof DesktopError)) throw error;
      return { text: `${error.code}: ${error.message} ${error.hint}`, json: { ...error.toJSON() } };
    },
  );
}

const LEAKS = /letters"|ada|"mail|\bmail field/i;
const everything = ({ text, json }: Answer): string => text + JSON.stringify(json);
const YES: UserAnswer = { channel: 'terminal', scope: 'once' };

describe('a window that a rule keeps from being read', () => {
  it.each([
    ['ui_list_windows', {}],
    ['ui_snapshot', { window: '*' }],
    ['ui_query', { target: 'role=button' }],
    ['ui_wait', { until: 'button:"Reply to Ada"', timeoutMs: 0 }],
    ['ui_events', {}],
    ['ui_click', { target: 'button:Nowhere', timeoutMs: 50 }],
  ])('is in no answer of %s %j', async (tool, args) => {
    open(rule('deny', MAIL));
    const answer = await call(tool, args);
    expect(everything(answer)).not.toMatch(/Letters|mail field/);
  });

  it('is counted like one that is hidden', async () => {
    open(rule('deny', MAIL));
    expect((await call('ui_list_windows')).text).toMatch(/^1 window, 1 more hidden by policy\n/);
  });

  it.each([
    ['ui_snapshot', { window: 'Letters' }],
    ['ui_query', { target: 'role=button', window: 'Letters' }],
    ['ui_click', { target: 'button:Save', window: 'Letters', timeoutMs: 50 }],
  ])('is refused by its rule when it is named: %s %j', async (tool, args) => {
    open(rule('deny', MAIL));
    expect((await call(tool, args)).json).toMatchObject({ code: 'policy_denied', details: { rule: 'letters' } });
    expect(fake.diary).toEqual([]);
  });

  it('by a ref that was given before, and as the active one', async () => {
    open(rule('deny', { ...MAIL, tool: ['ui_describe', 'ui_snapshot'] }));
    const { json } = await call('ui_query', { target: 'textbox:"mail field"' });
    const [{ ref }] = json.matches as [{ ref: string }];
    expect((await call('ui_describe', { target: ref })).json).toMatchObject({ code: 'policy_denied' });
    fake.controls.activate('mail');
    expect((await call('ui_snapshot')).json).toMatchObject({ code: 'policy_denied', details: { rule: 'letters' } });
  });

  it('its dialogs, whose own title and program fit no rule, are kept with it', async () => {
    open(rule('deny', { window: 'Letters', class: 'read' }));
    fake.controls.openWindow({ ...window('mail2', 'Attach', 320), role: 'dialog', of: 'mail' });
    const { text } = await call('ui_list_windows');
    expect(text).toMatch(/^1 window, 2 more hidden by policy\n/);
  });

  it('is reported by no event', async () => {
    open(rule('deny', MAIL));
    await call('ui_events');
    fake.controls.setTitle('mail', 'Letters (3)');
    fake.controls.setTitle('notes', 'Notes, changed');
    await expect.poll(async () => (await call('ui_list_windows')).text).toMatch(/Notes, changed/);
    const answer = await call('ui_events');
    expect(answer.text).toMatch(/Notes, changed/);
    expect(everything(answer)).not.toMatch(LEAKS);
  });

  it('is not among what an act saw happen', async () => {
    open(rule('deny', MAIL));
    const act = fake.driver.act!.bind(fake.driver);
    fake.driver.act = async (...args) => {
      fake.controls.setTitle('mail', 'Letters (3)');
      fake.controls.setTitle('notes', 'Notes, changed');
      return act(...args);
    };
    const answer = await call('ui_click', { target: 'button:Save', settleMs: 50 });
    expect(JSON.stringify(answer.json.events)).toMatch(/Notes, changed/);
    expect(everything(answer)).not.toMatch(/Letters/);
  });

  it('is reported by no event, no ref and no earlier snapshot when it is gone, whichever caller saw it', async () => {
    open(rule('deny', { ...MAIL, caller: 'mcp' }));
    // Its own name does not show that it is the program of the rule.
    fake.controls.openWindow({ ...window('mail', 'Letters home', 320), key: 'home', app: 'post' });
    const { json } = await perform(desktop, TOOLS, {
      ...{ tool: 'ui_snapshot', args: { window: 'Letters home' }, caller: 'cli' },
    });
    const { id, roots } = json as { id: string; roots: [{ ref: string; children: [{ ref: string }] }] };
    const refs = [roots[0].ref, roots[0].children[0].ref];
    const answers = [await call('ui_snapshot', { window: 'Notes', since: id })];
    fake.controls.closeWindow('home');
    for (const ref of refs) answers.push(await call('ui_describe', { target: ref }));
    answers.push(await call('ui_snapshot', { window: refs[0] }), await call('ui_events', { limit: 500 }));
    answers.push(await call('ui_snapshot', { window: 'Notes', since: id }));
    for (const answer of answers) expect(everything(answer)).not.toMatch(/Letters|Ada|mail field/);
    expect(answers.map((answer) => answer.json.code)).toEqual([
      ...['element_not_found', 'element_not_found', 'stale_ref', 'element_not_found', undefined, 'element_not_found'],
    ]);
  });

  it('is black in a picture of the screen when its rule is about captures, and other windows are not', async () => {
    open(rule('deny', { ...MAIL, class: 'capture' }));
    const { data, scale } = (await call('ui_capture')).json as { data: string; scale: number };
    const picture = pixelsOf(data);
    const at = (x: number): string => picture.at(Math.round(x * scale), Math.round(100 * scale));
    expect(at(400)).toBe('000000');
    expect(at(100)).not.toBe('000000');
    expect((await call('ui_capture', { window: 'Letters' })).json).toMatchObject({ code: 'policy_denied' });
    expect((await call('ui_snapshot', { window: 'Letters' })).json.code).toBeUndefined();
  });
});

it('what is called otherwise once it was pictured is asked about by its new name', async () => {
  open(rule('deny', { name: 'Reply to Eve', class: 'capture' }));
  const picture = fake.driver.screenshot!.bind(fake.driver);
  const target = 'button:"Reply to Ada"';
  expect((await call('ui_capture', { target })).json.code).toBeUndefined();
  const { ref } = ((await call('ui_query', { target })).json.matches as { ref: string }[])[0]!;
  fake.driver.screenshot = async (...given) => {
    const taken = await picture(...given);
    fake.controls.setName('mail-button', 'Reply to Eve');
    return taken;
  };
  expect((await call('ui_capture', { target: ref })).json).toMatchObject({ code: 'policy_denied' });
});

describe('a window that the user is asked about before it is read', () => {
  it('is read after a yes, and only then, with a question that names it', async () => {
    open(rule('ask', MAIL));
    expect((await call('ui_snapshot', { window: 'Letters' })).json).toMatchObject({ code: 'approval_required' });
    const { text } = await call('ui_snapshot', { window: 'Letters' }, YES);
    expect(text).toMatch(/Reply to Ada/);
    expect(request).toHaveLength(1);
    expect(request[0]!.shown).toMatchObject({ tool: 'ui_snapshot', program: '/usr/bin/mail' });
    expect(ledger.records.map(({ kind }) => kind)).toEqual(['call', 'ask', 'answer', 'call']);
  });

  it('does not reveal its title before that', async () => {
    open(rule('ask', MAIL));
    await call('ui_list_windows');
    for (const user of [undefined, { channel: 'terminal' } as const]) {
      const answer = await call('ui_snapshot', { window: 'w2' }, user);
      expect(answer.json.code).toMatch(/^approval_/);
      expect(everything(answer)).not.toMatch(/Letters/);
    }
    expect(request[0]!.shown).toMatchObject({ what: 'look in w2 "Letters"' });
  });

  it('is not read after a no', async () => {
    open(rule('ask', MAIL));
    const answer = await call('ui_snapshot', { window: 'Letters' }, { channel: 'terminal' });
    expect(answer.json.code).toMatch(/^approval_/);
    expect(everything(answer)).not.toMatch(/Ada/);
  });

  it('a call about all windows asks nothing: the window is left out', async () => {
    open(rule('ask', MAIL));
    expect((await call('ui_list_windows', {}, YES)).text).toMatch(/^1 window, 1 more hidden by policy\n/);
    expect(request).toEqual([]);
  });

  it('a yes for the session holds for the tool and the program, and for no act', async () => {
    open(rule('ask', MAIL), { name: 'acts', decision: 'ask', when: { app: '/usr/bin/mail', class: 'act' } });
    await call('ui_snapshot', { window: 'Letters' }, { channel: 'terminal', scope: 'session' });
    expect(request[0]!.widest).toBe('session');
    expect((await call('ui_snapshot', { window: 'Letters' })).text).toMatch(/Reply to Ada/);
    expect((await call('ui_describe', { target: 'w2' })).json.code).toBe('approval_required');
    const act = { target: 'button:"Reply to Ada"', window: 'Letters', timeoutMs: 500 };
    expect((await call('ui_click', act)).json).toMatchObject({ code: 'approval_required' });
    expect(fake.diary).toEqual([]);
  });

  it.each<[string, object, string]>([
    ['what comes near', { target: 'button:Nowhere' }, 'element_not_found'],
    ['what there is in it', { target: 'role=textbox' }, ''],
    ['what comes near, when it is named', { target: 'button:Nowhere', window: 'Letters' }, 'approval_required'],
    ['what became of it', { target: 'textbox:*field', window: 'Letters' }, 'approval_required'],
  ])('no act reveals %s', async (_, args, code) => {
    open(rule('ask', MAIL));
    const answer = await call('ui_click', { timeoutMs: 50, settleMs: 20, ...args });
    expect(answer.json.code ?? '').toBe(code);
    expect(everything(answer)).not.toMatch(/Ada|mail field/);
  });

  describe('by an act that asks for itself', () => {
    const ANY = { app: '/usr/bin/mail' };
    const pointed: [string, object][] = [
      ['ui_click', { target: 'focused' }],
      ['ui_click', { target: 'BUTTON' }],
      ['ui_click', { target: 'BUTTON', method: 'pattern', verify: { exists: 'button:Nowhere' } }],
      ['ui_type', { target: 'FIELD', text: 'x' }],
      ['ui_type', { target: 'BUTTON', text: 'x' }],
      ['ui_act', { target: 'BUTTON', action: 'scroll_into_view' }],
      ['ui_act', { target: 'BUTTON', action: 'collapse' }],
      ['ui_click', { target: 'e99' }],
      ['ui_key', { keys: 'a', window: 'WINDOW' }],
      ['ui_key', { keys: 'a' }],
      ['ui_window', { action: 'maximise', window: 'WINDOW' }],
      ['ui_click_xy', { x: 50, y: 20, space: 'WINDOW' }],
    ];
    let refs: Record<string, string>;
    const before = async (...rules: Rules): Promise<void> => {
      open(...rules);
      fake.controls.activate('mail');
      const deadline = Deadline.in(5_000);
      const { ref, id } = (await desktop.listWindows(deadline)).windows.find(({ title }) => title === 'Letters')!;
      // Refs are numbered: a caller that got none can guess them.
      const { root } = await desktop.driver.read!({ window: id }, { deadline });
      const { children } = desktop.refs.adopt(root, id, { snapshot: 's1', root: 'window', shown: true });
      refs = { WINDOW: ref, BUTTON: children[0]!.ref, FIELD: children[1]!.ref };
    };
    const meant = (args: object): object =>
      Object.fromEntries(Object.entries(args).map(([key, word]) => [key, refs[word as string] ?? (word as unknown)]));

    it.each(pointed)('%s %j reveals nothing of it without an approval', async (tool, args) => {
      await before(rule('ask', ANY));
      for (const user of [undefined, { channel: 'terminal', reason: 'no' } as const]) {
        const answer = await call(tool, { timeoutMs: 50, ...meant(args) }, user);
        expect(answer.json.code, answer.text).toBeDefined();
        expect(everything(answer)).not.toMatch(/Letters|Ada|mail field|button\b(?!:)|textbox/);
      }
      expect(fake.diary).toEqual([]);
    });

    it('what was refused is in the log, in its words', async () => {
      await before(rule('ask', ANY));
      await call('ui_click', { target: refs.BUTTON, timeoutMs: 50 });
      expect(JSON.stringify(ledger.records.at(-1))).toContain('Reply to Ada');
    });

    it('one approval is enough, and then the result is reported', async () => {
      await before(rule('ask', ANY));
      const { text } = await call('ui_click', { target: refs.BUTTON, timeoutMs: 500, settleMs: 20 }, YES);
      expect(text).toMatch(/^(ok|no change): click e\d+ button "Reply to Ada" in w\d/);
      expect([request.length, fake.diary]).toEqual([1, ['invoke button "Reply to Ada"']]);
    });

    it('an act that needs no approval itself waits for the approval of the read', async () => {
      const never = { name: 'acts', decision: 'ask', when: { ...ANY, class: 'act', name: 'other' } } as const;
      await before(rule('ask', { ...ANY, class: 'read' }), never);
      const refused = await call('ui_click', { target: refs.BUTTON, timeoutMs: 50 });
      expect(refused.json.code).toBe('approval_required');
      expect(everything(refused)).not.toMatch(/Letters|Ada|mail field/);
      expect(fake.diary).toEqual([]);
    });
  });

  it('changed while the question was open: it is not read', async () => {
    open(rule('ask', MAIL));
    const onQuestion = (question: PendingApproval): void => {
      fake.controls.setTitle('mail', 'Private letters');
      desktop.authorizer.questions.answer(question.id, YES);
    };
    const read = perform(desktop, TOOLS, {
      ...{ tool: 'ui_snapshot', args: { window: 'Letters' }, caller: 'cli', onQuestion },
    });
    await expect(read).rejects.toMatchObject({ code: 'target_changed' });
  });

  it('a picture is taken after a yes', async () => {
    open(rule('ask', { ...MAIL, class: 'capture' }));
    expect((await call('ui_capture', { window: 'Letters' })).json).toMatchObject({ code: 'approval_required' });
    expect((await call('ui_capture', { window: 'Letters' }, YES)).json.code).toBeUndefined();
    expect((await call('ui_capture', { target: 'button:"Reply to Ada"' }, YES)).json.code).toBe('element_not_found');
  });

  it('a rule about all reads asks once for all windows', async () => {
    open(rule('ask', { class: 'read' }));
    expect((await call('ui_list_windows', {}, YES)).text).toMatch(/^2 windows\b/);
    expect(request).toHaveLength(1);
  });
});
