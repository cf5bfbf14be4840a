import type { CommandShape } from '../../../tools/index.js';

/**
 * Help for arguments that several tools share and that have no description in their schema. A schema description costs
 * tokens in every conversation with a model; these texts do not. A tool can replace them (`cli.help`).
 */
const COMMON_HELP: Readonly<Record<string, string>> = {
  target: 'ref, selector or focused',
  window: 'window ref or title',
  verify: 'condition that must hold afterwards, as for wait',
  timeoutMs: 'time limit in milliseconds',
  settleMs: 'how long to watch for changes afterwards, in milliseconds',
  maxTokens: 'maximum length of the answer in tokens',
  limit: 'maximum number of results',
  method: 'accessibility action (pattern), mouse and keyboard (input), or whichever works (auto)',
  button: 'mouse button',
  count: 'number of clicks; 2 is a double click',
  modifiers: 'keys to hold down: ctrl, shift, alt, meta',
  x: 'horizontal position in pixels',
  y: 'vertical position in pixels',
  steps: 'list of calls as JSON',
};

export function fieldHelp(
  { help = {} }: Pick<CommandShape, 'help'>,
  { name, description }: { name: string; description?: string },
): string {
  return description ?? help[name] ?? COMMON_HELP[name] ?? '';
}
