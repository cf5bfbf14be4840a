import type { Box } from '../../../tree/index.js';
import { isNumbers, isString } from './answer-kinds.js';
import type { AppCalls } from './app-link.js';
import { boxOf } from './extents.js';
import { ACCESSIBLE, HYPERLINK, SCREEN, TEXT } from './interfaces.js';
import { asAddress, readNumber } from './raw-element.js';

export interface LinkInText {
  words: string;
  box?: Box;
}

/** More than one line of text is higher than one of its letters by this much. */
const LINES = 1.6;

/** A link in a GTK 3 label has neither a name nor a place of its own: both are those of the letters that it is. */
export async function linkInText(calls: AppCalls, path: string): Promise<LinkInText | undefined> {
  const [start, end, parent] = await Promise.all([
    readNumber(calls, path, HYPERLINK, 'StartIndex'),
    readNumber(calls, path, HYPERLINK, 'EndIndex'),
    calls.maybe(calls.get(path, ACCESSIBLE, 'Parent')).then(asAddress),
  ]);
  if (start === undefined || end === undefined || end <= start || parent?.[0] !== calls.app.busName) return undefined;
  const boxFrom = async (to: number): Promise<Box | undefined> =>
    boxOf(
      calls.understood(
        await calls.maybe(calls.call(parent[1], TEXT, 'GetRangeExtents', 'iiu', [start, to, SCREEN])),
        isNumbers,
      ),
    );
  const [text, all, first] = await Promise.all([
    calls.maybe(calls.call(parent[1], TEXT, 'GetText', 'ii', [start, end])),
    boxFrom(end),
    boxFrom(start + 1),
  ]);
  // The middle of one that goes over two lines may lie beside it.
  const box = all && first && all.height > first.height * LINES ? first : all;
  return { words: calls.understood(text?.[0], isString) ?? '', ...(box && { box }) };
}
