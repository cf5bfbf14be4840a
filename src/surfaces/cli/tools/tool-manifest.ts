import { TOOLS } from '../../../tools/index.js';
import { manifestEntry } from './fields.js';
import type { ToolManifestEntry } from './tool-command.js';

/**
 * What the command line shows of each tool. The build replaces it by its value, so that a command starts without
 * loading the tools.
 */
export const TOOL_MANIFEST: readonly ToolManifestEntry[] = TOOLS.flatMap(manifestEntry);
