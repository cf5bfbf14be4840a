import { derived } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';

/** The desktop as the rules of the caller's own project leave it. */
export function inProject(desktop: Desktop, directory: string | undefined): Desktop {
  const governor = desktop.governor.within(directory);
  return governor === desktop.governor ? desktop : derived(desktop, { governor });
}
