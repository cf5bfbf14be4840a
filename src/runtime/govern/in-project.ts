import type { Driver } from '../../drivers/contract/index.js';
import { derived } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';
import { withoutHiddenTabs } from './hidden-tabs.js';

/** The desktop as the rules of the caller's own project leave it. */
export function inProject(desktop: Desktop, directory: string | undefined): Desktop {
  const governor = desktop.governor.within(directory);
  if (governor === desktop.governor) return desktop;
  const hides = (title: string): boolean => governor.rules.windows?.blocks(title) ?? false;
  return derived(desktop, { governor, driver: withoutTabs(desktop.driver, hides) });
}

/** What the desktop's own rules hide in tabs is left out below. */
function withoutTabs(driver: Driver, hides: (title: string) => boolean): Driver {
  return derived(driver, {
    read: async (scope, options) => {
      const answer = await driver.read(scope, options);
      return { ...answer, root: withoutHiddenTabs(answer.root, hides) };
    },
  });
}
