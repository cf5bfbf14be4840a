import type { ToolResult } from '../../tools/index.js';
import { withoutUntrustedMarkers } from '../../tree/index.js';
import type { Link } from './link.js';
import { describeElement } from './locator/element-calls.js';
import type { ElementLocator } from './locator/locator.js';
import { retryUntilTrue } from './locator/retry.js';
import { SelectorBuilder } from './locator/selector-builder.js';
import { existsButNot } from './locator/wait-for-condition.js';
import type { SnapshotOptions, Timeout } from './options.js';
import type { Frame, Snapshot } from './surface.js';

interface Line {
  depth: number;
  text: string;
}

/**
 * Matches refs, which differ from run to run: `e12 button "Save"` and `button e10 "7", e11 "8"`. Quoted text is
 * skipped.
 */
const REF_OR_TEXT = /"(?:[^"\\]|\\.)*"|(?<=^|[ |])[ew]\d+ (?=\S)/g;
const withoutRefs = (line: string): string =>
  line.replaceAll(REF_OR_TEXT, (found) => (found.startsWith('"') ? found : ''));

function parseLines(text: string): Line[] {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const depth = /^ */.exec(line)![0].length;
      return { depth, text: line.slice(depth) };
    });
}

/** Returns the first expected line that is missing or at the wrong indentation. */
export function matchSnapshot(expected: string, actual: string): { missing?: string } {
  const expectedLines = parseLines(expected);
  const least = Math.min(...expectedLines.map(({ depth }) => depth));
  // The first line is Deskproof's own, not the app's.
  const body = withoutUntrustedMarkers(actual).split('\n').slice(1).join('\n');
  const actualLines = parseLines(body).map(({ depth, text }) => ({ depth, text: withoutRefs(text) }));
  let at = 0;
  let shift: number | undefined;
  for (const { depth, text } of expectedLines) {
    const found = actualLines.findIndex(
      (line, index) =>
        index >= at && lineMatches(text, line.text) && (shift === undefined || line.depth - (depth - least) === shift),
    );
    if (found < 0) return { missing: `There is no line ${text}` };
    shift ??= actualLines[found]!.depth - (depth - least);
    at = found + 1;
  }
  return {};
}

function lineMatches(expected: string, line: string): boolean {
  const pattern = /^\/(.+)\/(i?)$/.exec(expected);
  return pattern ? new RegExp(pattern[1]!, pattern[2]).test(line) : expected === line;
}

/**
 * Waits until an element matches a selector term that no condition can express. The term is checked on the element that
 * matches now, which may have been picked by index.
 */
export async function waitForTerm(
  { link, scope, target }: ElementLocator,
  { term, expected, expression, timeoutMs }: { term: string; expected: boolean; expression: string } & Timeout,
): Promise<void> {
  await retryUntilTrue(link, { expression, timeoutMs }, async () => {
    const { ref, window } = await describeElement(link, target, await scope.window(link));
    const matches = { exists: SelectorBuilder.of(ref).and(term).text };
    // The element may be gone by then.
    await link.call('ui_assert', { condition: expected ? matches : existsButNot(ref, matches), window });
    return true;
  });
}

/** A snapshot with its text. */
export async function takeSnapshot(
  link: Link,
  options: SnapshotOptions & { window?: string; target?: string },
): Promise<Snapshot> {
  const { json, text } = await link.call('ui_snapshot', options);
  return { ...(json as unknown as Snapshot), text };
}

/** Converts a capture result to bytes. */
export function toFrame(answer: ToolResult['ui_capture']): Frame {
  const { id, width, height, origin, scale, takenAt, format, redactions, data = '' } = answer;
  return { id, width, height, origin, scale, takenAt, format, redactions, data: Buffer.from(data, 'base64') };
}
