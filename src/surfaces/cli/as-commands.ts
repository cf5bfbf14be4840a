import { commandName, SHAPES } from './tool-shapes.js';

const NAMED = /"(?:[^"\\]|\\.)*"|\bui_[a-z_]+\b/g;
/** Rows of tables and lines of texts hold words of apps without quotes. */
const OF_APPS = /^\s*\||^\s*\S+ \| /;

/** Answers name tools as models call them; a person types commands. What an app says stays as it is. */
export function asCommands(text: string): string {
  const spoken = (found: string): string => (found in SHAPES ? commandName(found) : found);
  return text
    .split('\n')
    .map((line) => (OF_APPS.test(line) ? line : line.replaceAll(NAMED, spoken)))
    .join('\n');
}
