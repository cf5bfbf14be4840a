// Words and phrases that this project does not use, in names, comments, strings and pages:
// node scripts/house/phrases.mjs [FOLDER]
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../run.mjs';
import { filesIn, report } from './sources.mjs';

/** A table of word parts for the token estimate; the tests of this check. */
const DATA = new Set(['src/tree/render/token-merges.ts', 'tests/house/checks.test.ts']);

/** What not to write, and what to write instead. A space stands for any white space, also across comment lines. */
export const PHRASES = [
  // Names of an earlier version.
  ['veil(s|ed)?|unveil(s|ed)?', 'hidden window, redact'],
  ['deeds?', 'action report, call'],
  // `wish` is the Tcl interpreter, in lists of programs of the policy and the Linux driver.
  ['(?<!tclsh\\|)wish(es|ed)?(?!\\*)', 'requested'],
  ['owed', 'pending'],
  ['untold|retold|wordless|unsaid', 'redacted'],
  ['hindrances?', 'blocker'],
  ['scenery', 'UI state'],
  ['governor|governs', 'authorizer, authorizes'],
  ['rulings?', 'decision'],
  ['sightings?|glances?', 'snapshot'],
  ['(?<!(is|are|was|were) )happenings?', 'event'],
  ['last look', 'precheck'],
  ['abilit(y|ies)', 'capability'],
  ['latch', 'emergency stop'],
  ['humans?(?!.readable)', 'user'],
  // Words without a clear subject.
  ['nobody', 'name the user, the caller or the process'],
  ['somebody', 'name the user, the caller or the process'],
  ['who(so)?ever', 'any process, any caller'],
  // Old or literary English.
  ['anew', 'again'],
  ['besides', 'also, in addition to'],
  ['in vain', 'without effect'],
  ['(?<!(takes?|took) )so long(?! (that|as))|so often(?! that)', 'up to, at most'],
  ['thr(ew|own) away', 'destroyed, discarded'],
  ['in one breath', 'in one call'],
  ['nothing is known', 'unknown'],
  ['look (why|what)', 'Run ui_snapshot to see why'],
  ['is no border', 'is not a security boundary'],
  ['(is|are|was|were) so already', 'already in this state'],
].map(([words, instead]) => ({
  words: new RegExp(`\\b(?:${words.replaceAll(' ', '(?:\\s|\\*|//|-)+')})\\b`, 'gi'),
  instead,
}));

/** The pages and the code that is checked, relative to `root`. */
function checkedFiles(root) {
  const code = ['src', 'tests', 'examples', 'bench'].flatMap((folder) => filesIn(root, folder, /\.(ts|mjs|js|py)$/));
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].filter((page) => existsSync(join(root, page)));
  return [...code, ...filesIn(root, 'docs', /\.md$/), ...pages].filter((file) => !DATA.has(file));
}

/** `{ line, text }` per phrase. Names are split into words: `asWished`, `AS_WISHED` and `as-wished` are all found. */
export function phrasesIn(text) {
  const words = text.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, ' ').replaceAll('_', ' ');
  return PHRASES.flatMap(({ words: pattern, instead }) =>
    [...words.matchAll(pattern)].map((match) => ({
      line: words.slice(0, match.index).split('\n').length,
      text: `"${match[0].replaceAll(/\s+/g, ' ')}": write "${instead}"`,
    })),
  ).sort((a, b) => a.line - b.line);
}

/** Returns `{ problems, summary }`: every forbidden phrase in names, comments, strings and pages is a problem. */
export function checkPhrases(root = ROOT) {
  const files = checkedFiles(root);
  const problems = files.flatMap((file) => [
    ...phrasesIn(file).map(({ text }) => `${file}:1 ${text}`),
    ...phrasesIn(readFileSync(join(root, file), 'utf8')).map(({ line, text }) => `${file}:${line} ${text}`),
  ]);
  return { problems, summary: `${files.length} files` };
}

if (process.argv[1] === import.meta.filename) report(checkPhrases(process.argv[2]));
