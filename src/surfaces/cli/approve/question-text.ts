import type { AskedQuestion } from '../../../host/index.js';
import { givenText } from '../../../shared/index.js';
import { quote } from '../../../tree/index.js';
import { safeForTerminal, type Paint } from '../terminal.js';

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
    ...(enables ? [] : given.map(([name, value]) => fact('with', `${name} ${givenText(value)}`))),
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
