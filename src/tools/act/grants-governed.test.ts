import { afterEach, describe, expect, it } from 'vitest';
import { fakeDesktop } from '../../drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../policy/index.js';
import { Desktop, perform } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOLS } from '../index.js';

type Scope = 'once' | 'session' | 'app';
type Tier = 'user' | 'project' | 'managed';
const PROGRAM = '/usr/bin/crm';

let desktop: Desktop;
let request: number;
afterEach(() => desktop.close());

/** A guarded desktop on which rules of one file say what else is asked about. */
function open(tier: Tier, rules: PolicyFile['rules']): ReturnType<typeof fakeDesktop> {
  const fake = fakeDesktop({
    windows: [
      {
        ...{ key: 'w', title: 'Accounts', app: 'crm', program: PROGRAM },
        bounds: { x: 0, y: 0, width: 300, height: 400 },
        children: [
          { role: 'button', name: 'Create' },
          { role: 'button', name: 'Export' },
          { role: 'textbox', name: 'Name' },
        ],
      },
    ],
  });
  const user: PolicyFile = { version: 1, enabled: true };
  const files = tier === 'user' ? { user: { ...user, rules } } : { user, [tier]: { version: 1, rules } };
  desktop = new Desktop({ name: 'desk', driver: fake.driver, kind: 'seat', policy: compilePolicy(files, 'seat') });
  request = 0;
  return fake;
}

/** Without a scope no user can be asked. */
async function call(tool: string, args: object, scope?: Scope): Promise<string> {
  return perform(desktop, TOOLS, {
    ...{ tool, args: { settleMs: 0, window: 'Accounts', ...args }, caller: 'cli' },
    ...(scope && {
      onQuestion: ({ id }) => {
        request += 1;
        desktop.authorizer.questions.answer(id, { channel: 'terminal', scope });
      },
    }),
  }).then(
    () => 'done',
    (error: unknown) => (error instanceof DesktopError ? error.code : String(error)),
  );
}

const click = (name: string, scope?: Scope): Promise<string> => call('ui_click', { target: `button:${name}` }, scope);
const exportAsks = (grant?: Scope): PolicyFile['rules'] => [
  { name: 'each-export', when: { app: '*/crm', name: 'Export' }, decision: 'ask', ...(grant && { grant }) },
];

describe.each<Tier>(['user', 'project', 'managed'])('a rule of the %s file', (tier) => {
  it.each<[Scope, Scope | undefined, boolean]>([
    ['app', 'once', false],
    ['app', 'session', false],
    ['app', 'app', true],
    ['app', undefined, true],
    ['session', 'once', false],
    ['session', 'session', true],
    ['session', 'app', true],
  ])('a yes for the %s, and then a question with grant %s: covered %s', async (given, grant, covered) => {
    const fake = open(tier, exportAsks(grant));
    expect(await click('Create', given)).toBe('done');
    expect(await click('Create')).toBe('done');
    expect(await click('Export')).toBe(covered ? 'done' : 'approval_required');
    expect(fake.diary.filter((line) => line.includes('Export'))).toHaveLength(covered ? 1 : 0);
    expect(request).toBe(1);
  });

  it('that says once asks each time', async () => {
    open(tier, exportAsks('once'));
    await click('Create', 'app');
    for (const times of [2, 3]) {
      expect(await click('Export', 'once')).toBe('done');
      expect(request).toBe(times);
    }
  });

  it.each<[Scope | undefined, boolean]>([
    ['once', false],
    ['session', false],
    [undefined, true],
  ])(
    'about reads, with grant %s: an act that an approval of the app covers finds its target: %s',
    async (grant, covered) => {
      const reads = { name: 'reads', when: { app: '*/crm', class: 'read' as const }, decision: 'ask' as const };
      open(tier, [{ ...reads, ...(grant && { grant }) }]);
      desktop.authorizer.grants.give('app', {
        ...{ session: 'cli', tool: 'ui_click', class: 'act', program: PROGRAM, risk: 'medium' },
      });
      expect(await click('Create')).toBe(covered ? 'done' : 'approval_required');
    },
  );
});
