import { createInterface } from 'node:readline/promises';
import type { AskedQuestion, HostClient } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import type { Context } from '../context.js';
import { questionLines, readAnswer } from './question-text.js';

/** What was typed sooner was not meant for this question. */
const READING_MS = 500;

/** A person is at this terminal: what they type is theirs, and what they read reaches them. */
export const personIsHere = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** For what undoes a border: a script, a pipe, or a model with a shell is refused. */
export function onlyAPerson(does: string, command: string, besides = ''): void {
  if (personIsHere()) return;
  throw new DesktopError('approval_required', `Only a person at a terminal ${does}.`, {
    hint: `Type it yourself: ${command}${besides}`,
  });
}

/** Ctrl-C means all of the command, as everywhere; by itself it would close the question alone, unanswered. */
export const interrupt = (): void => void process.kill(process.pid, 'SIGINT');

/** Puts one question to the person at this terminal and takes their answer to the host; ends when `signal` does. */
export async function askHere(
  context: Context,
  host: HostClient,
  question: AskedQuestion,
  signal: AbortSignal,
): Promise<void> {
  const { terminal } = context;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', interrupt);
  try {
    terminal.err(`\n${questionLines(question, terminal.paintErrors).join('\n')}\n`);
    const shownAt = performance.now();
    for (;;) {
      const line = await lines.question('> ', { signal });
      if (performance.now() - shownAt < READING_MS) {
        terminal.err('  that was typed before you could read the question: once more\n');
        continue;
      }
      const said = readAnswer(line, question.widest);
      if (said === 'unclear') terminal.err('  n, or one of the others; n and some words tells why not\n');
      else if (said === 'too wide') terminal.err('  that much cannot be allowed here\n');
      else {
        const { taken } = await host.request<{ taken: string }>('answer', { id: question.id, ...said });
        if (taken !== 'counted') terminal.err(`  ${taken}: your answer did not count\n`);
        return;
      }
    }
  } catch (error) {
    // It was answered elsewhere, or nobody waits for the answer any more.
    if (!signal.aborted) throw error;
    terminal.err('\n');
  } finally {
    lines.close();
  }
}
