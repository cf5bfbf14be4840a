import { isReplayRelevant, notReplayableReason } from '../plan.js';
import { recordedArgs, type ToolField } from '../recorded-call.js';
import { dateText, safeText, stepSentence } from '../step-text.js';
import type { LogVerification, CallStep, Step, Trace } from '../trace.js';

export interface ScriptOptions {
  /** What a tool takes; undefined where there is no such tool. */
  fieldsOf: (tool: string) => readonly ToolField[] | undefined;
  checked?: LogVerification;
}

interface WrittenStep {
  lines: string[];
  holes: Hole[];
}

/** The acts of a trace as a script that does them again: one command each, stopping at the first that fails. */
export function traceScript(trace: Trace, options: ScriptOptions): string {
  const written = trace.steps.map((step) => writeStep(step, options)).filter(({ lines }) => lines.length > 0);
  const { checked } = options;
  const holes = written.flatMap((one) => one.holes);
  const when = trace.from === undefined ? '' : `, ${dateText(trace.from)} UTC`;
  return [
    '#!/usr/bin/env node',
    comment(`Made by Deskproof from the log of the desktop ${quote(trace.desktop ?? 'unknown')}${when}.`),
    comment('It does the acts of that session again and stops at the first that fails: node THIS_FILE --desktop NAME'),
    ...(checked ? [comment(`The log ${checked.ok ? 'verifies' : 'DOES NOT VERIFY'}: ${checked.verdict}`)] : []),
    ...trace.unknown.map((text) => comment(`Not known: ${text}`)),
    "import { spawnSync } from 'node:child_process';",
    '',
    '/** What the log does not hold. Nothing runs before each is filled in; null leaves an argument out. */',
    ...(holes.length === 0
      ? ['const missing = {};']
      : [
          'const missing = {',
          ...holes.flatMap(({ key, why }) => [`  ${comment(`TODO: ${why}`)}`, `  ${key}: undefined,`]),
          '};',
        ]),
    '',
    PROLOGUE,
    ...written.flatMap(({ lines }) => [...lines, '']),
  ].join('\n');
}

const quote = (text: string): string => JSON.stringify(text);

function writeStep(step: Step, { fieldsOf }: ScriptOptions): WrittenStep {
  if (step.kind === 'event') {
    const told = step.what === 'stop' || step.what === 'pause';
    return {
      lines: told ? [comment(`${step.number}. ${step.words}${step.by ? ` by ${step.by}` : ''}.`)] : [],
      holes: [],
    };
  }
  if (!isReplayRelevant(step)) return { lines: [], holes: [] };
  const title = comment(`${step.number}. ${stepSentence(step)}`);
  const fields = fieldsOf(step.tool);
  const why = notReplayableReason(step, fields !== undefined);
  if (why !== undefined || !fields) return { lines: [title, comment(`   Not done again: ${why ?? ''}.`)], holes: [] };
  const { args, holes, notes } = replayArgs(step, fields);
  const command = step.tool.replace(/^ui_/, '').replaceAll('_', '-');
  return {
    lines: [
      title,
      ...notes.map((note) => comment(`   ${note}.`)),
      ...(step.result === 'failed'
        ? [
            comment(
              `   It was done then and not confirmed: ${step.outcome?.error ?? step.outcome?.status ?? 'failed'}.`,
            ),
          ]
        : []),
      `act(${step.number}, ${literal(command)}, ${source(step.tool, args)});`,
    ],
    holes: holes.map(({ key, why: reason }) => ({ key, why: `step ${step.number}, ${stepSentence(step)}: ${reason}` })),
  };
}

/** `launch` takes its program and words as they are; everything else is a flag. */
function source(tool: string, args: readonly [string, string][]): string {
  const words = tool === 'ui_launch' ? args.filter(([name]) => name === 'command' || name === 'args') : [];
  const flags = args.filter((one) => !words.includes(one)).map(([name, value]) => `${name}: ${value}`);
  const value = (wanted: string): string[] => words.filter(([name]) => name === wanted).map(([, text]) => text);
  const list = [
    ...value('command'),
    ...value('args').map((text) => (text.startsWith('[') ? `...${text}` : `...(${text} ?? [])`)),
  ];
  const members = [...flags, ...(list.length > 0 ? [`'--': [${list.join(', ')}]`] : [])];
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** The few lines that every script begins with. They are plain JavaScript and strict TypeScript at once. */
export const PROLOGUE = `const [, desktop] = /^--desktop[ =](\\S+)$/.exec(process.argv.slice(2).join(' ')) ?? [];

function end(code = 1, words = '') {
  console.error(words);
  process.exit(code);
}

/** One command, without a shell. A flag that is null is left out. */
function act(step = 0, command = '', args = {}) {
  const flags = Object.entries(args).flatMap(([name, value]) => {
    const flag = \`--\${name.replace(/[A-Z]/g, (letter) => \`-\${letter.toLowerCase()}\`)}\`;
    if (name === '--' || value === null || value === false) return [];
    if (value === true) return [flag];
    if (Array.isArray(value)) return [\`\${flag}=\${value.join(',')}\`];
    return [\`\${flag}=\${typeof value === 'object' ? JSON.stringify(value) : value}\`];
  });
  const words = Object.entries(args).flatMap(([name, value]) => (name === '--' && Array.isArray(value) ? ['--', ...value] : []));
  console.log(\`\${step}: \${command}\`);
  const { status, error } = spawnSync('deskproof', [command, \`--desktop=\${desktop}\`, ...flags, ...words], { stdio: 'inherit' });
  if (error) end(1, \`Step \${step}: deskproof could not be run: \${error.message}\`);
  if (status !== 0) end(status ?? 1, \`Step \${step} (\${command}) failed. What comes after it was not done.\`);
}

const empty = Object.entries(missing).filter(([, value]) => value === undefined);
if (empty.length > 0) end(2, \`Nothing was done: fill in \${empty.map(([name]) => name).join(', ')} under "missing" in this script first.\`);
if (desktop === undefined) end(2, 'Nothing was done: say on which desktop, with --desktop NAME (user is your own screen).');
`;

// A line end of JavaScript's, or a character that makes code look like other code.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;

const escapeCharacter = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** Any value of JSON as source: it can end neither its string nor its line, and what is not to be seen is escaped. */
export function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${literal(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value).replace(UNSAFE, escapeCharacter);
}

/** `__proto__` without brackets would be no member. */
function keyOf(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : literal(key);
}

/** Text for the rest of a `//` line. */
export function comment(text: string): string {
  return `// ${safeText(text)}`;
}

/** Something that the log does not hold and a person must fill in. */
export interface Hole {
  /** `text7`: a member of `missing` in the script. */
  key: string;
  why: string;
}

export interface ReplayArgs {
  /** Name and source text of its value, in order. */
  args: [name: string, source: string][];
  holes: Hole[];
  /** What is not as it was recorded. */
  notes: string[];
}

/** The arguments of a recorded act as source, with a hole for each that cannot be said again. */
export function replayArgs(step: CallStep, fields: readonly ToolField[]): ReplayArgs {
  const { args, notes } = recordedArgs(step, fields);
  const out: ReplayArgs = { args: [], holes: [], notes };
  for (const arg of args) {
    const key = `${arg.name}${step.number}`;
    if ('lost' in arg) out.holes.push({ key, why: `${arg.name} ${arg.lost}` });
    out.args.push([arg.name, 'lost' in arg ? `missing.${key}` : literal(arg.value)]);
  }
  return out;
}
