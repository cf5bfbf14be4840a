import type { HostClient } from './client.js';

/**
 * The policy of the project that this process was started in counts for what it does, on whichever desktop. One that
 * cannot be used ends it here, and not at its first call.
 */
export async function checkProject(host: Pick<HostClient, 'request' | 'close'>): Promise<void> {
  try {
    await host.request('project');
  } catch (error) {
    host.close();
    throw error;
  }
}
