// What nobody sees, what turns text around, and what ends a line: shown by its number, so that it can hide nothing.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu;
/** Records hold 200 characters; a file that was edited may hold anything. */
const MOST = 2_000;

/** Any text on one line, every character of it to be seen. */
export function safeText(text: string): string {
  const shown = text.length > MOST ? `${text.slice(0, MOST)}…(+${text.length - MOST})` : text;
  return shown.replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`);
}
