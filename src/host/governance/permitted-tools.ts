import {
  type CallEffects,
  compilePolicy,
  type Policy,
  policyPlaces,
  type PolicyRequest,
  readPolicyFiles,
} from '../../policy/index.js';
import { DesktopError, debug } from '../../shared/index.js';
import type { Tool } from '../../tools/index.js';

type DesktopKind = Exclude<PolicyRequest['desktop'], 'remote'>;
/** The parts of a tool that matter here, as plain data: the MCP server has no other. A batch has steps. */
type OfferedTool = Pick<Tool, 'name' | 'class'> & { effects: CallEffects; steps?: unknown };

/** The tools that the policy does not always deny. A tool that is always denied need not be offered. */
export function permittedTools(
  tools: readonly OfferedTool[],
  policy: Policy,
  desktop: PolicyRequest['desktop'],
  caller: string,
): string[] {
  const mayPass = (tool: OfferedTool): boolean => {
    // A batch does nothing by itself; the policy decides about each step.
    if ('steps' in tool) return true;
    // Whether a session is enabled on this desktop is a separate decision.
    const { name, class: kind, effects } = tool;
    return policy.decide({ tool: name, class: kind, ...effects, caller, desktop, enabled: true }).answer !== 'deny';
  };
  return tools.filter(mayPass).map(({ name }) => name);
}

/**
 * For when no host is running yet: reads the files that the host would read. Undefined if they cannot be read; the host
 * will report why.
 */
export function toolsPermittedByFiles(
  tools: readonly OfferedTool[],
  desktop: DesktopKind,
  startDirectory: string,
  caller: string,
): string[] | undefined {
  const names = tools.map(({ name }) => name);
  try {
    const { files } = readPolicyFiles(policyPlaces({ startDirectory }), names);
    return permittedTools(tools, compilePolicy(files, desktop), desktop, caller);
  } catch (error) {
    if (!(error instanceof DesktopError)) throw error;
    debug('host', () => `tools: ${error.message}`);
    return undefined;
  }
}
