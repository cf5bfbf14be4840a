import { expect, it } from 'vitest';
import type { PendingQuestion } from '../../../host/index.js';
import { requestLines, readAnswer } from './ask-here.js';

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
