import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeDesktop, type FakeDesktop, type WindowSpec } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile, type PolicyRequest } from '../../policy/index.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import { type PendingApproval, type UserAnswer } from '../approval/pending-approvals.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { Desktop } from '../desktop/desktop.js';
import type { CallRequest } from '../request/policy-request.js';
import { CallView } from '../visibility/call-view.js';
import { authorizeRead } from './authorize-call.js';
import { withTraits } from '../../../tests/scenes/calls.js';

const window = (key: string, title: string): WindowSpec => ({
  ...{ key, title, app: key, program: `/usr/bin/${key}`, bounds: { x: 0, y: 0, width: 200, height: 200 } },
  children: [{ role: 'button', name: `${key} button`, key: `${key}-button` }],
});
type Rules = NonNullable<PolicyFile['rules']>;
const rule = (decision: 'deny' | 'ask', when: object): Rules[number] => ({ name: 'letters', decision, when });
const MAIL = { app: '/usr/bin/mail', class: ['read', 'capture'] };
const YES: UserAnswer = { channel: 'terminal', scope: 'once' };

let fake: FakeDesktop;
let desktop: Desktop;
let request: PendingApproval[];
function open(rules: Rules, kind: PolicyRequest['desktop'] = 'virtual'): void {
  fake = fakeDesktop({ windows: [window('notes', 'Notes'), window('mail', 'Letters'), window('shop', 'Shop')] });
  const policy = compilePolicy({ user: { version: 1, enabled: true, rules } }, kind);
  desktop = new Desktop({ name: 'desk', kind, driver: fake.driver, policy });
}
beforeEach(() => void (request = []));
afterEach(() => desktop.close());

const deadline = (): Deadline => Deadline.in(5_000);
const call = (args: CallRequest['args'] = {}, kind: CallRequest['class'] = 'read', tool = 'ui_query'): CallRequest => {
  return withTraits({ tool, class: kind, caller: 'mcp:a', args });
};
/** The view of a call after its reads were authorized. */
async function authorized(
  one: CallRequest,
  line: ApprovalChannel = {},
  { on = desktop, until = deadline(), directory }: { on?: Desktop; until?: Deadline; directory?: string } = {},
): Promise<CallView> {
  const view = new CallView(on, directory);
  await authorizeRead(view, one, line, until);
  return view;
}
const titles = async (seen: CallView): Promise<string[]> =>
  (await seen.listWindows(deadline())).windows.map(({ title }) => title).sort();

/** What is seen, or why nothing is. */
async function sight(one: CallRequest, answer?: UserAnswer): Promise<string[] | string> {
  const onQuestion = (question: PendingApproval): void => {
    request.push(question);
    desktop.authorizer.questions.answer(question.id, answer!);
  };
  try {
    return await titles(await authorized(one, answer ? { onQuestion } : {}));
  } catch (error) {
    if (error instanceof DesktopError) return error.code;
    throw error;
  }
}
const refOf = async (title: string): Promise<string> =>
  (await desktop.listWindows(deadline())).windows.find((one) => one.title === title)!.ref;

const ALL = ['Letters', 'Notes', 'Shop'];
const REST = ['Notes', 'Shop'];

describe('without a rule about reads', () => {
  it.each<[string, PolicyRequest['desktop'], CallRequest, boolean | string]>([
    ['a read', 'virtual', call(), true],
    ['an act', 'virtual', call({}, 'act'), true],
    ['pixels', 'virtual', call({}, 'raw'), true],
    ['an act on a user desktop', 'seat', call({}, 'act'), true],
    ['a picture of it', 'seat', call({}, 'capture'), 'policy_denied'],
  ])('%s', async (_, kind, one, same) => {
    open([], kind);
    const seen = await authorized(one).catch((error: unknown) => (error as DesktopError).code);
    expect(typeof seen === 'string' ? seen : (await titles(seen)).length === ALL.length).toBe(same);
  });
});

describe('a window that may not be seen', () => {
  it.each<[string, CallRequest, string[] | string]>([
    ['is left out', call(), REST],
    ['is left out of pictures', call({}, 'capture'), REST],
    ['is left out for an act', call({}, 'act'), REST],
    ['is left out for pixels', call({}, 'raw'), REST],
    ['is refused by its title', call({ window: 'Letters' }), 'policy_denied'],
    ['is refused by its title to an act', call({ window: 'Letters' }, 'act'), 'policy_denied'],
    ['is left out of all', call({ window: ' * ' }), REST],
    ['is nothing to another', call({ window: 'Notes' }), REST],
    ['is not meant by a selector', call({ target: 'button:"mail button"' }), REST],
    ['is not meant by no words', call({}, 'read', 'ui_list_windows'), REST],
  ])('%s', async (_, one, seen) => {
    open([rule('deny', MAIL)]);
    expect(await sight(one)).toEqual(seen);
  });

  it('is refused by a ref of it, of what is in it, by the focus and as the active one', async () => {
    open([rule('deny', MAIL)]);
    const { ref: mail, id } = (await desktop.listWindows(deadline())).windows.find(({ title }) => title === 'Letters')!;
    const { root } = await desktop.driver.read!({ window: id }, { deadline: deadline() });
    const { children } = desktop.refs.adopt(root, id, { snapshot: 's1', root: 'window', shown: true });
    expect(await sight(call({ target: children[0]!.ref }))).toBe('policy_denied');
    expect(await sight(call({ window: mail }))).toBe('policy_denied');
    expect(await sight(call({ target: ` ${mail} ` }))).toBe('policy_denied');
    expect(await sight(call({ window: await refOf('Notes') }))).toEqual(REST);
    fake.controls.activate('mail');
    expect(await sight(call({ target: 'Focused' }))).toBe('policy_denied');
    expect(await sight(call({}, 'read', 'ui_snapshot'))).toBe('policy_denied');
    expect(await sight(call({ window: '*' }, 'read', 'ui_snapshot'))).toEqual(REST);
    expect(await sight(call({}, 'read', 'ui_query'))).toEqual(REST);
    expect(await sight(call({ target: 'button:"notes button"' }))).toEqual(REST);
    fake.controls.activate('notes');
    expect(await sight(call({ target: 'focused' }))).toEqual(REST);
    expect(await sight(call({}, 'read', 'ui_snapshot'))).toEqual(REST);
  });

  it('is refused by a ref of it in whatever window', async () => {
    open([rule('deny', MAIL)]);
    expect(await sight(call({ window: '*', target: await refOf('Letters') }))).toBe('policy_denied');
  });

  it('is one that a policy read meanwhile keeps back', async () => {
    open([rule('deny', { app: '/usr/bin/shop', class: 'read' })]);
    const seen = await authorized(call());
    expect(await titles(seen)).toEqual(['Letters', 'Notes']);
    const later = compilePolicy({ user: { version: 1, enabled: true, rules: [rule('deny', MAIL)] } }, 'virtual');
    desktop.authorizer.replace(later, () => []);
    expect(await titles(seen)).toEqual(REST);
  });

  it('does not keep others waiting: a read takes no turn', async () => {
    open([rule('deny', MAIL)]);
    await desktop.queue.run(deadline(), async () => {
      expect(await sight(call())).toEqual(REST);
      expect(await sight(call({ window: 'Notes' }))).toEqual(REST);
    });
  });

  it('its dialogs neither, whatever they are called', async () => {
    open([rule('deny', { window: 'Letters', class: 'read' })]);
    fake.controls.openWindow({ ...window('attach', 'Attach'), role: 'dialog', of: 'mail' });
    fake.controls.openWindow({ ...window('find', 'Find'), role: 'dialog', of: 'notes' });
    expect(await sight(call())).toEqual(['Find', ...REST]);
    expect(await sight(call({}, 'act'))).toEqual(['Find', ...REST]);
  });

  it('is no dialog that is named itself, whatever it belongs to', async () => {
    open([rule('deny', { window: 'Attach', class: 'read' })]);
    fake.controls.openWindow({ ...window('attach', 'Attach'), role: 'dialog', of: 'mail' });
    expect(await sight(call())).toEqual(ALL);
  });

  it('all of them: a read is refused, an act finds nothing there', async () => {
    open([rule('deny', { class: 'read' })]);
    expect(await sight(call())).toBe('policy_denied');
    expect(await sight(call({}, 'act'))).toEqual([]);
    expect(await sight(call({}, 'raw'))).toEqual([]);
  });
});

describe('a window that the user is asked about', () => {
  it.each<[string, CallRequest, UserAnswer | undefined, string[] | string, number]>([
    ['is asked about when it is named', call({ window: 'Letters' }), YES, ALL, 1],
    ['is refused after a denial', call({ window: 'Letters' }), { channel: 'terminal' }, 'approval_denied', 1],
    ['is refused if the user cannot be asked', call({ window: 'Letters' }), undefined, 'approval_required', 0],
    ['is left out otherwise', call(), YES, REST, 0],
    ['is left out with another', call({ window: 'Notes' }), YES, REST, 0],
    ['is asked about when an act names it', call({ window: 'Letters' }, 'act'), YES, ALL, 1],
    ['or a point in it', call({ space: 'w2' }, 'raw', 'ui_click_xy'), YES, ALL, 1],
    ['or one end of a drag', call({ from: 'w1', to: 'w2' }, 'act', 'ui_drag'), YES, ALL, 1],
    [
      'is refused to an act if the user cannot be asked',
      call({ window: 'Letters' }, 'act'),
      undefined,
      'approval_required',
      0,
    ],
    ['is left out for any other act', call({ target: 'button:"mail button"' }, 'act'), YES, REST, 0],
    ['and for other pixels', call({ x: 1, y: 1, space: 'screen' }, 'raw'), YES, REST, 0],
  ])('%s', async (_, one, answer, seen, questions) => {
    open([rule('ask', MAIL)]);
    expect(await sight(one, answer)).toEqual(seen);
    expect(request).toHaveLength(questions);
  });

  it('is asked about each for itself, and an approval of one does not cover the other', async () => {
    open([rule('ask', { app: ['/usr/bin/mail', '/usr/bin/shop'], class: 'read' })]);
    expect(await sight(call({ window: 'Letters' }), YES)).toEqual(['Letters', 'Notes']);
    fake.controls.setTitle('shop', 'Letters');
    expect(await sight(call({ window: 'Letters' }), YES)).toEqual(['Letters', 'Letters', 'Notes']);
    expect(request).toHaveLength(3);
  });

  it('an approval is for its rule, and for the dialogs of its window', async () => {
    open([
      rule('ask', { window: ['Letters', 'Attach'], class: 'read' }),
      { name: 'other', decision: 'ask', when: { window: 'Sign', class: 'read' } },
    ]);
    fake.controls.openWindow({ ...window('attach', 'Attach'), role: 'dialog', of: 'mail' });
    fake.controls.openWindow({ ...window('sign', 'Sign'), role: 'dialog', of: 'mail' });
    expect(await sight(call({ window: 'Letters' }), YES)).toEqual(['Attach', ...ALL]);
    expect(await sight(call(), YES)).toEqual(REST);
  });

  it('is a dialog by its own title', async () => {
    open([rule('ask', { window: 'Attach', class: 'read' })]);
    fake.controls.openWindow({ ...window('attach', 'Attach'), role: 'dialog', of: 'mail' });
    expect(await sight(call({ window: 'Attach' }), YES)).toEqual(['Attach', ...ALL]);
    expect(await sight(call(), YES)).toEqual(ALL);
  });

  it('also sees a window that opened while the question was open', async () => {
    open([rule('ask', MAIL), { name: 'vault', decision: 'deny', when: { app: '/usr/bin/vault', class: 'read' } }]);
    const onQuestion = (question: PendingApproval): void => {
      fake.controls.openWindow(window('vault', 'Vault'));
      desktop.authorizer.questions.answer(question.id, YES);
    };
    const seen = await authorized(call({ window: 'Letters' }), { onQuestion });
    expect(seen.hiddenWindows.count).toBe(1);
    const ref = await refOf('Vault');
    const heard = { at: 0, what: 'title', window: { ref, role: 'window', title: 'Inbox', app: 'other' } } as const;
    expect(seen.hears(heard)).toBe(false);
  });

  it('one question for a rule about all windows, and none for what is about no window', async () => {
    open([rule('ask', { class: 'read' })]);
    expect(await sight(call({}, 'act', 'ui_launch'), YES)).toEqual([]);
    expect(request).toHaveLength(0);
    expect(await sight(call(), YES)).toEqual(ALL);
    expect(request).toHaveLength(1);
  });

  it('is asked about when keys would go there', async () => {
    open([rule('ask', MAIL)]);
    expect(await sight(call({ keys: 'a' }, 'act', 'ui_key'), YES)).toEqual(REST);
    fake.controls.activate('mail');
    expect(await sight(call({ keys: 'a' }, 'act', 'ui_key'), YES)).toEqual(ALL);
    expect(request).toHaveLength(1);
    // Not where they are for something that has to be found.
    expect(await sight(call({ keys: 'a', target: 'button:"notes button"' }, 'act', 'ui_key'), YES)).toEqual(REST);
    expect(request).toHaveLength(1);
  });

  it('is there for an act on what is known, which is asked about itself', async () => {
    open([rule('ask', { app: '/usr/bin/mail' })]);
    const ref = await refOf('Letters');
    expect(await sight(call({ window: 'Letters' }, 'act', 'ui_window'), YES)).toEqual(ALL);
    expect(await sight(call({ target: ref }, 'act', 'ui_click'), YES)).toEqual(ALL);
    fake.controls.activate('mail');
    expect(await sight(call({ target: ' Focused' }, 'act', 'ui_click'), YES)).toEqual(ALL);
    expect(request).toHaveLength(0);
    expect(await sight(call({ target: 'button:x' }, 'act', 'ui_click'), YES)).toEqual(REST);
    expect(await sight(call({ target: 'button:x', window: 'Letters' }, 'act', 'ui_click'), YES)).toEqual(ALL);
    expect(request).toHaveLength(1);
  });

  it('needs an approval until the act itself was asked about, unless the caller was already allowed there', async () => {
    open([rule('ask', { app: '/usr/bin/mail' })]);
    const act = call({ target: await refOf('Letters') }, 'act', 'ui_click');
    const pending = async (): Promise<string | undefined> => (await authorized(act)).pendingReadApproval?.rule;
    expect(await pending()).toBe('letters');
    desktop.authorizer.grants.give('app', {
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', program: '/usr/bin/mail', risk: 'medium' },
    });
    expect(await pending()).toBeUndefined();
  });

  it('is none by a rule that is about acts', async () => {
    open([
      rule('deny', { app: '/usr/bin/shop', class: 'read' }),
      { ...rule('ask', { tool: 'ui_click' }), name: 'click' },
    ]);
    expect(await sight(call({ target: 'button:x' }, 'act', 'ui_click'), YES)).toEqual(['Letters', 'Notes']);
    expect(request).toHaveLength(0);
  });

  it('is seen after a late approval', async () => {
    open([rule('ask', MAIL)]);
    const soon = Deadline.in(20);
    const onQuestion = async (question: PendingApproval): Promise<void> => {
      while (!soon.over) await new Promise((resolve) => setTimeout(resolve, 5));
      desktop.authorizer.questions.answer(question.id, YES);
    };
    const line = { onQuestion: (question: PendingApproval) => void onQuestion(question) };
    expect(await titles(await authorized(call({ window: 'Letters' }), line, { until: soon }))).toEqual(ALL);
  });

  it('that a grant covers is seen without a question', async () => {
    open([rule('ask', MAIL)]);
    desktop.authorizer.grants.give('session', {
      ...{ session: 'mcp:a', tool: 'ui_query', class: 'read', program: '/usr/bin/mail', risk: 'medium' },
    });
    expect(await sight(call())).toEqual(ALL);
    expect(await sight(call({}, 'read', 'ui_list_windows'))).toEqual(REST);
    expect(request).toEqual([]);
  });

  it('is seen by the acts that the user has allowed there', async () => {
    open([rule('ask', MAIL)]);
    desktop.authorizer.grants.give('app', {
      ...{ session: 'mcp:a', tool: 'ui_click', class: 'act', program: '/usr/bin/mail', risk: 'medium' },
    });
    expect(await sight(call({}, 'act', 'ui_type'))).toEqual(ALL);
    expect(await sight(call({ window: 'Letters' }, 'act', 'ui_type'))).toEqual(ALL);
    expect(await sight(call())).toEqual(REST);
    expect(request).toEqual([]);
  });

  it('that changes while the question is open is not seen', async () => {
    open([rule('ask', MAIL)]);
    const onQuestion = (question: PendingApproval): void => {
      fake.controls.setTitle('mail', 'Private letters');
      desktop.authorizer.questions.answer(question.id, YES);
    };
    const read = authorized(call({ window: 'Letters' }), { onQuestion });
    await expect(read).rejects.toMatchObject({ code: 'target_changed' });
  });
});

it('a window that the project hides is not there, nor are menus of its process; windows of other processes are', async () => {
  fake = fakeDesktop({ windows: [window('notes', 'Notes'), window('mail', 'Letters'), window('shop', 'Shop')] });
  const policy = compilePolicy({}, 'virtual');
  const rules = compilePolicy({ callerProject: { version: 1, windows: { block: ['*Letters*'] } } }, 'virtual');
  const inProject = () => ({ rules, changed: () => [] });
  desktop = new Desktop({ name: 'desk', kind: 'virtual', driver: fake.driver, policy, inProject });
  const { pid } = (await desktop.listWindows(deadline())).windows.find(({ title }) => title === 'Letters')!;
  fake.controls.openWindow({ ...window('menu', 'Unowned'), role: 'popup', pid });
  fake.controls.openWindow({ ...window('find', 'Find'), role: 'dialog', of: 'notes' });
  fake.controls.openWindow({ ...window('attach', 'Attach'), role: 'dialog', of: 'mail' });
  const seen = await authorized(call(), {}, { directory: '/project' });
  expect(await titles(seen)).toEqual(['Find', ...REST]);
});

it.each<[string, string, Error, string]>([
  ['what examines the desktop says why', 'ui_capabilities', new DesktopError('driver_unavailable', 'no'), 'seen'],
  ['a read fails', 'ui_query', new DesktopError('driver_unavailable', 'no'), 'driver_unavailable'],
  ['a fault of ours is no answer', 'ui_capabilities', new TypeError('ours'), 'ours'],
])('where windows cannot be listed, %s', async (_, tool, error, said) => {
  open([rule('deny', MAIL)]);
  const blind = Object.assign(Object.create(desktop) as Desktop, { listWindows: () => Promise.reject(error) });
  const seen = authorized(call({}, 'read', tool), {}, { on: blind });
  const result = await seen.then(
    () => 'seen',
    (failure: Error) => (failure instanceof DesktopError ? failure.code : failure.message),
  );
  expect(result).toBe(said);
});

it('knows which windows there are before the first read', async () => {
  open([rule('deny', MAIL)]);
  const seen = await authorized(call());
  const ref = await refOf('Letters');
  const heard = { at: 0, what: 'title', window: { ref, role: 'window', title: 'Inbox', app: 'other' } } as const;
  expect(seen.hears(heard)).toBe(false);
  expect(seen.hiddenWindows.count).toBe(1);
});
