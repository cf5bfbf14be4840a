import { refsIn } from '../../selector/index.js';
import { DesktopError } from '../../shared/index.js';
import { parseRef } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import type { Condition } from './condition.js';

/** A ref that was never given cannot come true by waiting; it is a slip, told at once. */
export function refuseUnknownRefs(desktop: Desktop, condition: Condition, within: string | undefined): void {
  const inSelectors = (condition.selectors ?? []).flatMap(({ selector }) => selector.alternatives.flatMap(refsIn));
  const named = [...(condition.windows ?? []), ...(within === undefined ? [] : [within])].map(parseRef);
  for (const ref of [...inSelectors, ...named.filter((one) => one?.startsWith('w'))]) {
    if (ref === undefined || desktop.refs.lookup(ref).state !== 'never') continue;
    throw new DesktopError('element_not_found', `There is no ${ref}.`, {
      hint: ref.startsWith('w') ? 'ui_list_windows gives refs of windows.' : 'look first: ui_snapshot gives refs.',
    });
  }
}
