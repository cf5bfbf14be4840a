// @module-tag safety
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn } from '../../scripts/house/sources.mjs';
import { MemoryLedger } from '../../src/audit/index.js';
import { fakeDesktop } from '../../src/drivers/fake/index.js';
import { compilePolicy, type PolicyFile } from '../../src/policy/index.js';
import { type ActionPlan, Desktop, defineAct, perform, type Tool } from '../../src/runtime/index.js';
import { callRequest, policyRequest } from '../../src/runtime/request/policy-request.js';
import { LogRedactor, Masks, SecretStore, TaintTracker } from '../../src/secrets/index.js';
import { createContext } from '../../src/surfaces/cli/context.js';
import { manifestEntry } from '../../src/surfaces/cli/tools/fields.js';
import { toolCommands } from '../../src/surfaces/cli/tools/run-tool.js';
import { stepSentence } from '../../src/replay/step-text.js';
import { actionText } from '../../src/tools/text/action.js';
import { TOOLS } from '../../src/tools/index.js';
import { ROOT } from './library-program.js';

// A tool declares in its own file everything that it means to policy, log and command line. These tests plant a new one
// that carries text, and read what became of the text.

const TEXT = 'correct horse battery';
const SECRET = 'staple in the vault';

let received: unknown[];

/** Everything that its author writes. Nothing else in the product knows its name. */
const planted = defineAct({
  name: 'ui_planted',
  class: 'act',
  description: 'Write a note.',
  traits: {
    text: { argument: 'note', to: 'value', secret: 'vault' },
    ...{ keys: 'none', risk: 'set_value', place: 'any-window', appGrant: true },
  },
  cli: {
    group: 'Act',
    positionals: ['note'],
    shortFlags: { vault: 'v' },
    examples: [['planted hello', 'write hello']],
  },
  sentence: { verb: () => ['Write a note'], at: 'into' },
  timeoutMs: 2_000,
  input: z.object({
    note: z.string().optional(),
    vault: z.string().optional(),
    target: z.string(),
    redactInLogs: z.boolean().optional(),
  }),
  async aim(reader, { target }): Promise<ActionPlan> {
    const found = await reader.target(target);
    return { verb: 'write', target: found, window: found.window, needs: {} };
  },
  async act(_, __, { note }) {
    received.push(note);
    return { method: 'pattern' };
  },
  text: actionText,
});

let desktop: Desktop;
let ledger: MemoryLedger;
beforeEach(() => open());
afterEach(() => desktop.close());

function open(rules: PolicyFile['rules'] = []): void {
  const fake = fakeDesktop({
    windows: [
      {
        ...{ key: 'bank', title: 'Bank', app: 'bank', program: '/usr/bin/bank' },
        bounds: { x: 0, y: 0, width: 400, height: 400 },
        children: [
          { role: 'textbox', name: 'Login', key: 'login' },
          { role: 'textbox', name: 'Password', key: 'password', states: { secret: true } },
        ],
      },
    ],
  });
  const secrets: PolicyFile['secrets'] = { pin: { env: 'PLANTED_PIN', into: { app: '/usr/bin/bank' } } };
  const policy = compilePolicy({ user: { version: 1, secrets, rules } }, 'virtual');
  const taint = new TaintTracker();
  const redactor = new LogRedactor(taint, new Masks([]));
  const store = new SecretStore(policy.settings.secrets, { environment: { PLANTED_PIN: SECRET } });
  ledger = new MemoryLedger(redactor);
  desktop = new Desktop({
    ...{ name: 'desk', kind: 'virtual', driver: fake.driver, policy, ledger },
    secrecy: { store, taint, withhold: (text, where) => redactor.withhold(text, where) },
  });
  received = [];
}

const call = (args: object) =>
  perform(desktop, [...TOOLS, planted], { tool: planted.name, args, caller: 'mcp:a' }).catch((error: unknown) => error);
const logged = (): string => JSON.stringify(ledger.records);

describe('the text of a planted tool', () => {
  it('is logged where everybody can read it', async () => {
    await call({ target: 'textbox:Login', note: TEXT });
    expect(received).toEqual([TEXT]);
    expect(logged()).toContain(TEXT);
  });

  it.each<[string, object]>([
    ['goes into a password field', { target: 'textbox:Password' }],
    ['is marked by the caller', { target: 'textbox:Login', redactInLogs: true }],
  ])('is not logged if it %s', async (_, args) => {
    await call({ note: TEXT, ...args });
    expect(received).toEqual([TEXT]);
    expect(ledger.records.map(({ kind }) => kind)).toEqual(['intent', 'outcome']);
    expect(logged()).not.toContain(TEXT);
  });

  it.each<[string, object, () => void]>([
    ['its target was not found', { target: 'textbox:Nowhere' }, () => undefined],
    ['everything is stopped', { target: 'textbox:Login' }, () => desktop.emergencyStop.engage('of a test')],
    [
      'a rule denies it by its name',
      { target: 'textbox:Login' },
      () => open([{ name: 'no', when: { tool: 'ui_planted' }, decision: 'deny' }]),
    ],
  ])('is not logged if %s', async (_, args, prepare) => {
    prepare();
    await call({ note: TEXT, ...args });
    expect(received).toEqual([]);
    expect(ledger.records).toHaveLength(1);
    expect(logged()).not.toContain(TEXT);
  });

  it('can be a secret, whose value is in no record', async () => {
    await call({ target: 'textbox:Login', vault: 'pin' });
    expect(received).toEqual([SECRET]);
    expect(logged()).toContain('"vault":"pin"');
    expect(logged()).not.toContain(SECRET);
  });

  it('is not known to rules before its target is', () => {
    const request = callRequest(planted, 'mcp:a', { target: 'e1', note: TEXT });
    expect(JSON.stringify(policyRequest(request, { desktop: 'seat' }))).not.toContain(TEXT);
  });
});

describe('a planted tool', () => {
  it('has the risk of its action, and more as plain text for a secure field', () => {
    const request = callRequest(planted, 'mcp:a', { target: 'e1', note: TEXT });
    const risk = (secure: boolean): number =>
      compilePolicy({}, 'seat').decide(policyRequest(request, { desktop: 'seat', target: { secure } })).risk.score.most;
    expect([risk(false), risk(true)]).toEqual([2, 3]);
  });

  it('is a command with its own form', async () => {
    const context = createContext(new AbortController().signal, {});
    const [command] = toolCommands(context, (name) => new Command(name), manifestEntry(planted));
    expect(command!.helpInformation()).toMatch(/^Usage: planted \[options\] \[note\]/);
    expect(command!.helpInformation()).toContain('-v, --vault');
  });

  it('cannot leave out what it means', () => {
    const { traits, cli, sentence, ...rest } = planted;
    const { risk: _, ...riskless } = traits;
    const { text: __, ...textless } = traits;
    // @ts-expect-error no traits
    defineAct({ ...rest, cli, sentence });
    // @ts-expect-error no risk
    defineAct({ ...rest, cli, sentence, traits: riskless });
    // @ts-expect-error an act has a risk
    defineAct({ ...rest, cli, sentence, traits: { ...riskless, risk: 'none' } });
    // @ts-expect-error nothing about text
    defineAct({ ...rest, cli, sentence, traits: textless });
    // @ts-expect-error no form on the command line
    defineAct({ ...rest, traits, sentence });
    // @ts-expect-error no sentence for the log
    defineAct({ ...rest, traits, cli });
    expect(traits.risk).toBe('set_value');
  });
});

/** Strings that name something on the desktop or in the file system, and are not text of the user. */
const REFERENCES = ['target', 'from', 'to', 'window', 'space', 'until', 'command', 'verify'];

/** The arguments of a tool that take any string. */
function freeStrings({ input }: Tool): string[] {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const isFree = (one: unknown): boolean => {
    const { type, enum: words, anyOf = [] } = one as { type?: string; enum?: unknown; anyOf?: unknown[] };
    return (type === 'string' && !words) || anyOf.some(isFree);
  };
  return Object.keys(properties).filter((name) => isFree(properties[name]));
}

describe('every tool', () => {
  const all: readonly Tool[] = [...TOOLS, planted];

  it.each(all.map((tool) => [tool.name, tool] as const))('%s describes itself', (name, tool) => {
    expect(tool.cli).not.toBe('none');
    if ('steps' in tool) return;
    expect(stepSentence({ kind: 'act', number: 1, tool: name } as never)).not.toBe('');
    if (!('act' in tool)) return;
    expect(tool.traits.risk).not.toBe('none');
    const { text, keys } = tool.traits;
    const declared = [
      ...(text === 'none' ? [] : [text.argument, ...(text.to === 'elsewhere' ? [] : [text.secret])]),
      ...(keys === 'none' ? [] : [keys.argument]),
    ];
    const undeclared = freeStrings(tool).filter((one) => !declared.includes(one) && !REFERENCES.includes(one));
    expect(undeclared, 'declare it in traits.text, or as a reference here').toEqual([]);
  });
});

/** Where calling a tool by its name is the purpose. */
const USES = /^src\/(tools|surfaces\/library|surfaces\/cli\/demo)\//;
/** A table or a branch by tool name: a key, a list, a comparison, a case. */
const MEANING = [
  /(?:^|[{,\s])['"]?ui_[a-z_]+['"]?\s*:/,
  /\[\s*['"]ui_[a-z_]+['"]/,
  /[!=]==?\s*['"]ui_[a-z_]+['"]/,
  /['"]ui_[a-z_]+['"]\s*[!=]==?/,
  /case ['"]ui_[a-z_]+['"]/,
];

const withoutComments = (text: string): string => text.replace(/\/\*[^]*?\*\/|(^|\s)\/\/.*$/gm, '');
const meaningByName = (text: string): string[] =>
  withoutComments(text)
    .split('\n')
    .filter((line) => MEANING.some((pattern) => pattern.test(line)))
    .map((line) => line.trim());

describe('no file knows what a tool means by its name', () => {
  it.each([
    "  ui_type: ['text'],",
    "const TEXTS = new Set(['ui_type']);",
    "if (tool === 'ui_key') return;",
    "if ('ui_key' !== tool) return;",
    "    case 'ui_launch':",
  ])('finds %s', (line) => expect(meaningByName(line)).toHaveLength(1));

  it.each(["await callTool(context, 'ui_query', {});", "// tool === 'ui_key'", "const call = { tool: 'ui_capture' };"])(
    'accepts %s',
    (line) => expect(meaningByName(line)).toEqual([]),
  );

  it('in src, outside of the tools themselves', () => {
    const files = filesIn(ROOT, 'src', /\.ts$/).filter(
      (file) => !file.endsWith('.test.ts') && !USES.test(file),
    );
    expect(files.length).toBeGreaterThan(300);
    const found = files.flatMap((file) =>
      meaningByName(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}: ${line}`),
    );
    expect(found).toEqual([]);
  });
});
