import { compilePolicy, policyPlaces, readPolicyFiles, type Policy, type PolicyRequest } from '../../policy/index.js';
import { DesktopError, debug } from '../../shared/index.js';
import type { Tool } from '../../tools/index.js';

type DesktopKind = Exclude<PolicyRequest['desktop'], 'remote'>;
/** What must be known of a tool here. A batch has steps. */
type Offered = Pick<Tool, 'name' | 'class'> & { steps?: unknown };

/** The tools that are not refused whatever they are used on: what is always refused need not be offered. */
export function permittedTools(
  tools: readonly Offered[],
  policy: Policy,
  desktop: PolicyRequest['desktop'],
  caller: string,
): string[] {
  const mayPass = (tool: Offered): boolean => {
    // A batch is nothing by itself: each step is asked about.
    if ('steps' in tool) return true;
    // Whether a session may work here at all is a question of its own.
    return policy.decide({ tool: tool.name, class: tool.class, caller, desktop, enabled: true }).answer !== 'deny';
  };
  return tools.filter(mayPass).map(({ name }) => name);
}

/** Where no host runs yet: by the files that it would read. Undefined when they cannot be read, as it will say. */
export function toolsByFiles(
  tools: readonly Offered[],
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
