import { DesktopError } from '../shared/index.js';
import type { HostClient } from './client.js';

/**
 * A project's policy counts for what is started in its directory. A desktop that runs already was started elsewhere and
 * knows nothing of it; to pass it by in silence would allow what it forbids.
 */
export async function refuseUncounted(host: Pick<HostClient, 'request' | 'close'>, directory: string): Promise<void> {
  const { counts } = await host.request<{ counts: boolean }>('project', { directory });
  if (counts) return;
  host.close();
  throw new DesktopError(
    'policy_denied',
    'This directory has a policy (.deskwright/policy.yaml) that this desktop was started without.',
    {
      retry: 'no',
      hint: 'start a desktop in this directory (deskwright desktop start), or this program in another one.',
    },
  );
}
