import type { toolsPermittedByFiles as work } from './permitted-tools.js';

/** See `permitted-tools`. Loaded on demand, since it imports the policy, which most callers do not need. */
export async function toolsPermittedByFiles(...args: Parameters<typeof work>): Promise<ReturnType<typeof work>> {
  const { toolsPermittedByFiles: read } = await import('./permitted-tools.js');
  return read(...args);
}
