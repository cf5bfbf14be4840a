import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mutantsOf } from './mutants.mjs';
import { ROOT } from './run.mjs';

const shortcuts = (file, ...changes) =>
  changes.map((change) => ({ file, change, why: 'a shortcut: without it the same is found, later or with more room' }));
const wiped = (file, ...changes) =>
  changes.map((change) => ({ file, change, why: 'no test can look into memory that was given back' }));

/** Checks whose absence nobody could see: `{ file, change, why }`. One that is seen after all, or is gone, fails the run. */
export const EQUIVALENT = [
  {
    file: 'src/policy/decide.ts',
    change: 'if model === modelWithoutManaged → false',
    why: 'a shortcut: by the same risk model user and project say the same once more',
  },
  {
    file: 'src/policy/decide.ts',
    change: '? app === undefined → false',
    why: 'as long as the app is not known the title is not either, and that alone makes it a maybe',
  },
  {
    file: 'src/policy/decide.ts',
    change: 'return outcome !== undefined → true',
    why: 'for the types: the profile always says something',
  },
  {
    file: 'src/policy/decision.ts',
    change: 'if outcomes.length === 1 → false',
    why: 'a shortcut: one alone is distinct',
  },
  {
    file: 'src/policy/facts.ts',
    change: "kind !== 'capture' && pixels !== false without kind !== 'capture'",
    why: 'a shortcut: a capture that is asked as a capture gets the same answer',
  },
  {
    file: 'src/runtime/authorization/authorize-call.ts',
    change: 'if !hiding → false',
    why: 'for the types: who has rules about looks has some about windows',
  },
  {
    file: 'src/runtime/visibility/hidden-tabs.ts',
    change: 'dropOldest(this.tabs, this.limit); → gone',
    why: 'only how much is remembered: a tab is asked for by what is in it, and that is forgotten as well',
  },
  {
    file: 'src/runtime/visibility/hidden-tabs.ts',
    change: 'this.tabs.delete(id); → gone',
    why: 'only which of more than 50,000 tabs is forgotten first',
  },
  {
    file: 'src/audit/verify/verify.ts',
    change:
      "typeof head === 'object' && continuesAfterEnd(head, walked.walk, walked.torn) without continuesAfterEnd(head, walked.walk, walked.torn)",
    why: 'a shortcut: a head that was replaced meanwhile is looked at again, with the same answer',
  },
  {
    file: 'src/policy/risk/program-class.ts',
    change: 'known.set(app, found); → gone',
    why: 'a shortcut: sorted again, an app is of the same class',
  },
  {
    file: 'src/policy/risk/risk.ts',
    change: 'if possible === NO_POINTS → false',
    why: 'a shortcut: no points add nothing',
  },
  {
    file: 'src/runtime/visibility/driver-decorators.ts',
    change: "event.type === 'window' && event.change === 'closed' without event.type === 'window'",
    why: 'only windows close: no other event has that change',
  },
  {
    file: 'src/runtime/approval/ask-user.ts',
    change:
      "event.type !== 'window' || event.change !== 'closed' || event.window !== plan?.window?.id without event.type !== 'window'",
    why: 'only windows close: no other event has that change',
  },
  {
    file: 'src/runtime/request/audit-record.ts',
    change: 'code !== undefined && isRefusal(error) without code !== undefined',
    why: 'for the types: nothing is none of them',
  },
  ...[
    "facts?.app && 'path' in facts.app without 'path' in facts.app",
    '!facts || !risk || program === undefined without !facts',
  ].map((change) => ({
    ...{ file: 'src/runtime/approval/approval-prompt.ts', change },
    why: 'for the types: what has no path has no program either',
  })),
  {
    file: 'src/runtime/visibility/hidden-windows.ts',
    change: "if event.type === 'window' → true",
    why: 'for the types: no other event has a title or says that something closed',
  },
  ...shortcuts(
    'src/runtime/authorization/authorize-call.ts',
    'if authorizer.rules !== rules → true',
    'owner === window || open(owner, owner) without owner === window',
  ),
  {
    file: 'src/runtime/authorization/triggered-controls.ts',
    change: 'labelId !== undefined && ids.has(labelId) without labelId !== undefined',
    why: 'for the types: no element is without an id',
  },
  {
    file: 'src/audit/verify/chain.ts',
    change:
      "segment !== this.segment || seq !== this.seq || hash !== this.hash || typeof signature !== 'string' without typeof signature !== 'string'",
    why: 'for the types: what is no text is no signature of anything either',
  },
  {
    file: 'src/audit/verify/verify.ts',
    change: "? typeof trust === 'object' → true",
    why: 'for the types: what is damaged has neither a segment nor another before it',
  },
  {
    file: 'src/audit/write/ledger-end.ts',
    change: "if raw.kind === 'outcome' → true",
    why: 'a shortcut: only outcomes are of another record',
  },
  {
    file: 'src/audit/write/open-ledger.ts',
    change: 'syncDirectory(path); → gone',
    why: 'only after a loss of power, and not every time, is a name gone that was not synced',
  },
  {
    file: 'src/platform/file-lock.ts',
    change: 'there !== undefined && there.ino === held.ino && there.dev === held.dev without there.dev === held.dev',
    why: 'a file system put in its place in which the lock has the same number: a test would need to mount one',
  },
  ...shortcuts('src/drivers/linux/private-desktop/launch/installed-apps.ts', 'if state !== this.folderTimes → true'),
  {
    file: 'src/drivers/linux/private-desktop/launch/resolve-command.ts',
    change: "option === '' && takesCommand without option === ''",
    why: 'no known option takes a command: with any other the app does not count as installed anyway',
  },
  {
    file: 'src/audit/write/confirmed-policy.ts',
    change: '!key || path !== this.path without !key',
    why: 'for the types: without a key nothing can be compared with the signature either',
  },
  ...[
    ...["code === 'EEXIST' → false", "code === 'EEXIST' → true"].map(
      (end) => `? (error as NodeJS.ErrnoException).${end}`,
    ),
    ...['if other → false', 'if other → true', 'throw error; → gone'],
  ].map((change) => ({
    ...{ file: 'src/audit/write/confirmed-policy.ts', change },
    why: 'only if two hosts make the key in the same instant, or the disk fails between two calls',
  })),
  ...shortcuts('src/secrets/masks.ts', "? text.includes('@') → true"),
  ...shortcuts(
    'src/secrets/masks.ts',
    ...['if this.harmless.has(text) → false', 'if redacted === text → false', 'this.harmless.add(text); → gone'],
    ...['if text.length > MAX_CACHED_LENGTH → false', 'if text.length > MAX_CACHED_LENGTH → true'],
    ...['if this.harmless.size >= MAX_CACHED → false', 'if this.harmless.size >= MAX_CACHED → true'],
    "? text.includes('‹') → true",
  ),
  ...shortcuts('src/shared/linear-regex.ts', 'if this.states.length <= MAX_STATES → true'),
  ...shortcuts(
    'src/shared/linear-regex.ts',
    ...['? parts.length === 1 → false', 'if fits === undefined → true', 'known.set(character, fits); → gone'],
  ),
  ...shortcuts('src/secrets/redact-typed-secrets.ts', 'if node[key] === undefined → false'),
  ...wiped('src/secrets/store/sources.ts', 'buffer.fill(0); → gone'),
  ...wiped('src/secrets/store/sources.ts', 'chunk.fill(0); → gone'),
  ...wiped('src/secrets/store/secret-store.ts', 'bytes.fill(0); → gone', 'bytes.fill(0); → gone (2)'),
  ...shortcuts(
    'src/secrets/taint-tracker.ts',
    ...['? this.empty → false', '? this.empty → false (3)', '? this.empty → false (4)', 'if this.empty → false'],
    'this.replaced.has(node.id) && holds(node) without this.replaced.has(node.id)',
  ),
  ...shortcuts(
    'src/secrets/text/decode.ts',
    ...['ESCAPE_CHARS.test(text)', 'ENCODED.test(text)'].map(
      (one) => `ESCAPE_CHARS.test(text) && ENCODED.test(text) without ${one}`,
    ),
  ),
  ...shortcuts(
    'src/secrets/text/normalise.ts',
    ...['if piece.length > MAX_CACHED_LENGTH → false', 'if piece.length > MAX_CACHED_LENGTH → true'],
    ...['if FOLDED.size >= MAX_CACHED → false', 'if FOLDED.size >= MAX_CACHED → true'],
    'if folded === undefined → true',
  ),
  ...shortcuts(
    'src/secrets/text/decode.ts',
    'digits && SPLIT_DIGITS.test(plain) without SPLIT_DIGITS.test(plain)',
    ...['if seen.has(text) → false', 'seen.add(text); → gone', 'if decoder.found.test(text) → true'],
  ),
  ...shortcuts(
    'src/secrets/text/redact-text.ts',
    ...['if !this.mayContainValue(text, window) → false', 'if !this.mayContainValue(all, window) → false'],
    ...['if !this.index.appliesTo(window) → false', 'if isEncoded(text) → true', '? SIMPLE.test(text) → false'],
    ...['if this.index.mayContain(folded, window) → true', 'if found.length === 0 → false'],
    ...['this.index.digits', 'SPLIT_DIGITS.test(folded)', 'this.index.mayContain(joinDigits(folded), window)'].map(
      (one, _, all) => `${all.join(' && ')} without ${one}`,
    ),
  ),
  ...shortcuts(
    'src/secrets/text/value-index.ts',
    ...['if this.wordWindows.has(window) → true', 'this.wordWindows.clear(); → gone', 'this.filter.fill(0); → gone'],
    'if (this.filter[bit >>> 5]! & (1 << (bit & 31))) !== 0 → true',
    ...['? this.hasShortValues(window) → true', 'if !this.passesFilter(folded) → false', 'if code < 0x80 → false'],
    'end > folded.length || isWordAt(folded, end) without end > folded.length',
    ...['this.hasShortValues(window)', 'this.findWords(folded, window).length > 0'].map(
      (one, _, all) => `${all.join(' && ')} without ${one}`,
    ),
    ...['window !== undefined', 'this.wordWindows.has(window)'].map(
      (one, _, all) => `${all.join(' && ')} without ${one}`,
    ),
  ),
];

/** Entries whose check was changed, moved or deleted, as `FILE CHANGE`. */
export function staleEquivalents(root = ROOT) {
  const changesIn = new Map();
  for (const { file } of EQUIVALENT) {
    if (changesIn.has(file)) continue;
    const text = existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '';
    changesIn.set(file, new Set(mutantsOf(file, text, 1).mutants.map(({ change }) => change)));
  }
  return EQUIVALENT.filter(({ file, change }) => !changesIn.get(file).has(change)).map(
    ({ file, change }) => `${file} ${change}`,
  );
}
