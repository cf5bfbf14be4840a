import { DesktopError, didYouMean } from '../../../shared/index.js';
import { TOOLS } from '../../../tools/index.js';
import { commandName } from '../tool-shapes.js';

type Tool = (typeof TOOLS)[number];

/** By its own name or by that of its command. A batch is no call of its own. */
export function toolAsked(word: string): Tool {
  const found = TOOLS.find(({ name }) => name === word || commandName(name) === word);
  if (!found) {
    const names = TOOLS.flatMap(({ name }) => [name, commandName(name)]);
    const guess = didYouMean(word, names);
    throw new DesktopError('bad_arguments', `There is no tool ${JSON.stringify(word.slice(0, 40))}.`, {
      hint: guess ? `Did you mean ${guess}?` : `There are ${TOOLS.map(({ name }) => name).join(', ')}.`,
    });
  }
  if ('steps' in found) {
    throw new DesktopError('bad_arguments', 'A batch is nothing by itself: each of its steps is decided.', {
      hint: 'Ask for one of its steps.',
    });
  }
  return found;
}

const ABOUT = ['target', 'from', 'command', 'window'] as const;

/** Which argument says what the call is about. */
export function aboutField({ name, input }: Tool): string {
  const field = ABOUT.find((one) => one in input.shape);
  if (field !== undefined) return field;
  throw new DesktopError('bad_arguments', `${name} has no target.`, { hint: 'Leave it out.' });
}

export function argumentsGiven(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw notArguments(error);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw notArguments();
  return value as Record<string, unknown>;
}

function notArguments(cause?: unknown): DesktopError {
  return new DesktopError('bad_arguments', '--args takes a JSON object.', {
    hint: `In single quotes: --args '{"keys":"ctrl+s"}'`,
    cause,
  });
}
