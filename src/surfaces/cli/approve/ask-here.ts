import { createInterface } from 'node:readline/promises';
import type { AskedQuestion, HostClient } from '../../../host/index.js';
import { DesktopError, formatArgument } from '../../../shared/index.js';
import { quote } from '../../../tree/index.js';
import type { Context } from '../context.js';
import { type Paint, safeForTerminal } from '../terminal.js';

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

type Scope = AskedQuestion['widest'];

const SCOPES: readonly Scope[] = ['once', 'session', 'app'];
const OFFERS: Readonly<Record<Scope, string>> = {
  once: '[y] once',
  session: '[s]ession: this tool in this program',
  app: '[a]pp: every act in this program, up to medium risk',
};

/** The wider ones only where the question allows them. */
export const scopesUpTo = (widest: Scope): Scope[] => SCOPES.slice(0, SCOPES.indexOf(widest) + 1);

/** What the system vouches for and our own words first; what the app says comes last and in quotes. */
export function questionLines({ shown, widest, expiresAt }: AskedQuestion, paint: Paint, now = Date.now()): string[] {
  const { what, program, pid, parts = [], raised, why, reason, args, screen, changed, caller, enables, rule } = shown;
  const fact = (name: string, text: string): string => `  ${paint('grey', name.padEnd(8))} ${safeForTerminal(text)}`;
  const points = parts.length > 0 ? ` = ${parts.join(' + ')}` : '';
  const least = raised === undefined ? '' : `, high at the least: ${raised}`;
  const given = Object.entries(args).filter(([key]) => key !== 'target' && key !== 'window' && args[key] !== undefined);
  const seconds = Math.max(0, Math.round((expiresAt - now) / 1000));
  return [
    paint(
      'bold',
      enables ? `May ${safeForTerminal(caller)} work on this desktop?` : `May ${safeForTerminal(caller)} do this?`,
    ),
    ...(enables ? [] : [fact('what', what)]),
    ...(program === undefined
      ? []
      : [fact('program', `${program}${pid === undefined ? '' : ` (pid ${pid})`}, by the system`)]),
    fact('why', `${why}${points}${least}${reason === undefined ? '' : `: ${reason}`}`),
    ...(enables ? [] : given.map(([name, value]) => fact('with', `${name} ${formatArgument(value)}`))),
    ...(changed ? [fact('changed', `${changed.join(', ')} since you were asked first`)] : []),
    ...(screen
      ? [
          fact(
            'screen',
            [screen.window && `window ${quote(screen.window)}`, ...(screen.path ?? [])].filter(Boolean).join(' > '),
          ),
          ...(screen.siblings ? [fact('beside', screen.siblings.join(', '))] : []),
          `           ${paint('grey', 'the words on the screen are the app’s own')}`,
        ]
      : []),
    ...(rule === undefined ? [] : [fact('always', `needs this among the rules of your policy: ${rule}`)]),
    `  [n]o (and why)  ${
      enables
        ? '[s]ession: until it ends'
        : scopesUpTo(widest)
            .map((scope) => OFFERS[scope])
            .join('  ')
    }   ${paint('grey', `${seconds} s`)}`,
  ];
}

export type Said = { scope: Scope } | { reason?: string } | 'unclear' | 'too wide';

const YES = ['y', 'yes'];
const NO = ['n', 'no', 'r'];

/** `y`, `session`, `n not this folder`. Nothing at all is no answer. */
export function readAnswer(line: string, widest: Scope): Said {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  const small = word.toLowerCase();
  if (NO.includes(small)) return rest.length > 0 ? { reason: rest.join(' ').slice(0, 200) } : {};
  const scope = YES.includes(small) ? 'once' : SCOPES.find((one) => one === small || one[0] === small);
  if (!scope) return 'unclear';
  return scopesUpTo(widest).includes(scope) ? { scope } : 'too wide';
}

/** Whether the person at this terminal says yes. An empty line, the end of the input and all else are a no. */
export async function saysYes(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', interrupt);
  try {
    const over = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^\s*y(es)?\s*$/i.test(await Promise.race([lines.question(`${question} [y/N] `, { signal }), over]));
  } finally {
    lines.close();
  }
}
