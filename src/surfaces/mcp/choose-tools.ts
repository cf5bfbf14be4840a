import { DesktopError, didYouMean } from '../../shared/index.js';
import { TOOL_FACES, type ToolFace } from './tool-faces.js';

/** `--tools ui_snapshot,ui_click`: fewer than all, in our order. */
export function chooseTools(names: string | undefined): readonly ToolFace[] {
  if (names === undefined) return TOOL_FACES;
  const wanted = names
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const known = TOOL_FACES.map(({ name }) => name);
  const wrong = wanted.find((name) => !known.includes(name));
  if (wrong === undefined && wanted.length > 0) return TOOL_FACES.filter(({ name }) => wanted.includes(name));
  const guess = wrong && didYouMean(wrong, known);
  throw new DesktopError(
    'bad_arguments',
    wrong === undefined ? '--tools names no tool.' : `There is no tool ${JSON.stringify(wrong.slice(0, 40))}.`,
    { hint: guess ? `Did you mean ${guess}?` : `There are ${known.join(', ')}.` },
  );
}
