/** What a field held before something was typed into it, and where its caret stood. */
export interface Held {
  text: string;
  /** From the caret, or around what was selected. Counted as its app counts. */
  start: number;
  end: number;
}

/**
 * Whether all of the part can have come into the field. That it is in there does not say so: some of it may have been
 * there before, and a field that is full drops the rest.
 */
export function tookAll(part: string, { text, start, end }: Held, now: string): boolean {
  if (!now.includes(part)) return false;
  const before = [...text];
  const size = [...part].length;
  // Apps may add to what is typed; of what was there only the selection goes.
  if ([...now].length >= before.length - (end - start) + size) return true;
  // Written over what stood behind the caret.
  if (now === [...before.slice(0, start), part, ...before.slice(start + size)].join('')) return true;
  // In place of all, as of words that only say what belongs there.
  return now === part && !part.includes(text) && !text.includes(part);
}
