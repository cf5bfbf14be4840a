import type { Checked } from '../checked.js';
import { matters, notAgain } from '../not-again.js';
import type { ToolField } from '../recorded-args.js';
import { stepSentence } from '../step-words.js';
import { dateText } from '../times.js';
import type { Step, Trace } from '../trace.js';
import { comment, literal } from './literal.js';
import { PROLOGUE } from './prologue.js';
import { replayArgs, type Hole } from './replay-args.js';

export interface ScriptOptions {
  /** What a tool takes; undefined where there is no such tool. */
  fieldsOf: (tool: string) => readonly ToolField[] | undefined;
  checked?: Checked;
}

interface Written {
  lines: string[];
  holes: Hole[];
}

/** The acts of a trace as a script that does them again: one command each, stopping at the first that fails. */
export function traceScript(trace: Trace, options: ScriptOptions): string {
  const written = trace.steps.map((step) => writtenStep(step, options)).filter(({ lines }) => lines.length > 0);
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

function writtenStep(step: Step, { fieldsOf }: ScriptOptions): Written {
  if (step.kind === 'event') {
    const told = step.what === 'stop' || step.what === 'pause';
    return {
      lines: told ? [comment(`${step.number}. ${step.words}${step.by ? ` by ${step.by}` : ''}.`)] : [],
      holes: [],
    };
  }
  if (!matters(step)) return { lines: [], holes: [] };
  const title = comment(`${step.number}. ${stepSentence(step)}`);
  const fields = fieldsOf(step.tool);
  const why = notAgain(step, fields !== undefined);
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
