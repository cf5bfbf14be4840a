/** Of a line that is longer only the part that is changed is shown. */
const LONG = 100;

/** What a change takes out and puts in, line by line. What is around it is not shown: it may hold keys. */
export function changedLines(before: string, after: string): string[] {
  const [from, to] = [linesOf(before), linesOf(after)];
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start += 1;
  let end = 0;
  while (end < from.length - start && end < to.length - start && from.at(-1 - end) === to.at(-1 - end)) end += 1;
  const middle = (lines: readonly string[]): string => lines.slice(start, lines.length - end).join('\n');
  const [out, into] = withoutSame(middle(from), middle(to));
  return [...linesOf(out).map((line) => `- ${line}`), ...linesOf(into).map((line) => `+ ${line}`)];
}

/** Some write all of their file in one line: what is the same at both ends of it is no part of the change. */
function withoutSame(out: string, into: string): [string, string] {
  const least = Math.min(out.length, into.length);
  let head = 0;
  while (head < least && out[head] === into[head]) head += 1;
  let tail = 0;
  while (tail < least - head && out.at(-1 - tail) === into.at(-1 - tail)) tail += 1;
  const cut = (text: string): string => {
    const begin = head > LONG ? `…${text.slice(head)}` : text;
    return tail > LONG ? `${begin.slice(0, begin.length - tail)}…` : begin;
  };
  return [cut(out), cut(into)];
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/);
}
