import { TOOLS } from '../../../tools/index.js';
import { fieldsOf } from './fields.js';
import type { ToolManifestEntry } from './tool-command.js';

/**
 * What the command line shows of each tool. The build replaces it by its value, so that a command starts without
 * loading the tools.
 */
export const TOOL_MANIFEST: readonly ToolManifestEntry[] = TOOLS.flatMap(({ name, description, input, cli }) =>
  cli === 'none' ? [] : [{ name, description, fields: fieldsOf(input), cli }],
);
