import type { PendingQuestion, CallAnswer, Choice, HostClient } from '../../host/index.js';
import { withoutUntrustedMarkers } from '../../tree/index.js';
import { askHere, userIsHere } from './approve/ask-here.js';
import { closing, type Context, type Flags, connectDesktop } from './context.js';
import { colourText, ProgressLine } from './terminal.js';
import { commandName } from './tools/command-name.js';
import type { Arguments } from './tools/tool-command.js';

/** All CLI commands of a user share one caller, so `events` continues where the last command stopped. */
const CALLER = 'cli';

/** Calls a tool and prints its answer. */
export async function callTool(context: Context, tool: string, args: Arguments, flags: Flags): Promise<void> {
  const { answer, choice } = await requestTool(context, tool, args, flags, flags.json ? 'json' : 'text');
  if (flags.json) printJson(context, answer.json);
  else printText(context, answer.text ?? '', choice);
}

/** Calls a tool on the chosen desktop. */
export async function requestTool(
  context: Context,
  tool: string,
  args: Arguments,
  flags: Flags,
  want: 'json' | 'text' | 'both',
): Promise<{ answer: CallAnswer; choice: Choice }> {
  const { host, choice } = await connectDesktop(context, flags);
  context.inTool = true;
  return closing(host, async () => {
    const answer = await callOnConnection(context, host, { tool, args, want, caller: CALLER });
    return { answer, choice };
  });
}

interface HostCall {
  tool: string;
  args: Arguments;
  want: 'json' | 'text' | 'both';
  caller: string;
}

/** Makes one call on an open connection. Shows its progress and asks the user at this terminal for approvals. */
export async function callOnConnection(context: Context, host: HostClient, call: HostCall): Promise<CallAnswer> {
  const progress = new ProgressLine(context.terminal, call.tool.replace(/^ui_/, ''));
  const callEnded = new AbortController();
  const asks = userIsHere();
  /** Per approval request: aborted when it was answered elsewhere. */
  const openRequests = new Map<string, AbortController>();
  const onItem = (item: unknown): void => {
    const { question, closed } = item as { question?: PendingQuestion; closed?: string };
    if (closed !== undefined) openRequests.get(closed)?.abort();
    if (!question) return;
    const requestClosed = new AbortController();
    openRequests.set(question.id, requestClosed);
    const signal = AbortSignal.any([callEnded.signal, requestClosed.signal]);
    void progress.hideWhile(() => askHere(context, host, question, signal));
  };
  try {
    return await host.request<CallAnswer>(
      'call',
      { ...call, ...(asks && { asks: 'terminal' }) },
      { signal: context.signal, onProgress: (done) => progress.update(done), onItem },
    );
  } finally {
    callEnded.abort();
    progress.clear();
  }
}

/** Prints JSON: one line for programs, indented on a terminal. */
export function printJson(context: Context, value: unknown): void {
  context.terminal.out(`${JSON.stringify(value, null, context.terminal.isTerminal ? 2 : undefined)}\n`);
}

/**
 * A pipe gets the text exactly as models do. A terminal gets it without markers, in colour, with the desktop's name.
 */
export function printText(context: Context, text: string, choice: Choice): void {
  const { terminal } = context;
  if (!terminal.isTerminal) {
    terminal.out(text.endsWith('\n') ? text : `${text}\n`);
    return;
  }
  if (choice.kind === 'private') terminal.out(`${terminal.paint('grey', `desktop ${choice.name}`)}\n`);
  terminal.out(
    `${colourText(toolNamesToCommands(withoutUntrustedMarkers(text), context.toolNames), terminal.paint)}\n`,
  );
}

const QUOTED_OR_TOOL = /"(?:[^"\\]|\\.)*"|\bui_[a-z_]+\b/g;
/** Table rows and text lines, which contain unquoted text from apps. */
const APP_TEXT_LINE = /^\s*\||^\s*\S+ \| /;

/** Replaces tool names by command names, for users. Text from apps does not change. */
export function toolNamesToCommands(text: string, tools: ReadonlySet<string>): string {
  const toCommand = (found: string): string => (tools.has(found) ? commandName(found) : found);
  return text
    .split('\n')
    .map((line) => (APP_TEXT_LINE.test(line) ? line : line.replaceAll(QUOTED_OR_TOOL, toCommand)))
    .join('\n');
}
