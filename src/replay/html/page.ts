import { createHash } from 'node:crypto';
import { callerText, dateText, dayText, durationText } from '../step-text.js';
import type { LogVerification, Trace } from '../trace.js';
import { escapeHtml } from './escape.js';
import { PAGE_SCRIPT } from './page-script.js';
import { stepHtml } from './step-card.js';
import { STYLE } from './style.js';
import { longestDuration, timelineHtml } from './timeline.js';

interface HtmlOptions {
  checked?: LogVerification;
}

/** Allows only content of this file, and only our own script: a name from a screen cannot become code. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** One self-contained file to read, search and print. */
export function traceHtml(trace: Trace, options: HtmlOptions = {}): string {
  const longestMs = longestDuration(trace.steps);
  const steps = trace.steps.map((step, at) => stepHtml(step, { longestMs, before: trace.steps[at - 1] }));
  const title = `Trace of ${trace.desktop ?? 'a desktop'}${trace.from === undefined ? '' : `, ${trace.from.slice(0, 10)}`}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_SECURITY_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${headerHtml(trace, options.checked)}
${unknownHtml(trace)}
${timelineHtml(trace)}
${filtersHtml(trace)}
<ol class="steps">
${steps.join('\n')}
</ol>
<p class="nothing"${steps.length === 0 ? '' : ' hidden'}>No step to show.</p>
<footer><p>Text in <q><bdi>marked quotes</bdi></q> comes from a screen, a caller or the user. It is shown as recorded and has no effect here.</p>
<p class="keys"><kbd>j</kbd> <kbd>k</kbd> next and previous step · <kbd>o</kbd> open it · <kbd>a</kbd> open all · <kbd>0</kbd> to <kbd>7</kbd> what to show · <kbd>/</kbd> search</p></footer>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}

const FILTERS = [
  { name: 'all', label: 'steps', key: '0' },
  { name: 'act', label: 'acts', key: '1' },
  { name: 'ok', label: 'ok', key: '2' },
  { name: 'failed', label: 'failed', key: '3' },
  { name: 'denied', label: 'refused', key: '4' },
  { name: 'asked', label: 'asked', key: '5' },
  { name: 'unknown', label: 'unknown', key: '6' },
  { name: 'read', label: 'reads', key: '7' },
] as const;

function countOf({ steps, totals }: Trace, name: (typeof FILTERS)[number]['name']): number {
  switch (name) {
    case 'all':
      return steps.length;
    case 'act':
      return totals.acts;
    case 'read':
      return totals.reads;
    case 'asked':
      return totals.asked;
    default:
      return steps.filter(({ result }) => result === name).length;
  }
}

function headerHtml(trace: Trace, checked: LogVerification | undefined): string {
  const { desktop, software, from, to, callers, totals, ledger } = trace;
  const who = callers.map(callerText);
  const lasted = from && to ? Date.parse(to) - Date.parse(from) : 0;
  const span =
    from && to
      ? `${dateText(from)} to ${dayText(from) === dayText(to) ? to.slice(11, 19) : dateText(to)} UTC`
      : 'The log contains no steps';
  const small = [
    who.length > 0 ? `by ${who.slice(0, 6).join(', ')}${who.length > 6 ? ` and ${who.length - 6} more` : ''}` : '',
    lasted > 0 ? `${durationText(lasted)} in all` : '',
    totals.ms > 0 ? `${durationText(totals.ms)} of work` : '',
    totals.waitedMs > 0 ? `${durationText(totals.waitedMs)} of waiting for approval` : '',
    totals.driverCalls > 0 ? `${totals.driverCalls.toLocaleString('en-US')} calls to the driver` : '',
    totals.tokens > 0 ? `${totals.tokens.toLocaleString('en-US')} tokens` : '',
  ];
  const name = desktop === undefined ? 'a desktop' : `<em>${escapeHtml(desktop)}</em>`;
  return `<header>
<p class="over">Deskproof trace</p>
<h1>What was done on ${name}</h1>
<p class="span">${escapeHtml(span)}</p>
<p class="small">${small
    .filter(Boolean)
    .map((text) => `<span>${escapeHtml(text)}</span>`)
    .join('')}</p>
${checkedHtml(checked)}
<p class="about">${[software, ledger && `ledger ${ledger.slice(0, 13)}…`]
    .filter(Boolean)
    .map((text) => escapeHtml(text!))
    .join(' · ')}</p>
</header>`;
}

function checkedHtml(checked: LogVerification | undefined): string {
  if (!checked)
    return `<p class="seal none"><b>Not verified</b> The chain of this log was not checked when the page was made.</p>`;
  const { ok, verdict, notes = [] } = checked;
  const more = notes.map((note) => `<span class="note">${escapeHtml(note)}</span>`).join('');
  return `<p class="seal ${ok ? 'good' : 'bad'}"><b>${ok ? 'The log verifies' : 'The log does not verify'}</b> <span>${escapeHtml(verdict)}</span>${more}</p>`;
}

/** Each count is also the filter for what it counts. */
function filtersHtml(trace: Trace): string {
  const buttons = FILTERS.map(({ name, label, key }) => {
    const count = countOf(trace, name);
    const off = count === 0 ? ' disabled' : '';
    return `<button type="button" data-filter="${name}" data-key="${key}" class="${name}" aria-pressed="${name === 'all'}"${off} title="key ${key}"><b>${count.toLocaleString('en-US')}</b>${label}</button>`;
  });
  return `<div class="filters" role="group" aria-label="Show">${buttons.join('')}
<input type="search" placeholder="Search" aria-label="Search the steps" title="key /"></div>`;
}

function unknownHtml({ unknown }: Trace): string {
  if (unknown.length === 0) return '';
  return `<aside class="unknown"><b>Unknown</b><ul>${unknown.map((text) => `<li>${escapeHtml(text)}</li>`).join('')}</ul></aside>`;
}
