import { withoutMarks } from '../../tree/index.js';

interface Line {
  depth: number;
  text: string;
}

/** Refs, which differ from run to run: `e12 button "Save"` and `button e10 "7", e11 "8"`. What is quoted holds none. */
const REF_OR_TEXT = /"(?:[^"\\]|\\.)*"|(?<=^|[ |])[ew]\d+ (?=\S)/g;
const withoutRefs = (line: string): string =>
  line.replaceAll(REF_OR_TEXT, (found) => (found.startsWith('"') ? found : ''));

export function linesOf(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const depth = /^ */.exec(line)![0].length;
      return { depth, text: line.slice(depth) };
    });
}

/** The first line that is not there in its place; undefined when all are. */
export function fitsSnapshot(wanted: string, seen: string): { missing?: string } {
  const given = linesOf(wanted);
  const least = Math.min(...given.map(({ depth }) => depth));
  // Our own first line is no part of what the app shows.
  const body = withoutMarks(seen).split('\n').slice(1).join('\n');
  const there = linesOf(body).map(({ depth, text }) => ({ depth, text: withoutRefs(text) }));
  let at = 0;
  let shift: number | undefined;
  for (const { depth, text } of given) {
    const found = there.findIndex(
      (line, index) =>
        index >= at && fits(text, line.text) && (shift === undefined || line.depth - (depth - least) === shift),
    );
    if (found < 0) return { missing: `There is no line ${text}` };
    shift ??= there[found]!.depth - (depth - least);
    at = found + 1;
  }
  return {};
}

function fits(wanted: string, line: string): boolean {
  const pattern = /^\/(.+)\/(i?)$/.exec(wanted);
  return pattern ? new RegExp(pattern[1]!, pattern[2]).test(line) : wanted === line;
}
