import type { ReadLine } from '../../src/audit/index.js';
import { traceOf, type Trace } from '../../src/replay/index.js';

/** Texts that would break out of a page, a script, an attribute, a comment or a line, or fill the memory. */
export const HOSTILE = [
  `</script><script>document.title='hacked'</script>`,
  `<img src=x onerror="document.title='hacked'">`,
  `" onmouseover="document.title='hacked'" style="position:fixed;inset:0" x="`,
  `' autofocus onfocus='document.title="hacked"`,
  `--><svg onload="document.title='hacked'">`,
  `</style><style>*{display:none!important}</style>`,
  `javascript:document.title='hacked'`,
  '\u202egnp.exe\u202c \u2066x\u2069 \u200b\ufeff',
  'line\nbreak\r\u2028\u2029\u0000\u001b[31m',
  'שלום עולם (محتوى)',
  `${'A'.repeat(1_000_000)}<b>`,
  'constructor',
  '__proto__',
];

/** A log that somebody edited: every text in it is hostile, and longer than a record may be. */
export function hostileTrace(): Trace {
  const envelope = {
    v: 2,
    ledger: `L${'0'.repeat(32)}`,
    prev: '0'.repeat(64),
    at: '2026-11-15T10:30:45.120Z',
  } as const;
  const lines: ReadLine[] = HOSTILE.flatMap((text, at) => {
    const decision = {
      answer: 'ask',
      rule: text,
      tier: text,
      by: text,
      scope: text,
      risk: { level: text, score: 9 },
    } as const;
    const report = {
      ...{ tool: text, caller: { surface: text, session: text }, decision, args: { [text]: text, target: text } },
      ...{
        target: { role: text, name: text, window: text },
        app: { program: text, name: text },
        driver: text,
        method: text,
      },
    };
    const seq = at * 5 + 1;
    const question = { question: text, subject: '1'.repeat(64) };
    return [
      { segment: 1, line: seq, record: { ...envelope, seq, kind: 'ask', ...question, ...report, channels: [text] } },
      {
        segment: 1,
        line: seq,
        record: { ...envelope, seq, kind: 'answer', ...question, result: 'denied', ms: 5, reason: text },
      },
      { segment: 1, line: seq, record: { ...envelope, seq: seq + 1, kind: 'intent', ...report } },
      {
        segment: 1,
        line: seq,
        record: {
          ...envelope,
          seq: seq + 2,
          kind: 'outcome',
          of: seq + 1,
          status: text,
          delivered: 'yes',
          cost: { ms: 1 },
        },
      },
      { segment: 1, line: seq, record: { ...envelope, seq: seq + 3, kind: 'stop', by: text, reason: text } },
    ] as ReadLine[];
  });
  return { ...traceOf(lines), desktop: HOSTILE[0], software: HOSTILE[1] };
}
