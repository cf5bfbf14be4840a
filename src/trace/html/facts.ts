import { callerText } from '../caller-text.js';
import { durationText } from '../times.js';
import type { Args, DeedStep } from '../trace.js';
import { escapeHtml, quotedHtml } from './escape.js';

type Fact = [label: string, html: string | undefined];

const plain = (value: string | number | undefined): string | undefined =>
  value === undefined ? undefined : escapeHtml(String(value));
const data = (value: string | undefined): string | undefined => (value === undefined ? undefined : quotedHtml(value));
const hash = (value: string | null | undefined): string | undefined =>
  value ? `<code title="${escapeHtml(value)}">${escapeHtml(value.slice(0, 12))}…</code>` : undefined;

/** All that the log says of a step, for those who want to know. */
export function factsHtml(step: DeedStep): string {
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

function costText({ ms, driverCalls, tokens }: NonNullable<DeedStep['cost']>): string {
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
