import type { RenderableActResult } from '../../runtime/index.js';
import { cleanText } from '../../shared/index.js';
import { describeElement, withUntrustedMarkers } from '../../tree/index.js';
import { meanwhileLine } from '../read/ui-events.js';
import { pageOfText, textLines } from './pages.js';

/** As for a snapshot: more would cost too many tokens, and is in the JSON. */
const READ_TOKENS = 2_000;

/** The text for a model after an act: what was done to what, how, and what changed, so that it needs no new snapshot. */
export function actionText(result: RenderableActResult): string {
  const { eventsBefore } = result;
  return eventsBefore ? `${ownText(result)}\n${meanwhileLine(eventsBefore)}` : ownText(result);
}

function ownText(result: RenderableActResult): string {
  const { status, changes, wide, postcondition, window } = result;
  const first = `${status}: ${reportText(result)}`;
  if (status === 'no change') {
    const waited = result.settledMs > 0 ? ` in ${result.settledMs} ms` : '';
    const next = `next: do not repeat it; ui_wait for what you expect, or ui_snapshot${window ? ` ${window}` : ''}.`;
    return `${first}, delivered, but nothing changed${waited}.${takenText(result)}\n${next}`;
  }
  if (status === 'unconfirmed') {
    return `${first}; ${sentence(result.reason ?? 'it is unknown whether it had an effect')}${takenText(result)}`;
  }
  if (result.read !== undefined) return `${first}.\n${readText(result.read)}`;
  const verify = postcondition === undefined ? '' : ` Verify: ${postcondition}.`;
  const facts = `${first}.${verify}${takenText(result)}`;
  if (changes.length === 0) return facts;
  const lines = changes.join('\n');
  return `${facts} Changed:\n${wide ? withUntrustedMarkers(lines) : lines}`;
}

function readText(text: string): string {
  const total = [...text].length;
  const page = pageOfText({ text, start: 0, end: total, total }, READ_TOKENS);
  const shown = withUntrustedMarkers(textLines(page.text).join('\n'));
  if (page.end === total) return shown;
  return `${shown}\ncharacters 0-${page.end} of ${total}\nnext: for the rest paste it into a field and ui_read that.`;
}

/** A caller that does not want it to keep the keys or the pointer must know that it has them. */
function takenText({ activated, menu }: RenderableActResult): string {
  const keys = activated === undefined ? '' : ` ${activated} is active now.`;
  return menu === undefined ? keys : `${keys} ${menu} has pointer and keyboard until it is closed.`;
}

/** `click e22 button "Save" in w3, by pattern, 46 ms, read back the same` */
function reportText(result: RenderableActResult): string {
  const { verb, detail, resolvedTarget, window, method, durationMs, readBack, committed, noop, closed } = result;
  const what = resolvedTarget
    ? `${describeElement(resolvedTarget)} in ${resolvedTarget.window}`
    : window && !detail?.startsWith(`${window} `) && `in ${window}`;
  if (noop !== undefined) return `${[verb, what].filter(Boolean).join(' ')}: it ${noop}, nothing was done`;
  const parts = [
    [verb, detail, what].filter(Boolean).join(' '),
    ...(method ? [`by ${method}`] : []),
    `${durationMs} ms`,
    ...(readBack ? ['read back the same'] : []),
    ...(committed === 'no' ? ['not committed (the app may use it only after Enter: enter true)'] : []),
    ...(closed ? [`after closing the menu ${closed.join(', ')}`] : []),
  ];
  return parts.join(', ');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Why an act without a visible effect may have been performed. */
export const UNREAD = 'the content of a secret field is never read, so it is unknown whether the text is in it now';
export const UNSEEN = 'such characters are invisible, so it is unknown whether they are in it now';
export const UNTAKEN =
  'a cell that is not being edited may drop letters or treat them as commands; ui_read shows what it holds';

/** Control characters, direction marks, joiners: what is read of a field does not have them. */
export function showsNothing(text: string): boolean {
  return text !== '' && cleanText(text).text === '';
}
