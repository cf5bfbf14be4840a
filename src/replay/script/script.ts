import { TOOLS } from '../../tools/index.js';
import { isReplayRelevant, notReplayableReason } from '../plan.js';
import { recordedArgs, type ToolField } from '../recorded-call.js';
import { dateText, safeText, stepSentence } from '../step-text.js';
import type { LogVerification, CallStep, Step, Trace } from '../trace.js';

interface ScriptOptions {
  /** The arguments of a tool; undefined for an unknown tool. */
  fieldsOf: (tool: string) => readonly ToolField[] | undefined;
  checked?: LogVerification;
}

interface WrittenStep {
  lines: string[];
  holes: Hole[];
}

/** The acts of a trace as a script that repeats them: one command each, stopping at the first that fails. */
export function traceScript(trace: Trace, options: ScriptOptions): string {
  const written = trace.steps.map((step) => writeStep(step, options)).filter(({ lines }) => lines.length > 0);
  const { checked } = options;
  const holes = written.flatMap((one) => one.holes);
  const when = trace.from === undefined ? '' : `, ${dateText(trace.from)} UTC`;
  return [
    '#!/usr/bin/env node',
    comment(`Made by Deskproof from the log of the desktop ${quote(trace.desktop ?? 'unknown')}${when}.`),
    comment('It repeats the acts of that session and stops at the first that fails: node THIS_FILE --desktop NAME'),
    ...(checked ? [comment(`The log ${checked.ok ? 'verifies' : 'DOES NOT VERIFY'}: ${checked.verdict}`)] : []),
    ...trace.unknown.map((text) => comment(`Unknown: ${text}`)),
    "import { spawnSync } from 'node:child_process';",
    '',
    '/** Values that the log does not contain. Fill in each before you run the script; null leaves an argument out. */',
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
    const isPrinted = step.what === 'stop' || step.what === 'pause';
    return {
      lines: isPrinted ? [comment(`${step.number}. ${step.description}${step.by ? ` by ${step.by}` : ''}.`)] : [],
      holes: [],
    };
  }
  if (!isReplayRelevant(step)) return { lines: [], holes: [] };
  const title = comment(`${step.number}. ${stepSentence(step)}`);
  const fields = fieldsOf(step.tool);
  const why = notReplayableReason(step, fields !== undefined);
  if (why !== undefined || !fields) return { lines: [title, comment(`   Not repeated: ${why ?? ''}.`)], holes: [] };
  const { args, holes, notes } = replayArgs(step, fields);
  const command = step.tool.replace(/^ui_/, '').replaceAll('_', '-');
  return {
    lines: [
      title,
      ...notes.map((note) => comment(`   ${note}.`)),
      ...(step.result === 'failed'
        ? [
            comment(
              `   In the recording it was done but not confirmed: ${step.outcome?.error ?? step.outcome?.status ?? 'failed'}.`,
            ),
          ]
        : []),
      `act(${step.number}, ${literal(command)}, ${source(step.tool, args)});`,
    ],
    holes: holes.map(({ key, why: reason }) => ({ key, why: `step ${step.number}, ${stepSentence(step)}: ${reason}` })),
  };
}

/** The positionals of a command that takes all remaining words are given as they are; everything else is a flag. */
function source(tool: string, args: readonly [string, string][]): string {
  const positionals = remainingWords(tool);
  const flags = args.filter(([name]) => !positionals.includes(name)).map(([name, value]) => `${name}: ${value}`);
  const list = positionals.flatMap((positional, at) => {
    const values = args.filter(([name]) => name === positional).map(([, text]) => text);
    if (at < positionals.length - 1) return values;
    return values.map((text) => (text.startsWith('[') ? `...${text}` : `...(${text} ?? [])`));
  });
  const members = [...flags, ...(list.length > 0 ? [`'--': [${list.join(', ')}]`] : [])];
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

function remainingWords(name: string): readonly string[] {
  const cli = TOOLS.find((tool) => tool.name === name)?.cli;
  return cli && cli !== 'none' && cli.takesRest ? (cli.positionals ?? []) : [];
}

/** The start of every script. It is valid both as JavaScript and as strict TypeScript. */
const PROLOGUE = `const [, desktop] = /^--desktop[ =](\\S+)$/.exec(process.argv.slice(2).join(' ')) ?? [];

function end(code = 1, words = '') {
  console.error(words);
  process.exit(code);
}

/** Runs one command without a shell. A flag with the value null is left out. */
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
  if (status !== 0) end(status ?? 1, \`Step \${step} (\${command}) failed. The steps after it were not done.\`);
}

const empty = Object.entries(missing).filter(([, value]) => value === undefined);
if (empty.length > 0) end(2, \`Nothing was done: fill in \${empty.map(([name]) => name).join(', ')} under "missing" in this script first.\`);
if (desktop === undefined) end(2, 'Nothing was done: name the desktop with --desktop NAME (user is your own desktop).');
`;

// A JavaScript line end, or a character that makes code look like other code.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;

const escapeCharacter = (character: string): string =>
  [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');

/** Any JSON value as source code. It cannot end its string or its line, and invisible characters are escaped. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${keyOf(key)}: ${literal(member)}`);
    return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
  }
  return JSON.stringify(value).replace(UNSAFE, escapeCharacter);
}

/** `__proto__` without brackets would set the prototype. */
function keyOf(key: string): string {
  if (key === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : literal(key);
}

/** Text for the rest of a `//` line. */
function comment(text: string): string {
  return `// ${safeText(text)}`;
}

/** A value that the log does not contain and the user must fill in. */
interface Hole {
  /** `text7`: a member of `missing` in the script. */
  key: string;
  why: string;
}

interface ReplayArgs {
  /** Name and source text of each value, in order. */
  args: [name: string, source: string][];
  holes: Hole[];
  /** How the arguments differ from the recorded ones. */
  notes: string[];
}

/** The arguments of a recorded act as source code, with a hole for each value that the log does not contain. */
function replayArgs(step: CallStep, fields: readonly ToolField[]): ReplayArgs {
  const { args, notes } = recordedArgs(step, fields);
  const out: ReplayArgs = { args: [], holes: [], notes };
  for (const arg of args) {
    const key = `${arg.name}${step.number}`;
    if ('lost' in arg) out.holes.push({ key, why: `${arg.name} ${arg.lost}` });
    out.args.push([arg.name, 'lost' in arg ? `missing.${key}` : literal(arg.value)]);
  }
  return out;
}
