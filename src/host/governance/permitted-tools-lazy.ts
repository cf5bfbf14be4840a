import type { toolsByFiles as work } from './permitted-tools.js';

/** As `permitted-tools` has it. Loaded when it is wanted: it brings the policy, which most callers do not need. */
export async function toolsByFiles(...given: Parameters<typeof work>): Promise<ReturnType<typeof work>> {
  const { toolsByFiles: read } = await import('./permitted-tools.js');
  return read(...given);
}
