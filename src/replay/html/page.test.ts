import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { HOSTILE, hostileTrace } from '../../../tests/scenes/hostile-trace.js';
import { RISK_LEVELS } from '../../policy/index.js';
import { traceOf } from '../build-trace.js';
import type { Step } from '../trace.js';
import { longestDuration, placesOf } from './timeline.js';
import { traceHtml } from './page.js';

const at = (ms: number): string => new Date(Date.parse('2026-11-15T10:30:45.120Z') + ms).toISOString();
const act = (over: object = {}): Step => ({
  ...{ number: 1, seq: 1, at: at(0), kind: 'act', tool: 'ui_click', result: 'ok' },
  ...{ target: { role: 'button', name: 'Save' }, outcome: { seq: 2, at: at(9), delivered: 'yes' as const } },
  ...over,
});
const pageOf = (...steps: Step[]): string => traceHtml({ ...traceOf([]), steps });
const bodyOf = (page: string): string => page.slice(page.indexOf('<body>'), page.lastIndexOf('<script>'));
const textOf = (page: string): string =>
  bodyOf(page)
    .replace(/<[^>]*>/g, '')
    .replace(
      /&#39;|&quot;|&lt;|&gt;|&amp;/g,
      (entity) => ({ '&#39;': "'", '&quot;': '"', '&lt;': '<', '&gt;': '>' })[entity] ?? '&',
    );

describe('the page', () => {
  it('contains no element or attribute from external text', () => {
    const page = traceHtml(hostileTrace(), { checked: { ok: false, verdict: HOSTILE[0]!, notes: [...HOSTILE] } });
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/<style/g)).toHaveLength(1);
    const tags = new Set([...bodyOf(page).matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => tag));
    expect([...tags].filter((tag) => ['img', 'svg', 'script', 'style', 'iframe'].includes(tag!))).toEqual([]);
    const bare = bodyOf(page).replaceAll(/="[^"]*"/g, '');
    const attributes = new Set(
      [...bare.matchAll(/<[a-z0-9]+([ a-z-]*)>/g)].flatMap(([, all]) => all!.trim().split(' ')),
    );
    expect(attributes).toContain('title');
    expect([...attributes].filter((name) => name.startsWith('on'))).toEqual([]);
    expect(page).not.toMatch(/[\u202a-\u202e\u2066-\u2069\u2028\u2029\0\x1b]/);
    expect(page.length).toBeLessThan(2_000_000);
    for (const text of HOSTILE.slice(0, 7)) expect(textOf(page)).toContain(text);
  });

  it('allows only its own style and script', () => {
    const page = pageOf(act());
    const script = /<script>([^]*?)<\/script>/.exec(page)![1]!;
    const hash = createHash('sha256').update(script).digest('base64');
    const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="${policy}">`);
    expect(page).not.toMatch(/https?:|\bsrc=|url\(|@import/);
  });

  it.each(RISK_LEVELS.filter((level) => level !== 'low'))('gives the risk %s a colour', (level) => {
    const page = pageOf(act({ decision: { answer: 'ask', rule: 'x', risk: { level, score: 7 } } }));
    expect(bodyOf(page)).toContain(`class="chip risk ${level}"`);
    expect(page).toMatch(new RegExp(String.raw`\.chip\.risk\.${level}(, [^{]*)? \{ color: `));
  });

  it('has one class for a risk that the policy does not know', () => {
    const page = pageOf(act({ decision: { answer: 'ask', rule: 'x', risk: { level: 'x" onclick="', score: 7 } } }));
    expect(bodyOf(page)).toContain('class="chip risk other"');
  });

  it.each<[string, Step, string[]]>([
    ['an act', act({ cost: { ms: 1_240 }, method: 'pattern' }), ['Click button Save', 'ok', 'pattern', '1.2 s']],
    [
      'a failure',
      act({ result: 'failed', outcome: { seq: 2, at: at(1), delivered: 'no', error: 'not_ready' } }),
      ['failed: not_ready', 'nothing was done'],
    ],
    ['an act without an end', act({ result: 'unknown', outcome: undefined }), ['unknown', 'no outcome in the log']],
    [
      'what was confirmed',
      act({ outcome: { seq: 2, at: at(1), changed: 'yes', postcondition: 'satisfied' } }),
      ['changed', 'verify satisfied'],
    ],
    [
      'a decision',
      act({
        decision: { answer: 'ask', rule: 'guarded/x', by: 'mcp', scope: 'once', risk: { level: 'high', score: 7 } },
      }),
      ['asked, allowed by mcp, once: guarded/x', 'risk high (7)'],
    ],
    [
      'a question',
      act({
        question: { seq: 1, at: at(0), channels: ['mcp'], answer: { result: 'denied', ms: 4_000, reason: 'not now' } },
      }),
      ['Asked on mcp: denied after 4.0 s. not now'],
    ],
    ['an open question', act({ question: { seq: 1, at: at(0), channels: ['mcp'] } }), ['No answer is in the log.']],
    ['equal refusals', act({ kind: 'refused', result: 'denied', repeat: 12 }), ['refused', '12 times']],
    [
      'an event',
      {
        number: 1,
        seq: 1,
        at: at(0),
        kind: 'event',
        what: 'stop',
        result: 'denied',
        description: 'Stopped',
        by: 'terminal',
        said: 'enough',
      },
      ['stop Stopped by terminal: enough'],
    ],
  ])('shows %s', (_, step, words) => {
    const text = textOf(pageOf(step)).replace(/\s+/g, ' ');
    for (const word of words) expect(text).toContain(word);
  });

  it.each([
    [undefined, 'Not verified'],
    [{ ok: true, verdict: 'ok 3 records' }, 'The log verifies ok 3 records'],
    [{ ok: false, verdict: 'broken at line 17' }, 'The log does not verify broken at line 17'],
  ])('shows the verification of the log: %j', (checked, words) => {
    expect(textOf(traceHtml(traceOf([]), { checked }))).toContain(words);
  });
});

describe('the time line', () => {
  it.each<[string, number[], number[], number[]]>([
    ['keeps distances', [0, 100, 300, 400], [0, 0.25, 0.75, 1], []],
    ['draws a long pause short and says how long it was', [0, 1_000, 3_600_000], [0, 1 / 9, 1], [3_599_000]],
    ['spreads what happened at once', [0, 0], [0.25, 0.75], []],
  ])('%s', (_, times, places, pauses) => {
    const placed = placesOf(times.map((ms) => act({ at: at(ms) })));
    placed.forEach(({ x }, index) => expect(x).toBeCloseTo(places[index]!, 5));
    expect(placed.flatMap(({ pauseMs }) => pauseMs ?? [])).toEqual(pauses);
  });

  it('handles very long logs', () => {
    const steps = Array<Step>(200_000).fill(act({ cost: { ms: 7 } }));
    expect(longestDuration(steps)).toBe(7);
  });
});
