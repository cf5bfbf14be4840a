import { describe, expect, it } from 'vitest';
import type { PendingQuestion } from '../../../host/index.js';
import { hiddenPages, requestLines, readAnswer } from './ask-here.js';

const shown: PendingQuestion['shown'] = {
  ...{ what: 'launch /usr/bin/mousepad', why: 'risk high, rule guarded/launch', tool: 'ui_launch', caller: 'mcp:a71f' },
  args: {},
};
const linesOf = (more: Partial<PendingQuestion['shown']>): string[] => {
  const question = { id: 'q', shown: { ...shown, ...more }, widest: 'once', expiresAt: 55_000 } as PendingQuestion;
  return requestLines(question, (_, text) => text, 0);
};

it.each<[string, Partial<PendingQuestion['shown']>, string[]]>([
  [
    'why it is risky',
    { parts: ['3 launch', '1 name'] },
    ['  why      risk high, rule guarded/launch = 3 launch + 1 name'],
  ],
  [
    'why it counts for more than its points',
    { parts: ['3 launch'], raised: 'not in launch.allow', reason: 'ours' },
    ['  why      risk high, rule guarded/launch = 3 launch, at least high: not in launch.allow: ours'],
  ],
  [
    'each argument, but not what is said already',
    { args: { target: 'e1', window: 'w1', command: 'mousepad', args: ['-n', 'a b'] } },
    ['  with     command "mousepad"', '  with     args "-n" "a b"'],
  ],
  [
    'how a long text ends',
    { args: { text: `${'A harmless note. '.repeat(20)}; rm -rf everything` } },
    [
      expect.stringMatching(
        /^ {2}with {5}text "A .* … \+59 characters … ".*; rm -rf everything" \(359 characters\)$/,
      ) as string,
    ],
  ],
])('prints %s', (_, more, lines) => {
  expect(linesOf(more)).toEqual(expect.arrayContaining(lines));
  expect(linesOf(more).filter((line) => line.startsWith('  with'))).toHaveLength(
    lines.filter((line) => typeof line !== 'string' || line.startsWith('  with')).length,
  );
});

it.each<[string, PendingQuestion['widest'], ReturnType<typeof readAnswer>]>([
  ['o', 'once', { scope: 'once' }],
  ['Session', 'app', { scope: 'session' }],
  ['a', 'session', 'too wide'],
  ['n not this', 'once', { reason: 'not this' }],
  ['no', 'once', {}],
  ['', 'app', 'unclear'],
  ['y', 'app', { scope: 'once' }],
  ['YES', 'once', { scope: 'once' }],
  ['yess', 'app', 'unclear'],
  ['r', 'once', {}],
  ['r not now', 'once', { reason: 'not now' }],
])('the answer %j where at most %s may be allowed', (line, widest, said) => {
  expect(readAnswer(line, widest)).toEqual(said);
});

describe('arguments that the request shortens', () => {
  const text = `${'A harmless note. '.repeat(2000)}\n; rm -rf everything\u202e`;
  it.each<[string, Record<string, unknown>]>([
    ['a long text', { text }],
    ['many words', { args: Array.from({ length: 100 }, (_, at) => `word${at}`) }],
    ['a nested value', { verify: { all: Array.from({ length: 100 }, (_, at) => ({ text: `t${at}` })) } }],
  ])('can be read in full: %s', (_, args) => {
    const pages = hiddenPages(args);
    const read = pages
      .join('\n')
      .split('\n')
      .filter((line) => line.startsWith('  | '))
      .map((line) => line.slice(4))
      .join('');
    const [value] = Object.values(args);
    for (const part of Array.isArray(value) ? (value as string[]) : [JSON.stringify(value).slice(1, -8)])
      expect(read).toContain(part);
    expect(read).not.toMatch(/\u202e/);
    for (const page of pages) expect(page.split('\n').length).toBeLessThanOrEqual(20);
    expect(linesOf({ args }).join('\n')).toContain(
      `${pages.length} ${pages.length === 1 ? 'page' : 'pages'} of the arguments not shown yet. Type m`,
    );
  });

  it('are none if the request shows everything', () => {
    expect(hiddenPages({ text: 'a "short" text', args: ['-n', 'a b'], target: 'x'.repeat(999) })).toEqual([]);
    expect(linesOf({ args: { text: 'a' } }).join('\n')).not.toContain('not shown');
  });
});
