import { existsSync, realpathSync } from 'node:fs';
import { policyPlaces } from '../policy/index.js';

/** Whether the policy of the project in this directory, if there is one, is among those that count here. */
export function projectCounts(sources: readonly { tier: string; file: string }[] = [], directory: string): boolean {
  const { project } = policyPlaces({ startDirectory: directory });
  if (!project || !existsSync(project)) return true;
  return sources.some(({ tier, file }) => tier === 'project' && isSame(file, project));
}

function isSame(one: string, other: string): boolean {
  // What was there when the desktop was started may be gone.
  return existsSync(one) && realpathSync(one) === realpathSync(other);
}
