import { DesktopError, type ErrorJson } from './errors.js';

/** The known word that the caller most likely meant, or none: a wrong guess is worse than no guess. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const typed = normaliseWord(word);
  const allowed = Math.min(2, Math.floor(typed.length / 2));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(typed, normaliseWord(name), allowed);
    if (!best || distance < best.distance) best = { name, distance };
  }
  if (best && best.distance <= allowed) return best.name;
  return known.find((name) => contains(normaliseWord(name), typed) || contains(typed, normaliseWord(name)));
}

/** The error for a name that none of these tools has. */
export function unknownTool(name: string, tools: readonly { name: string }[]): DesktopError {
  const names = tools.map((tool) => tool.name);
  const guess = didYouMean(name, names);
  return new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(name.slice(0, 40))}.`, {
    hint: guess ? `Did you mean ${guess}?` : `Available tools: ${names.join(', ')}.`,
  });
}

/** snake_case, kebab-case and camelCase are the same word. */
function normaliseWord(word: string): string {
  return word
    .slice(0, 64)
    .replace(/[-_\s]/g, '')
    .toLowerCase();
}

function contains(whole: string, part: string): boolean {
  return part.length >= 3 && whole.includes(part);
}

/**
 * Damerau-Levenshtein distance (swapping two neighbours is one edit). Above `limit` the result is only some larger
 * number.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(last[j]! + 1, row[j - 1]! + 1, last[j - 1]! + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, before[j - 2]! + 1);
      row.push(least);
    }
    [before, last] = [last, row];
  }
  return last[b.length]!;
}

/** Longer texts show their start and end, with the number of characters left out. */
const MAX_CHARACTERS = 300;
const MAX_ITEM_CHARACTERS = 120;
const MAX_ITEMS = 16;

/** Characters that a terminal hides or shows in another place. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** An argument of a call in full, without line breaks and invisible characters. */
export function formatWhole(value: unknown): string {
  if (isRedacted(value)) return value.others ? `${formatWhole(value.others)} (… left out)` : '(left out)';
  if (Array.isArray(value)) return value.map(formatWhole).join(' ');
  return escapeInvisible(JSON.stringify(value) ?? '');
}

/** An argument of a call in a form that shows the user all of it, or how much of it is missing. */
export function formatArgument(value: unknown): string {
  if (typeof value === 'string') return quoteShort(value, MAX_CHARACTERS);
  if (isRedacted(value))
    return value.others ? `${quoteShort(value.others, MAX_CHARACTERS)} (… left out)` : '(left out)';
  if (!Array.isArray(value))
    return shorten(escapeInvisible(JSON.stringify(value) ?? ''), MAX_CHARACTERS, (part) => part);
  const items = value.map((item: unknown) =>
    typeof item === 'string' ? quoteShort(item, MAX_ITEM_CHARACTERS) : formatArgument(item),
  );
  if (items.length <= MAX_ITEMS) return items.join(' ');
  const half = MAX_ITEMS / 2;
  const between = `… +${items.length - MAX_ITEMS} arguments …`;
  return [...items.slice(0, half), between, ...items.slice(-half), `(${items.length} arguments)`].join(' ');
}

const quoteShort = (text: string, whole: number): string =>
  shorten(text, whole, (part) => escapeInvisible(JSON.stringify(part)));

const escapeInvisible = (text: string): string =>
  text.replace(INVISIBLE, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

function shorten(text: string, whole: number, shown: (part: string) => string): string {
  const points = [...text];
  if (points.length <= whole) return shown(text);
  const half = whole / 2;
  const between = `… +${points.length - whole} characters …`;
  const [begin, end] = [points.slice(0, half), points.slice(-half)].map((part) => shown(part.join('')));
  return `${begin} ${between} ${end} (${points.length} characters)`;
}

function isRedacted(value: unknown): value is { redacted: true; others?: string } {
  return (value as { redacted?: unknown } | null | undefined)?.redacted === true;
}

/** Commands that act on the user desktop unless a flag names another one. */
const DESKTOP_COMMANDS = [
  ...['resume', 'stop', 'enable', 'disable', 'approvals', 'grants', 'doctor', 'capabilities', 'snapshot'],
  ...['list-windows', 'export', 'policy reload', 'policy explain'],
  ...['verify', 'new', 'path', 'keys', 'rotate', 'show'].map((name) => `audit ${name}`),
];
const COMMAND = new RegExp(`\\bdeskproof (?:${DESKTOP_COMMANDS.join('|')})(?![\\w-])(?! --desktop| LOG)`, 'g');
/** These commands take the name without a flag. If they name no desktop, a clause ends after them. */
const STOP = /\bdeskproof desktop stop(?=$|[,.;)])/g;
const START_AGAIN = /(\bthe desktop again: (?:.*, then )?deskproof desktop start)(?=$|[,.;)])/g;
const DESKTOP_NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * Adapts a hint to a desktop, so that its commands can be typed as they are. For the user desktop, `user`, it stays
 * unchanged; elsewhere the same commands would act on the user desktop instead. Only for texts of our own: hints,
 * fixes, command output.
 */
export function localiseHint(desktop: string | undefined, text: string): string {
  if (desktop === undefined || desktop === 'user' || desktop === 'fake' || !DESKTOP_NAME.test(desktop)) return text;
  return text
    .replace(COMMAND, `$& --desktop ${desktop}`)
    .replace(STOP, `deskproof desktop stop ${desktop}`)
    .replace(START_AGAIN, `$1 --name ${desktop}`);
}

/** An error as the caller gets it: its hint names the desktop that it came from. */
export function localiseError(desktop: string | undefined, error: ErrorJson): ErrorJson {
  return error.hint === undefined ? error : { ...error, hint: localiseHint(desktop, error.hint) };
}

const FREE_SPACE = 'Free some space there, or set DESKPROOF_RUNTIME to a directory on another disk.';

/** Resources that a machine can run out of, by the system's error code. */
const RESOURCE_ERRORS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOSPC: ['The disk is full.', FREE_SPACE],
  EDQUOT: ['Your disk quota is used up.', FREE_SPACE],
  EROFS: ['The disk is read-only.', 'Set DESKPROOF_RUNTIME to a directory on another disk.'],
  EMFILE: ['Too many files are open in one process.', 'Raise the limit: ulimit -n 4096'],
  ENFILE: ['Too many files are open on this machine.', 'Close programs that you do not need.'],
  EAGAIN: ['No more processes can be started.', 'Close programs that you do not need, or raise the limit: ulimit -u'],
  ENOMEM: ['The machine is out of memory.', 'Close programs that you do not need.'],
};

/** The machine's problem as an error of ours; undefined if `error` is not about a resource of the machine. */
export function osError(error: unknown): DesktopError | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const words = typeof code === 'string' && Object.hasOwn(RESOURCE_ERRORS, code) ? RESOURCE_ERRORS[code] : undefined;
  return words && new DesktopError('command_failed', words[0], { hint: words[1], details: { code }, cause: error });
}
