/** A text that was made from another one, and from where in it each of its characters came. */
export interface TracedText {
  text: string;
  /** For each character: where its origin begins, and where it ends. Absent in the original itself. */
  from?: Uint32Array;
  to?: Uint32Array;
}

export type Replace = (match: string) => string;

/** As `String.replace` with a global pattern; characters of a replacement come from all that was matched. */
export function rewrite(source: TracedText, pattern: RegExp, replace: Replace): TracedText {
  const pieces: string[] = [];
  const from: number[] = [];
  const to: number[] = [];
  const keep = (start: number, end: number): void => {
    pieces.push(source.text.slice(start, end));
    for (let at = start; at < end; at++) {
      from.push(source.from?.[at] ?? at);
      to.push(source.to?.[at] ?? at + 1);
    }
  };
  let done = 0;
  for (const { 0: match, index } of source.text.matchAll(pattern)) {
    keep(done, index);
    done = index + match.length;
    const instead = replace(match);
    pieces.push(instead);
    const start = source.from?.[index] ?? index;
    const end = source.to?.[done - 1] ?? done;
    for (let at = 0; at < instead.length; at++) {
      from.push(start);
      to.push(end);
    }
  }
  keep(done, source.text.length);
  return { text: pieces.join(''), from: Uint32Array.from(from), to: Uint32Array.from(to) };
}

/** Where characters `start` to `end` of the traced text stand in the original. */
export function originOf(traced: TracedText, start: number, end: number): [start: number, end: number] {
  return [traced.from?.[start] ?? start, traced.to?.[end - 1] ?? end];
}
