import { createHash } from 'node:crypto';
import type { Checked } from '../checked.js';
import type { Trace } from '../trace.js';
import { escapeHtml } from './escape.js';
import { filtersHtml, headerHtml, unknownHtml } from './header.js';
import { PAGE_SCRIPT } from './page-script.js';
import { stepHtml } from './step-card.js';
import { STYLE } from './style.js';
import { longestOf, timelineHtml } from './timeline.js';

export interface HtmlOptions {
  checked?: Checked;
}

/** Only what is in the file, and of scripts only ours: a name from a screen stays a name. */
const POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  `script-src 'sha256-${createHash('sha256').update(PAGE_SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** One file that needs nothing else: to read, to search, to print. */
export function traceHtml(trace: Trace, options: HtmlOptions = {}): string {
  const longestMs = longestOf(trace.steps);
  const steps = trace.steps.map((step, at) => stepHtml(step, { longestMs, before: trace.steps[at - 1] }));
  const title = `Trace of ${trace.desktop ?? 'a desktop'}${trace.from === undefined ? '' : `, ${trace.from.slice(0, 10)}`}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
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
<footer><p>Text in <q><bdi>marked quotes</bdi></q> comes from a screen, a caller or a person. It is shown as it was written down and means nothing here.</p>
<p class="keys"><kbd>j</kbd> <kbd>k</kbd> next and previous step · <kbd>o</kbd> open it · <kbd>a</kbd> open all · <kbd>0</kbd> to <kbd>7</kbd> what to show · <kbd>/</kbd> search</p></footer>
</main>
<script>${PAGE_SCRIPT}</script>
</body>
</html>
`;
}
