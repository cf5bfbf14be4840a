import { diffSnapshots } from './diff.js';
import { marked } from './marked.js';
import type { Rendered, RenderOptions } from './render.js';
import { renderSnapshot } from './render.js';
import { renderChanges } from './render-changes.js';
import { subjectOf } from './render/header.js';
import type { Snapshot } from './snapshot.js';
import { estimateTokens } from './tokens.js';

export interface RenderedSince extends Rendered {
  /** False when it is the whole text. */
  difference: boolean;
}

const WORTH_IT = 0.8;

/** Only what changed between two looks, or the whole text where that is safer or hardly longer. */
export function renderSince(old: Snapshot, now: Snapshot, options: RenderOptions = {}): RenderedSince {
  const diff = diffSnapshots(old, now, options);
  const whole = (why: string): RenderedSince => ({
    ...renderSnapshot(now, { ...options, inFull: why }),
    difference: false,
  });
  if (diff.inexact) return whole(diff.inexact);
  const { added, gone, changed, same } = diff;
  const counts = added + gone + changed === 0 ? 'nothing changed' : `${added} new, ${gone} gone, ${changed} changed`;
  const header = `snapshot ${now.id} of ${subjectOf(now)} since ${old.id}: ${counts}, ${same} same`;
  const { lines } = renderChanges(diff);
  const text = lines.length > 0 ? `${header}\n${marked(lines.join('\n'), options.nonce)}` : header;
  const tokens = estimateTokens(text);
  if (lines.length > 0 && tokens >= WORTH_IT * renderSnapshot(now, options).tokens) {
    return whole(`the change since ${old.id} is not much shorter`);
  }
  return { text, tokens, folded: 0, difference: true };
}
