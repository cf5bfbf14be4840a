import { RISK_LEVELS } from '../../policy/index.js';
import { callerText, clockText, durationText, stepParts } from '../step-text.js';
import type { Args, CallStep, EventStep, ApprovalRequest, Step } from '../trace.js';
import { escapeHtml, partsHtml, quotedHtml } from './escape.js';
import { durationOf } from './timeline.js';

const RESULT_TEXTS: Record<Step['result'], string> = {
  ok: 'ok',
  failed: 'failed',
  denied: 'refused',
  unknown: 'unknown',
  noted: '',
};
const MIN_SHOWN_GAP_MS = 3_000;

interface StepContext {
  /** Duration of the longest step. */
  longestMs: number;
  before?: Step;
}

export function stepHtml(step: Step, around: StepContext): string {
  const { number, result, kind, at } = step;
  const asked = 'question' in step && step.question ? ' asked' : '';
  const gap = gapHtml(step, around.before);
  const body = step.kind === 'event' ? eventBody(step) : callBody(step, around);
  return `<li id="s${number}" class="step ${kind} ${result}${asked}" tabindex="-1">
<div class="when">${gap}<a href="#s${number}" class="number">${number}</a><time datetime="${escapeHtml(at)}">${escapeHtml(clockText(at))}</time></div>
${body}</li>`;
}

function gapHtml(step: Step, before: Step | undefined): string {
  const began = (step.kind === 'event' ? undefined : step.question?.at) ?? step.at;
  const ms = before ? Date.parse(began) - Date.parse(before.at) - durationOf(before) : 0;
  return ms > MIN_SHOWN_GAP_MS ? `<span class="gap">${durationText(ms)} later</span>` : '';
}

function eventBody({ what, description, said, by, unsigned }: EventStep): string {
  const who = by === undefined ? '' : ` by ${escapeHtml(by)}`;
  return `<div class="card"><p class="line"><b class="what">${what}</b> ${escapeHtml(description)}${who}${said === undefined ? '' : `: ${quotedHtml(said)}`}${unsigned ? ` ${UNSIGNED}` : ''}</p></div>`;
}

function callBody(step: CallStep, { longestMs }: StepContext): string {
  const ms = step.cost?.ms;
  const part = ms === undefined ? 0 : Math.max(0.6, (ms / Math.max(1, longestMs)) * 100);
  const bar =
    ms === undefined
      ? ''
      : `<div class="bar" aria-hidden="true"><i style="width:${Math.min(100, part).toFixed(1)}%"></i></div>`;
  return `<div class="card"><details><summary><span class="sentence">${partsHtml(stepParts(step))}</span><span class="took">${ms === undefined ? '' : durationText(ms)}</span><span class="chips">${chips(step).join('')}</span></summary>
${factsHtml(step)}</details>
${questionHtml(step.question)}${bar}</div>`;
}

const chip = (text: string, kind = '', title = ''): string =>
  `<span class="chip ${kind}"${title && ` title="${escapeHtml(title)}"`}>${escapeHtml(text)}</span>`;

const UNSIGNED = chip('not signed', 'unknown', 'written right before a crash, or by someone else');

function chips(step: CallStep): string[] {
  const { kind, result, outcome, decision, method, repeat, question } = step;
  const why = outcome?.error ?? (outcome?.status !== RESULT_TEXTS[result] ? outcome?.status : undefined);
  const word = result === 'noted' ? (question ? 'asked' : 'noted') : RESULT_TEXTS[result];
  const list = [chip([word, why && why !== 'refused' ? why : ''].filter(Boolean).join(': '), result)];
  if (step.unsigned) list.push(UNSIGNED);
  if (repeat !== undefined) list.push(chip(`${repeat} times`));
  if (decision) {
    const { answer, rule, tier, risk, by, scope } = decision;
    const how =
      answer === 'ask' && by !== undefined
        ? `asked, allowed by ${by}${scope ? `, ${scope}` : ''}`
        : DECISION_TEXTS[answer];
    list.push(chip(`${how}: ${rule}`, `rule ${answer}`, tier === undefined ? '' : `tier ${tier}`));
    if (risk) list.push(chip(`risk ${risk.level} (${risk.score})`, `risk ${riskClass(risk.level)}`));
  }
  if (method !== undefined) list.push(chip(method, 'plain', 'how it was done'));
  if (kind === 'act') list.push(...effects(outcome));
  return list;
}

const DECISION_TEXTS = { allow: 'allowed', ask: 'needs approval', deny: 'denied' } as const;

/** Only known classes: a log could contain anything. */
const riskClass = (level: string): string => RISK_LEVELS.find((known) => known === level) ?? 'other';

function effects(outcome: CallStep['outcome']): string[] {
  if (!outcome) return [chip('no outcome in the log', 'unknown')];
  const { delivered, changed, postcondition } = outcome;
  return [
    ...(delivered === undefined || delivered === 'yes'
      ? []
      : [chip(delivered === 'no' ? 'nothing was done' : 'delivery unknown', 'plain')]),
    ...(changed === undefined ? [] : [chip(CHANGES[changed], 'plain')]),
    ...(postcondition === undefined ? [] : [chip(`verify ${postcondition}`, VERIFIED[postcondition])]),
  ];
}

const CHANGES = { yes: 'changed', no: 'nothing changed', unknown: 'change unknown' } as const;
const VERIFIED = { satisfied: 'ok', unsatisfied: 'failed', unknown: 'unknown' } as const;

function questionHtml(question: ApprovalRequest | undefined): string {
  if (!question) return '';
  const { channels, answer } = question;
  const asked = `Asked ${channels.length > 0 ? `on ${channels.map(escapeHtml).join(', ')}` : ''}`;
  if (!answer) return `<p class="asking open">${asked}. <b>No answer is in the log.</b></p>`;
  const { result, channel, scope, ms, reason } = answer;
  const words = [
    `<b>${escapeHtml(result)}</b>`,
    scope === undefined ? '' : `for ${escapeHtml(scope)}`,
    channel === undefined ? '' : `on ${escapeHtml(channel)}`,
    `after ${durationText(ms)}`,
  ];
  const said = reason === undefined ? '' : ` <span class="reason">${quotedHtml(reason)}</span>`;
  return `<p class="asking ${result === 'allowed' ? 'yes' : 'no'}">${asked}: ${words.filter(Boolean).join(' ')}.${said}</p>`;
}

type Fact = [label: string, html: string | undefined];

const plain = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : escapeHtml(String(value));
const data = (value: string | undefined): string | undefined => (value === undefined ? undefined : quotedHtml(value));
const hash = (value: string | null | undefined): string | undefined =>
  value ? `<code title="${escapeHtml(value)}">${escapeHtml(value.slice(0, 12))}…</code>` : undefined;

/** Everything that the log contains about a step. */
function factsHtml(step: CallStep): string {
  const { tool, caller, args, target = {}, app, confidence, driver, decision, evidence, outcome, cost, seq } = step;
  const program = app?.program ?? app?.name;
  const facts: Fact[] = [
    ['tool', `<code>${escapeHtml(tool)}</code>`],
    ['caller', caller && escapeHtml(callerText(caller))],
    ['role', plain(target.role)],
    ['name', data(target.name)],
    ['window', data(target.window)],
    ['app', data(program) && `${data(program)}${app?.pid === undefined ? '' : `, process ${app.pid}`}`],
    ['arguments', args && argsHtml(args)],
    [
      'rule',
      decision && escapeHtml(`${decision.answer}: ${decision.rule}${decision.tier ? `, tier ${decision.tier}` : ''}`),
    ],
    ['policy', hash(decision?.policy)],
    ['risk', decision?.risk && escapeHtml(`${decision.risk.level}, ${decision.risk.score} points`)],
    ['confidence', confidence === undefined ? undefined : confidence.toFixed(2)],
    ['driver', plain(driver)],
    ['seen before', hash(evidence?.snapshot)],
    ['seen after', hash(outcome?.after)],
    ['delivered', plain(outcome?.delivered)],
    ['changed', plain(outcome?.changed)],
    ['error', plain(outcome?.error)],
    ['cost', cost && costText(cost)],
    ['in the log', `record ${seq}${outcome && outcome.seq !== seq ? `, outcome ${outcome.seq}` : ''}`],
  ];
  const rows = facts.filter(([, html]) => html !== undefined && html !== '');
  return `<dl>${rows.map(([label, html]) => `<div><dt>${label}</dt><dd>${html}</dd></div>`).join('')}</dl>`;
}

function costText({ ms, driverCalls, tokens }: NonNullable<CallStep['cost']>): string {
  const parts = [
    durationText(ms),
    driverCalls === undefined ? '' : `${driverCalls} calls to the driver`,
    tokens === undefined ? '' : `${tokens.toLocaleString('en-US')} tokens`,
  ];
  return parts.filter(Boolean).join(', ');
}

function argsHtml(args: Args): string {
  const entries = Object.entries(args);
  if (entries.length === 0) return 'none';
  return entries
    .map(([name, value]) => {
      const text = typeof value === 'string' ? quotedHtml(value) : `<code>${escapeHtml(JSON.stringify(value))}</code>`;
      return `<span class="arg"><code>${escapeHtml(name)}</code> ${text}</span>`;
    })
    .join('');
}
