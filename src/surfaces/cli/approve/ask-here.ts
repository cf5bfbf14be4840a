import { createInterface } from 'node:readline/promises';
import type { PendingQuestion, HostClient } from '../../../host/index.js';
import { DesktopError, formatArgument, formatWhole, isTooFast } from '../../../shared/index.js';
import { quote } from '../../../tree/index.js';
import type { Context } from '../context.js';
import { type Paint, safeForTerminal } from '../terminal.js';

/** True if the user is at this terminal: standard input and standard error are both a terminal. */
export const userIsHere = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** For commands that loosen a security boundary: refuses a script, a pipe, or a model with a shell. */
export function requireUser(action: string, command: string, addition = ''): void {
  if (userIsHere()) return;
  throw new DesktopError('approval_required', `Only the user at a terminal can ${action}.`, {
    hint: `Run it in a terminal yourself: ${command}${addition}`,
  });
}

/** Ctrl-C ends the whole command. Without this, readline would only close the prompt, unanswered. */
const interrupt = (): void => void process.kill(process.pid, 'SIGINT');

/** Shows one approval request at this terminal and sends the answer to the host; ends when `signal` is aborted. */
export async function askHere(
  context: Context,
  host: HostClient,
  question: PendingQuestion,
  signal: AbortSignal,
): Promise<void> {
  const { terminal } = context;
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', interrupt);
  try {
    terminal.err(`\n${requestLines(question, terminal.paintErrors).join('\n')}\n`);
    const shownAt = performance.now();
    const pages = hiddenPages(question.shown.args);
    let warned = false;
    for (let page = 0; ;) {
      const line = await lines.question('> ', { signal });
      if (/^\s*m(ore)?\s*$/i.test(line)) {
        const [text, rest] = [pages[page], Math.max(0, pages.length - page - 1)];
        page += 1;
        terminal.err(text === undefined ? '  You have seen everything.\n' : `${text}\n  ${rest} more pages\n`);
        continue;
      }
      if (isTooFast('terminal', performance.now() - shownAt)) {
        terminal.err('  That was typed before you could read the request. Please answer again.\n');
        continue;
      }
      const said = readAnswer(line, question.widest);
      if (said === 'unclear')
        terminal.err('  Answer n, or one of the other letters. To give a reason, type: n REASON\n');
      else if (said === 'too wide') terminal.err('  The policy does not allow such a wide approval here.\n');
      else if ('scope' in said && page < pages.length && !warned) {
        warned = true;
        terminal.err(`  ${notShown(pages.length - page)} Type m to read on, or answer again to allow it unread.\n`);
      } else {
        const { taken } = await host.request<{ taken: string }>('answer', { id: question.id, ...said });
        if (taken !== 'counted') terminal.err(`  ${taken}: your answer was not used\n`);
        return;
      }
    }
  } catch (error) {
    // It was answered elsewhere, or the caller no longer waits.
    if (!signal.aborted) throw error;
    terminal.err('\n');
  } finally {
    lines.close();
  }
}

const LINE_CHARACTERS = 100;
const PAGE_LINES = 20;
const notShown = (pages: number): string =>
  `${pages} ${pages === 1 ? 'page' : 'pages'} of the arguments not shown yet.`;

/** The arguments that `requestLines` shortens, in full, page by page. Empty if it shows all of them. */
export function hiddenPages(args: Readonly<Record<string, unknown>>): string[] {
  const lines = shownArguments(args).flatMap(([name, value]) => {
    const whole = [...formatWhole(value)];
    if (formatArgument(value) === whole.join('')) return [];
    const parts = Math.ceil(whole.length / LINE_CHARACTERS);
    const part = (at: number): string => whole.slice(at * LINE_CHARACTERS, (at + 1) * LINE_CHARACTERS).join('');
    return [
      `  ${safeForTerminal(name)}, in full:`,
      ...Array.from({ length: parts }, (_, at) => `  | ${safeForTerminal(part(at))}`),
    ];
  });
  const pages = Math.ceil(lines.length / PAGE_LINES);
  return Array.from({ length: pages }, (_, at) => lines.slice(at * PAGE_LINES, (at + 1) * PAGE_LINES).join('\n'));
}

/** Target and window are shown as facts, not as arguments. */
const shownArguments = (args: Readonly<Record<string, unknown>>): [string, unknown][] =>
  Object.entries(args).filter(([key, value]) => key !== 'target' && key !== 'window' && value !== undefined);

type Scope = PendingQuestion['widest'];

const SCOPES: readonly Scope[] = ['once', 'session', 'app'];
const SCOPE_OFFERS: Readonly<Record<Scope, string>> = {
  once: '[y] once',
  session: '[s]ession: this tool in this program',
  app: '[a]pp: every act in this program, up to medium risk',
};

/** The wider scopes only where the request allows them. */
const scopesUpTo = (widest: Scope): Scope[] => SCOPES.slice(0, SCOPES.indexOf(widest) + 1);

/** Verified facts and our own text come first; text from the app comes last and in quotes. */
export function requestLines({ shown, widest, expiresAt }: PendingQuestion, paint: Paint, now = Date.now()): string[] {
  const { what, program, pid, pages = [], parts = [], raised, why, reason, args } = shown;
  const { screen, changed, caller, enables, rule } = shown;
  const fact = (name: string, text: string): string => `  ${paint('grey', name.padEnd(8))} ${safeForTerminal(text)}`;
  const points = parts.length > 0 ? ` = ${parts.join(' + ')}` : '';
  const least = raised === undefined ? '' : `, at least high: ${raised}`;
  const given = shownArguments(args);
  const more = enables ? 0 : hiddenPages(args).length;
  const seconds = Math.max(0, Math.round((expiresAt - now) / 1000));
  return [
    paint(
      'bold',
      enables ? `May ${safeForTerminal(caller)} work on this desktop?` : `May ${safeForTerminal(caller)} do this?`,
    ),
    ...(enables ? [] : [fact('what', what)]),
    ...(program === undefined
      ? []
      : [fact('program', `${program}${pid === undefined ? '' : ` (pid ${pid})`}, reported by the OS`)]),
    ...(pages.length === 0 ? [] : [fact('page', `${pages.join(' in ')}, reported by the browser`)]),
    fact('why', `${why}${points}${least}${reason === undefined ? '' : `: ${reason}`}`),
    ...(enables ? [] : given.map(([name, value]) => fact('with', `${name} ${formatArgument(value)}`))),
    ...(more === 0 ? [] : [fact('more', `${notShown(more)} Type m to read them.`)]),
    ...(changed ? [fact('changed', `${changed.join(', ')} since you were first asked`)] : []),
    ...(screen
      ? [
          fact(
            'screen',
            [screen.window && `window ${quote(screen.window)}`, ...(screen.path ?? [])].filter(Boolean).join(' > '),
          ),
          ...(screen.siblings ? [fact('beside', screen.siblings.join(', '))] : []),
          `           ${paint('grey', 'the app wrote this text; it is not verified')}`,
        ]
      : []),
    ...(rule === undefined ? [] : [fact('always', `add this rule to your policy: ${rule}`)]),
    `  [n]o (and why)  ${
      enables
        ? '[s]ession: until it ends'
        : scopesUpTo(widest)
            .map((scope) => SCOPE_OFFERS[scope])
            .join('  ')
    }   ${paint('grey', `${seconds} s`)}`,
  ];
}

type ParsedAnswer = { scope: Scope } | { reason?: string } | 'unclear' | 'too wide';

const YES = ['y', 'yes'];
const NO = ['n', 'no', 'r'];

/** `y`, `session`, `n not this folder`. An empty line is not an answer. */
export function readAnswer(line: string, widest: Scope): ParsedAnswer {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  const small = word.toLowerCase();
  if (NO.includes(small)) return rest.length > 0 ? { reason: rest.join(' ').slice(0, 200) } : {};
  const scope = YES.includes(small) ? 'once' : SCOPES.find((one) => one === small || one[0] === small);
  if (!scope) return 'unclear';
  return scopesUpTo(widest).includes(scope) ? { scope } : 'too wide';
}

/** Whether the user at this terminal confirms. An empty line, the end of the input and anything else mean no. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.on('SIGINT', interrupt);
  try {
    const over = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^\s*y(es)?\s*$/i.test(await Promise.race([lines.question(`${question} [y/N] `, { signal }), over]));
  } finally {
    lines.close();
  }
}
