import type { AskedQuestion, CallAnswer, Choice, HostClient } from '../../host/index.js';
import { withoutUntrustedMarkers } from '../../tree/index.js';
import { askHere, personIsHere } from './approve/ask-here.js';
import { closing, type Context, type Flags, openChosen } from './context.js';
import { colourText, ProgressLine } from './terminal.js';
import { commandName, SHAPES } from './tools/shapes.js';
import type { Arguments } from './tools/tool-command.js';

/** All commands of one person are one caller: `events` goes on where the last one stopped. */
const CALLER = 'cli';

/** Sends one tool call to the desktop's host and prints the answer. */
export async function callTool(context: Context, tool: string, args: Arguments, flags: Flags): Promise<void> {
  const { answer, choice } = await askTool(context, tool, args, flags, flags.json ? 'json' : 'text');
  if (flags.json) printJson(context, answer.json);
  else printText(context, answer.text ?? '', choice);
}

/** Sends one tool call to the desktop's host. */
export async function askTool(
  context: Context,
  tool: string,
  args: Arguments,
  flags: Flags,
  want: 'json' | 'text' | 'both',
): Promise<{ answer: CallAnswer; choice: Choice }> {
  const { host, choice } = await openChosen(context, flags);
  context.inTool = true;
  return closing(host, async () => {
    const answer = await askHost(context, host, { tool, args, want, caller: CALLER });
    return { answer, choice };
  });
}

export interface HostCall {
  tool: string;
  args: Arguments;
  want: 'json' | 'text' | 'both';
  caller: string;
}

/** One call on an open connection: its progress is shown here, and its questions are put to the person who is here. */
export async function askHost(context: Context, host: HostClient, call: HostCall): Promise<CallAnswer> {
  const progress = new ProgressLine(context.terminal, call.tool.replace(/^ui_/, ''));
  const over = new AbortController();
  const asks = personIsHere();
  /** Of each question: until it was answered elsewhere. */
  const gone = new Map<string, AbortController>();
  const onItem = (item: unknown): void => {
    const { question, closed } = item as { question?: AskedQuestion; closed?: string };
    if (closed !== undefined) gone.get(closed)?.abort();
    if (!question) return;
    const left = new AbortController();
    gone.set(question.id, left);
    const signal = AbortSignal.any([over.signal, left.signal]);
    void progress.silentWhile(() => askHere(context, host, question, signal));
  };
  try {
    return await host.request<CallAnswer>(
      'call',
      { ...call, ...(asks && { asks: 'terminal' }) },
      { signal: context.signal, onProgress: (done) => progress.update(done), onItem },
    );
  } finally {
    over.abort();
    progress.clear();
  }
}

/** One line for programs, laid out for people. */
export function printJson(context: Context, value: unknown): void {
  context.terminal.out(`${JSON.stringify(value, null, context.terminal.isPerson ? 2 : undefined)}\n`);
}

/** A pipe gets the text for models as it is; a person gets it without marks, in colour, with the desktop's name. */
export function printText(context: Context, text: string, choice: Choice): void {
  const { terminal } = context;
  if (!terminal.isPerson) {
    terminal.out(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  if (choice.kind === 'private') terminal.out(`${terminal.paint('grey', `desktop ${choice.name}`)}\n`);
  terminal.out(`${colourText(asCommands(withoutUntrustedMarkers(text)), terminal.paint)}\n`);
}

const NAMED = /"(?:[^"\\]|\\.)*"|\bui_[a-z_]+\b/g;
/** Rows of tables and lines of texts hold words of apps without quotes. */
const OF_APPS = /^\s*\||^\s*\S+ \| /;

/** Answers name tools as models call them; a person types commands. What an app says stays as it is. */
export function asCommands(text: string): string {
  const spoken = (found: string): string => (found in SHAPES ? commandName(found) : found);
  return text
    .split('\n')
    .map((line) => (OF_APPS.test(line) ? line : line.replaceAll(NAMED, spoken)))
    .join('\n');
}
