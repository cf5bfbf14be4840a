/** Longer ones are shown by their beginning and their end: what is left out is said. */
const WHOLE = 300;
const WHOLE_ITEM = 120;
const MOST_ITEMS = 16;

/** What a terminal would not show, or would show elsewhere. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** What was given to a call, so that a person sees all of it, or how much they do not see. */
export function givenText(value: unknown): string {
  if (typeof value === 'string') return quoted(value, WHOLE);
  if (isHidden(value)) return value.others ? `${quoted(value.others, WHOLE)} (… left out)` : '(left out)';
  if (!Array.isArray(value)) return shortened(seen(JSON.stringify(value) ?? ''), WHOLE, (part) => part);
  const items = value.map((item: unknown) => (typeof item === 'string' ? quoted(item, WHOLE_ITEM) : givenText(item)));
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
