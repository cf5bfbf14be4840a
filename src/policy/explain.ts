import { cleanName } from '../shared/index.js';
import type { Facts } from './facts.js';
import type { TierResult, PolicyVerdict } from './decision.js';
import type { Risk } from './risk/risk.js';

const quoted = (text: string): string => JSON.stringify(cleanName(text, 80).text);

/**
 * Explains a decision to the user: the answer, its rule, the facts and the risk points. Text from the screen is quoted.
 */
export function explain({ answers, rule, tier, reason, scope, risk, facts, said }: PolicyVerdict): string[] {
  // While several answers are possible, no single rule is the reason.
  const outcome =
    answers.length === 1
      ? `${answers[0]} (rule ${rule}, ${tier})${reason === undefined ? '' : `: ${reason}`}`
      : `${answers.join(' or ')}, depending on facts that are not known yet`;
  return [
    outcome,
    ...(scope === undefined || answers.length > 1 ? [] : [`  approval may cover: ${SCOPE_TEXTS[scope]}`]),
    `  ${riskLine(risk)}`,
    ...said.map((one) => `  ${tierLine(one)}`),
    ...factLines(facts).map((line) => `  ${line}`),
  ];
}

const SCOPE_TEXTS = {
  once: 'this call only',
  session: 'this tool in this program until the session ends',
  app: 'this program until the session ends',
} as const;

function riskLine({ levels, score, parts, raised }: Risk): string {
  const number = score.least === score.most ? String(score.least) : `${score.least} to ${score.most}`;
  const sum = parts.map(({ points, why }) => `${points} ${why}`).join(' + ');
  const whole = `risk ${levels.join(' or ')}, score ${number}${sum === '' ? '' : ` = ${sum}`}`;
  return raised === undefined ? whole : `${whole}; at least high: ${raised}`;
}

function tierLine({ tier, answer, rule }: TierResult): string {
  return `${tier.padEnd(9)} ${answer === undefined ? 'no answer' : `${answer} (${rule})`}`;
}

function factLines({ tool, class: kind, caller, desktop, app, ...rest }: Facts): string[] {
  const { appName, window, role, name, method, secure, confidence } = rest;
  const program =
    app === undefined || app === null
      ? app
      : 'path' in app
        ? quoted(app.path)
        : `${quoted(app.claimed)} (not verified)`;
  const texts = { appName, window, role, name };
  const fields: [string, string | null | undefined][] = [
    ['app', program],
    ...Object.entries(texts).map(([key, text]): [string, string | null | undefined] => [key, text && quoted(text)]),
    ['method', method],
    ['secure', secure === undefined ? undefined : secure ? 'yes' : null],
    ['confidence', confidence === undefined || confidence === null ? confidence : String(confidence)],
  ];
  const known = fields.flatMap(([key, text]) => (text ? [`${key} ${text}`] : []));
  const unknown = fields.flatMap(([key, text]) => (text === undefined ? [key] : []));
  return [
    `${tool} (${kind}) by ${caller} on a ${desktop} desktop`,
    ...(known.length > 0 ? [known.join(', ')] : []),
    ...(unknown.length > 0 ? [`not known: ${unknown.join(', ')}`] : []),
  ];
}
