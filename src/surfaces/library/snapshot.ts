import type { ToolResult } from '../../tools/index.js';
import { withoutUntrustedMarkers } from '../../tree/index.js';
import type { Link } from './link.js';
import { infoOf } from './locator/element-calls.js';
import type { ElementLocator } from './locator/locator.js';
import { retried } from './locator/retry.js';
import { SelectorParts } from './locator/selector-builder.js';
import { thereAndNot } from './locator/wait-for-condition.js';
import type { SnapshotOptions, Timeout } from './options.js';
import type { Frame, Snapshot } from './surface.js';

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
  const body = withoutUntrustedMarkers(seen).split('\n').slice(1).join('\n');
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

/**
 * What a selector can say of an element and no condition can: it is said of the one that fits now, which is found first
 * and may have been picked by number.
 */
export async function fitsPattern(
  { link, place, target }: ElementLocator,
  { term, wanted, said, timeoutMs }: { term: string; wanted: boolean; said: string } & Timeout,
): Promise<void> {
  await retried(link, { said, timeoutMs }, async () => {
    const { ref, window } = await infoOf(link, target, await place.window(link));
    const fits = { exists: SelectorParts.of(ref).and(term).text };
    // It may be gone when it is asked about.
    await link.call('ui_assert', { condition: wanted ? fits : thereAndNot(ref, fits), window });
    return true;
  });
}

/** A look with its text. */
export async function snapshotOf(
  link: Link,
  options: SnapshotOptions & { window?: string; target?: string },
): Promise<Snapshot> {
  const { json, text } = await link.call('ui_snapshot', options);
  return { ...(json as unknown as Snapshot), text };
}

/** A picture as programs use it: bytes. */
export function frameOf(answer: ToolResult['ui_capture']): Frame {
  const { id, width, height, origin, scale, takenAt, format, painted, data = '' } = answer;
  return { id, width, height, origin, scale, takenAt, format, painted, data: Buffer.from(data, 'base64') };
}
