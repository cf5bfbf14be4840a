import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Effect, EFFECTS, type DesktopKind, type PolicyRequest, type TargetFacts } from './decision.js';
import { decide, evaluate } from './decide.js';
import { type CallFacts, factsOf } from './facts.js';
import { preparePolicy } from './policy.js';
import type { PolicyFile, Rule } from './file/schema.js';
import type { Files } from './file/settings.js';
import { withEffects } from '../../tests/scenes/calls.js';

// Few values of each kind, so that rules often match facts.
const TOOLS = {
  ...{ ui_read: 'read', ui_capture: 'capture', ui_click: 'act', ui_scroll: 'act', ui_type: 'act', ui_key: 'act' },
  ...{ ui_launch: 'act', ui_act: 'act', ui_click_xy: 'raw' },
} as const;
type Tool = keyof typeof TOOLS;
const tools = fc.constantFrom(...(Object.keys(TOOLS) as Tool[]));
const paths = ['/usr/bin/calc', '/usr/bin/xterm', '/usr/bin/gnucash', '/usr/bin/python3', '/opt/gparted'];
const names = ['OK', 'Delete', 'Send now', 'Pay', ''];
const titles = ['Notes', 'Files', 'My Banking', 'Deskproof: a question'];
const risks = fc.uniqueArray(fc.constantFrom('low', 'medium', 'high', 'prohibited'), { minLength: 1, maxLength: 3 });
/** Without the narrow types of literals, which no file has. */
const made = <T>(one: fc.Arbitrary<unknown>): fc.Arbitrary<T> => one as fc.Arbitrary<T>;
const maybe = <T>(one: fc.Arbitrary<T>) => fc.option(one, { nil: undefined, freq: 1 });

const when = fc.record(
  {
    tool: fc.uniqueArray(tools, { minLength: 1, maxLength: 4 }),
    class: fc.constantFrom('act', 'read', 'raw', 'capture'),
    risk: risks,
    app: fc.constantFrom('*', '/usr/bin/*', '*/calc', '*/xterm', '/opt/gparted'),
    name: fc.constantFrom('*', 'OK', 'Send*', 'del*', '*a?'),
    window: fc.constantFrom('*', 'Notes', '*bank*', '?iles'),
    confidence: fc.constantFrom('<0.5', '>=0.9', '<=0.7'),
    secure: fc.boolean(),
    method: fc.constantFrom('id', 'name', 'ocr'),
    args: fc.constantFrom({ action: 'focus' }, { action: '*' }, { keys: 'Control+W' }, { keys: '*' }),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<NonNullable<Rule['when']>>;
// Most rules name few conditions; otherwise nothing would ever match.
const few = when.map((all) => Object.fromEntries(Object.entries(all).slice(0, 2)) as NonNullable<Rule['when']>);
const decisions = fc.constantFrom(...EFFECTS);
const rule = (number: number): fc.Arbitrary<Rule> =>
  fc.record({ name: fc.constant(`r${number}`), when: fc.oneof(few, when), decision: decisions });
const rules = fc.nat(4).chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => rule(i))));
const windows = fc.record(
  { block: fc.constantFrom(['*files*'], ['x']), allow: fc.constantFrom(['*'], ['Notes', '*calc']) },
  { requiredKeys: [], noNullPrototype: true },
);
const risk = fc.constantFrom({ words: ['ok'] }, { apps: { finance: ['calc'] } }, { keys: ['tab'] });
const launch = fc.constantFrom({ allow: ['/usr/bin/calc'] }, { allow: ['/usr/bin/*'] });

const projectFile = made<PolicyFile>(fc.record({ version: fc.constant(1), windows: maybe(windows), rules }));
const trustedFile = made<PolicyFile>(
  fc.record({
    ...{ version: fc.constant(1), windows: maybe(windows), rules, risk: maybe(risk), launch: maybe(launch) },
    enabled: maybe(fc.boolean()),
    profile: maybe(fc.record({ seat: fc.constantFrom('guarded', 'private', 'readonly') })),
  }),
);
const files: fc.Arbitrary<Files> = fc.record(
  { user: trustedFile, project: projectFile, callerProject: projectFile, managed: trustedFile },
  { requiredKeys: [], noNullPrototype: true },
);

const target: fc.Arbitrary<TargetFacts> = fc.record({
  app: fc.option(fc.constantFrom(...paths), { nil: undefined, freq: 4 }),
  appName: fc.option(fc.constantFrom('calc', 'xterm', 'x'), { nil: undefined, freq: 6 }),
  window: fc.option(fc.constantFrom(...titles), { nil: undefined, freq: 6 }),
  name: fc.option(fc.constantFrom(...names), { nil: undefined, freq: 6 }),
  role: fc.constantFrom(undefined, 'button', 'textbox', 'terminal'),
  method: fc.constantFrom('id', 'name', 'ocr', undefined),
  confidence: fc.constantFrom(undefined, 0.2, 0.5, 0.8, 1),
  ...{ secure: fc.boolean(), contradicted: fc.boolean(), installed: fc.boolean() },
});
const KEYS: Partial<Record<Tool, string[][]>> = {
  ui_key: [['a'], ['ctrl+w'], ['enter']],
  ui_type: [[], ['enter'], ['tab']],
};
const request = tools.chain((tool) =>
  made<PolicyRequest>(
    fc.record({
      ...{ tool: fc.constant(tool), class: fc.constant(TOOLS[tool]), caller: fc.constant('mcp') },
      ...{ desktop: fc.constantFrom<DesktopKind>('seat', 'virtual'), target, enabled: fc.boolean() },
      args: fc.constantFrom({}, { action: 'focus' }, { action: 'invoke' }, { secret: 'pin' }, { keys: 'control+w' }),
      keys: fc.constantFrom(...(KEYS[tool] ?? [[]])),
      pixels: fc.nat(9).map((n) => n === 0),
    }),
  ).map(withEffects),
);

// ---- Reference implementation: the same semantics, written as plainly as possible.

const WORDS = /\b(delete|send|pay)\b/i;
const fits = (glob: string, text: string): boolean =>
  new RegExp(
    `^${glob
      .replace(/[.\\+]/g, '\\$&')
      .replace(/\*/g, '.*')
      .replace(/\?/g, '.')}$`,
    'is',
  ).test(text);

function naiveScore(q: PolicyRequest, own: (PolicyFile | undefined)[]): { score: number; raised: boolean } {
  const t = q.target!;
  const lists = own.flatMap((file) => (file?.risk ? [file.risk] : []));
  const program = t.app ?? t.appName ?? '';
  const is = (...parts: string[]): boolean => parts.some((part) => program.includes(part));
  const terminal = is('xterm') || t.role === 'terminal';
  const finance = is('gnucash', 'gparted') || (is('calc') && lists.some(({ apps }) => apps));
  const word = WORDS.test(t.name ?? '') || (t.name === 'OK' && lists.some(({ words }) => words));
  const key = q.keys!.some((one) => one === 'ctrl+w' || (one === 'tab' && lists.some(({ keys }) => keys)));
  const action = {
    ...{ ui_click: 3, ui_scroll: 0, ui_launch: 3, ui_click_xy: 5, ui_act: q.args!.action === 'focus' ? 0 : 3 },
    ui_type: q.keys!.includes('enter') ? 3 : 2,
    ui_key: q.keys!.some((one) => one === 'enter' || one.includes('+')) ? 3 : 2,
  }[q.tool as 'ui_click'];
  let score = action + (terminal || is('python') ? 4 : finance ? 3 : 0);
  score += { id: 0, name: 1, ocr: 3, focus: 1, point: 2 }[t.method ?? 'id'] + (word || key ? 3 : 0);
  if (t.confidence !== undefined && t.confidence < 0.7) score += t.confidence < 0.4 ? 2 : 1;
  if (t.contradicted) score += 3;
  if (t.secure && q.tool === 'ui_type' && !('secret' in q.args!)) score += 1;
  return { score, raised: q.tool === 'ui_launch' ? !naiveListed(q, own) : terminal };
}

function naiveListed({ target }: PolicyRequest, own: (PolicyFile | undefined)[]): boolean {
  const lists = own.flatMap((file) => (file?.launch?.allow ? [file.launch.allow] : []));
  return lists.length > 0 && lists.every((list) => list.some((glob) => target!.app && fits(glob, target!.app)));
}

function naiveLevel(q: PolicyRequest, own: (PolicyFile | undefined)[]): string {
  if (q.class === 'read' || q.class === 'capture') return 'low';
  const { score, raised } = naiveScore(q, own);
  if (score >= 9) return 'prohibited';
  if (score >= 6 || raised) return 'high';
  return score >= 2 ? 'medium' : 'low';
}

function naiveTier(file: PolicyFile | undefined, q: PolicyRequest, level: string): Effect | undefined {
  const t = q.target!;
  for (const { when: w = {}, decision } of file?.rules ?? []) {
    if (w.tool && !(w.tool as string[]).includes(q.tool)) continue;
    if (w.class && w.class !== q.class) continue;
    if (w.risk && !(w.risk as string[]).includes(level)) continue;
    if (!w.risk && decision === 'allow' && level !== 'low' && level !== 'medium') continue;
    if (w.app && t.app !== undefined && !fits(w.app as string, t.app)) continue;
    if (w.app && t.app === undefined) {
      const last = (w.app as string).split('/').at(-1)!;
      if (decision === 'allow' || !t.appName || !fits(last, t.appName)) continue;
    }
    if (w.name && (t.name === undefined || !fits(w.name as string, t.name))) continue;
    if (w.window && (t.window === undefined || !fits(w.window as string, t.window))) continue;
    if (w.secure !== undefined && w.secure !== t.secure) continue;
    if (w.method && w.method !== t.method) continue;
    if (w.args?.keys !== undefined && !naiveKeys(w.args.keys as string, q, decision)) continue;
    if (w.args?.action && (q.args!.action === undefined || !fits(w.args.action as string, q.args!.action as string)))
      continue;
    const c = t.confidence;
    if (w.confidence === '<0.5' && !(c! < 0.5)) continue;
    if (w.confidence === '>=0.9' && !(c! >= 0.9)) continue;
    if (w.confidence === '<=0.7' && !(c! <= 0.7)) continue;
    return decision;
  }
  return undefined;
}

function naiveKeys(glob: string, q: PolicyRequest, decision: Effect): boolean {
  const written = q.args!.keys !== undefined && fits(glob, q.args!.keys as string);
  if (q.tool !== 'ui_key') return written;
  const pressed = q.keys!.some((key) => glob === '*' || key === 'ctrl+w');
  return decision === 'allow' ? written && pressed : written || pressed;
}

function naiveProfile(profile: string, q: PolicyRequest, level: string, own: (PolicyFile | undefined)[]): Effect {
  if (q.class === 'read') return 'allow';
  if (profile === 'readonly') return 'deny';
  const program = q.target!.app ?? q.target!.appName ?? '';
  const terminal = program.includes('xterm') || q.target!.role === 'terminal';
  const anything = program.includes('xterm') || (program !== '' && !q.target!.installed);
  const asks =
    (q.class === 'act' || q.class === 'raw') &&
    (q.tool === 'ui_launch' ? (anything || program.includes('python')) && !naiveListed(q, own) : terminal);
  if (profile === 'private') return asks ? 'ask' : 'allow';
  if (q.class !== 'act' || level === 'prohibited') return 'deny';
  return level === 'low' ? 'allow' : 'ask';
}

function naiveHidden({ user, project, callerProject, managed }: Files, { app, appName, window }: TargetFacts): boolean {
  if (window === undefined) return false;
  const texts = [window, appName, app].filter((text) => text !== undefined);
  if (/^deskproof/i.test(window) || /banking/i.test(window)) return true;
  return [user, project, callerProject, managed].some((file) => {
    const { block = [], allow } = file?.windows ?? {};
    const some = (globs: string[]): boolean => globs.some((glob) => texts.some((text) => fits(glob, text)));
    return some(block) || (allow !== undefined && !some(allow));
  });
}

function naive(given: Files, userApprovals: PolicyRequest): Effect {
  const { user, project, callerProject, managed } = given;
  const order = ['private', 'guarded', 'readonly'];
  const usual = userApprovals.desktop === 'seat' ? 'guarded' : 'private';
  const [mine, theirs] = userApprovals.desktop === 'seat' ? [user?.profile?.seat, managed?.profile?.seat] : [];
  const base = order.indexOf(mine ?? theirs ?? usual);
  const profile = order[Math.max(base, theirs ? order.indexOf(theirs) : 0)]!;
  const enabled = (user?.enabled ?? managed?.enabled ?? false) && managed?.enabled !== false;
  const outcomes: (Effect | undefined)[] = [];
  const facets: PolicyRequest[] = [userApprovals];
  if (userApprovals.pixels) facets.push({ ...userApprovals, class: 'capture' });
  if (userApprovals.tool === 'ui_type' && userApprovals.keys!.length > 0)
    facets.push({ ...userApprovals, tool: 'ui_key' });
  for (const q of facets) {
    const level = naiveLevel(q, [user, managed]);
    const byManaged = naiveTier(managed, q, level);
    outcomes.push(naiveTier(user, q, level) ?? byManaged ?? naiveProfile(profile, q, level, [user, managed]));
    outcomes.push(byManaged, naiveTier(project, q, level), naiveTier(callerProject, q, level));
    const before = naiveLevel(q, [user]);
    if (managed?.risk || managed?.launch)
      outcomes.push(...[user, project, callerProject].map((file) => naiveTier(file, q, before)));
  }
  if (profile !== 'private' && !enabled && !userApprovals.enabled) outcomes.push('ask');
  if (naiveHidden(given, userApprovals.target!)) outcomes.push('deny');
  return outcomes.includes('deny') ? 'deny' : outcomes.includes('ask') ? 'ask' : 'allow';
}

const verdict = (given: Files, userApprovals: PolicyRequest) =>
  decide(preparePolicy(given, userApprovals.desktop), userApprovals);
const answer = (given: Files, userApprovals: PolicyRequest): Effect => verdict(given, userApprovals).answer;
const strict = (one: Effect): number => EFFECTS.indexOf(one);

/** 100,000 in all, a tenth of them unless the series are run in full. */
function holds(what: string, runs: number, property: fc.IProperty<unknown>): void {
  it(what, { timeout: 300_000 }, () => fc.assert(property, { numRuns: process.env.SOAK ? runs : runs / 10 }));
}

describe('properties for any files and facts', () => {
  const seen = new Set<Effect>();
  holds(
    'agrees with the plain reference, and gives one answer when all is known',
    36_000,
    fc.property(files, request, (given, userApprovals) => {
      const { answer: got, answers } = verdict(given, userApprovals);
      seen.add(got);
      return answers.length === 1 && got === naive(given, userApprovals);
    }),
  );
  it('produces all three answers', () => expect([...seen].sort()).toEqual(['allow', 'ask', 'deny']));

  holds(
    'a project never loosens',
    10_000,
    fc.property(files, projectFile, request, ({ user, managed, callerProject }, project, userApprovals) => {
      const [one, both] = [
        { user, managed, callerProject },
        { user, managed, callerProject, project },
      ];
      return strict(answer(both, userApprovals)) >= strict(answer(one, userApprovals));
    }),
  );

  holds(
    "a caller's project never loosens",
    10_000,
    fc.property(files, projectFile, request, ({ user, managed, project }, callerProject, userApprovals) => {
      const [one, both] = [
        { user, managed, project },
        { user, managed, callerProject, project },
      ];
      return strict(answer(both, userApprovals)) >= strict(answer(one, userApprovals));
    }),
  );

  holds(
    'no decision is looser than one file alone',
    10_000,
    fc.property(files, request, (given, userApprovals) => {
      const { answer: got, said } = verdict(given, userApprovals);
      return said.every(({ tier, answer: own }) => tier === 'built-in' || !own || strict(got) >= strict(own));
    }),
  );

  holds(
    'a managed file never loosens what user and project say',
    10_000,
    fc.property(files, trustedFile, request, ({ user, project }, managed, userApprovals) => {
      const without = verdict({ user, project }, userApprovals);
      const own = without.said.flatMap(({ tier, answer: one }) => (tier !== 'built-in' && one ? [strict(one)] : []));
      return strict(answer({ user, project, managed }, userApprovals)) >= Math.max(0, ...own);
    }),
  );

  holds(
    'another deny never loosens',
    8_000,
    fc.property(
      files,
      request,
      when,
      fc.constantFrom('user', 'project', 'managed'),
      fc.nat(9),
      (given, userApprovals, w, tier, at) => {
        const deny: Rule = { name: 'more', when: w, decision: 'deny' };
        const file: PolicyFile = given[tier] ?? { version: 1 };
        const more = { ...given, [tier]: { ...file, rules: (file.rules ?? []).toSpliced(at, 0, deny) } };
        return strict(answer(more, userApprovals)) >= strict(answer(given, userApprovals));
      },
    ),
  );

  holds(
    'fewer facts give more answers, never fewer',
    12_000,
    fc.property(files, request, fc.infiniteStream(fc.boolean()), (given, userApprovals, drop) => {
      const ready = preparePolicy(given, userApprovals.desktop);
      const all = factsOf(userApprovals);
      const forgotten = [
        'app',
        'appName',
        'window',
        'role',
        'terminal',
        'name',
        'description',
        'method',
        'secure',
        'confidence',
      ];
      const some: CallFacts = { ...all };
      for (const key of [...forgotten, 'contradicted', 'installed', 'args', 'keys'] as const) {
        if (drop.next().value) delete some[key as 'args'];
      }
      const answers = ({ outcomes }: ReturnType<typeof evaluate>) => outcomes.map((one) => one?.answer);
      const [few, whole] = [
        answers(evaluate(ready, userApprovals, some)),
        answers(evaluate(ready, userApprovals, all)),
      ];
      return whole.every((one) => few.includes(one));
    }),
  );

  holds(
    'a tool that is left out of the listing is denied for every target',
    8_000,
    fc.property(files, request, (given, userApprovals) => {
      const policy = preparePolicy(given, userApprovals.desktop);
      const { tool, class: kind, caller, desktop, enabled } = userApprovals;
      const listing = decide(policy, withEffects({ tool, class: kind, caller, desktop, enabled })).answers;
      return listing.includes(decide(policy, userApprovals).answer);
    }),
  );

  /** Spellings of a name that look the same, or nearly the same. */
  const wide = (text: string): string => text.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
  const turned = (text: string): string => `\u202e${[...text].reverse().join('')}\u202c`;
  const strew = (text: string, dust: string[]): string =>
    [...text].map((c, i) => `${c}${dust[i % Math.max(1, dust.length)] ?? ''}`).join('');
  const UNSEEN = ['\u200b', '\u200d', '\u00ad', '\u2060', '\ufeff', '\u{e0041}', '\ufe0f', '\u034f', '\u180e', ''];
  const disguise = fc.oneof(
    fc.array(fc.constantFrom(...UNSEEN), { maxLength: 6 }).map((dust) => (text: string) => strew(text, dust)),
    fc.constantFrom(
      wide,
      turned,
      (text: string) => text.toUpperCase(),
      (text: string) => ` ${text}\n`,
    ),
  );
  holds(
    'a name in another spelling scores like the plain one',
    4_000,
    fc.property(request, disguise, (userApprovals, write) => {
      const plain = userApprovals.target!.name ?? 'Log out';
      const score = (name: string) =>
        verdict({}, { ...userApprovals, target: { ...userApprovals.target, name } }).risk.score.least;
      return score(write(plain)) === score(plain);
    }),
  );

  const disjoint = fc.array(fc.tuple(few, decisions), { minLength: 2, maxLength: 6 }).map((pairs) =>
    pairs.map(([w, decision], i): Rule => ({
      name: `r${i}`,
      decision,
      when: { ...w, tool: Object.keys(TOOLS)[i]! },
    })),
  );
  holds(
    'the order of rules that exclude each other does not matter',
    2_000,
    fc.property(disjoint, request, (list, userApprovals) => {
      const files = (rules: Rule[]): Files => ({ user: { version: 1, enabled: true, rules } });
      return answer(files(list), userApprovals) === answer(files(list.toReversed()), userApprovals);
    }),
  );
});
