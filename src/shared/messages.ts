import { DesktopError, type ErrorJson } from './errors.js';

/** The known word that someone most likely meant, or none: a wrong guess is worse than silence. */
export function didYouMean(word: string, known: readonly string[]): string | undefined {
  const asked = plain(word);
  const allowed = Math.min(2, Math.floor(asked.length / 2));
  let best: { name: string; distance: number } | undefined;
  for (const name of known) {
    const distance = editDistance(asked, plain(name), allowed);
    if (!best || distance < best.distance) best = { name, distance };
  }
  if (best && best.distance <= allowed) return best.name;
  return known.find((name) => holds(plain(name), asked) || holds(asked, plain(name)));
}

/** snake_case, kebab-case and camelCase are the same word. */
function plain(word: string): string {
  return word
    .slice(0, 64)
    .replace(/[-_\s]/g, '')
    .toLowerCase();
}

function holds(whole: string, part: string): boolean {
  return part.length >= 3 && whole.includes(part);
}

/** Damerau-Levenshtein (a swap of neighbours counts as one edit). Gives up above `limit`. */
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

/** Longer ones are shown by their beginning and their end: what is left out is said. */
const WHOLE = 300;
const WHOLE_ITEM = 120;
const MOST_ITEMS = 16;

/** What a terminal would not show, or would show elsewhere. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What was given to a call, so that a person sees all of it, or how much they do not see. */
export function formatArgument(value: unknown): string {
  if (typeof value === 'string') return quoted(value, WHOLE);
  if (isHidden(value)) return value.others ? `${quoted(value.others, WHOLE)} (… left out)` : '(left out)';
  if (!Array.isArray(value)) return shortened(seen(JSON.stringify(value) ?? ''), WHOLE, (part) => part);
  const items = value.map((item: unknown) =>
    typeof item === 'string' ? quoted(item, WHOLE_ITEM) : formatArgument(item),
  );
  if (items.length <= MOST_ITEMS) return items.join(' ');
  const half = MOST_ITEMS / 2;
  const between = `… +${items.length - MOST_ITEMS} arguments …`;
  return [...items.slice(0, half), between, ...items.slice(-half), `(${items.length} arguments)`].join(' ');
}

const quoted = (text: string, whole: number): string => shortened(text, whole, (part) => seen(JSON.stringify(part)));

const seen = (text: string): string =>
  text.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);

function shortened(text: string, whole: number, shown: (part: string) => string): string {
  const points = [...text];
  if (points.length <= whole) return shown(text);
  const half = whole / 2;
  const between = `… +${points.length - whole} characters …`;
  const [begin, end] = [points.slice(0, half), points.slice(-half)].map((part) => shown(part.join('')));
  return `${begin} ${between} ${end} (${points.length} characters)`;
}

function isHidden(value: unknown): value is { redacted: true; others?: string } {
  return (value as { redacted?: unknown } | null | undefined)?.redacted === true;
}

/** Commands that go to the person's own screen where nobody says otherwise. */
const ABOUT_A_DESKTOP = [
  ...['resume', 'stop', 'enable', 'disable', 'approvals', 'grants', 'doctor', 'capabilities', 'snapshot'],
  ...['list-windows', 'export', 'policy reload', 'policy explain'],
  ...['verify', 'new', 'path', 'keys', 'rotate', 'show'].map((name) => `audit ${name}`),
];
const COMMAND = new RegExp(`\\bdeskproof (?:${ABOUT_A_DESKTOP.join('|')})(?![\\w-])(?! --desktop| LOG)`, 'g');
/** These name theirs without a flag; what follows is the end of a clause where they name none. */
const STOP = /\bdeskproof desktop stop(?=$|[,.;)])/g;
const START_AGAIN = /(\bthe desktop again: (?:.*, then )?deskproof desktop start)(?=$|[,.;)])/g;
const NAME = /^[a-z0-9][a-z0-9-]*$/;

/**
 * A hint of ours as somebody would type it for this desktop. On the person's own screen, `user`, it stays as it is;
 * elsewhere the same words would act on their screen instead. Only for texts of our own: hints, fixes, what commands say.
 */
export function localiseHint(desktop: string | undefined, text: string): string {
  if (desktop === undefined || desktop === 'user' || desktop === 'fake' || !NAME.test(desktop)) return text;
  return text
    .replace(COMMAND, `$& --desktop ${desktop}`)
    .replace(STOP, `deskproof desktop stop ${desktop}`)
    .replace(START_AGAIN, `$1 --name ${desktop}`);
}

/** An error as it leaves for whoever called: its hint names the desktop that it came from. */
export function errorFor(desktop: string | undefined, error: ErrorJson): ErrorJson {
  return error.hint === undefined ? error : { ...error, hint: localiseHint(desktop, error.hint) };
}

const ELSEWHERE = 'Make room there, or set DESKPROOF_RUNTIME to a directory on another disk.';

/** What a machine can run out of, by the system's name for it. */
const WORDS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOSPC: ['The disk is full.', ELSEWHERE],
  EDQUOT: ['Your share of the disk is used up.', ELSEWHERE],
  EROFS: ['The disk can only be read.', 'Set DESKPROOF_RUNTIME to a directory on another disk.'],
  EMFILE: ['Too many files are open in one process.', 'Raise the limit: ulimit -n 4096'],
  ENFILE: ['Too many files are open on this machine.', 'End programs that are not needed.'],
  EAGAIN: ['No more processes can be started.', 'End programs that are not needed, or raise the limit: ulimit -u'],
  ENOMEM: ['There is no memory left.', 'End programs that are not needed.'],
};

/** The machine's trouble in a sentence; undefined when the error says nothing of the kind. */
export function systemFault(error: unknown): DesktopError | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const words = typeof code === 'string' && Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words && new DesktopError('command_failed', words[0], { hint: words[1], details: { code }, cause: error });
}
