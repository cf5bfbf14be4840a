import type { TargetFacts } from '../../policy/index.js';
import { Deadline, remembered, WHOLE } from '../../shared/index.js';
import { parseRef, type WindowInfo } from '../../tree/index.js';
import type { Desktop } from '../desktop.js';
import { windowsTitled } from '../find-window.js';
import { approve } from './admit.js';
import type { Line } from './approval.js';
import { grantable } from './ask-and-grant.js';
import { sessionOf, type Asked } from './asked.js';
import { denied, type Decided } from './governor.js';
import { narrowed } from './narrowed.js';
import { factsOf } from './target-facts.js';

/** After a person has answered, however long that took. */
const LIST_MS = 2_000;

/** What a person has said yes to in this call: for one window, or for all of them. */
interface Yes {
  rule: string;
  window?: string;
}

/**
 * The second question of a look, window by window. What rules keep from this call is not there for it; it is counted,
 * and black in pictures. A window that the call names is refused by its rule, or a person is asked about it. An act looks
 * too, to find its target and to prove its effect: what may not be read is not there for it either.
 */
export async function sightOf(desktop: Desktop, asked: Asked, line: Line, deadline: Deadline): Promise<Desktop> {
  const { governor } = desktop;
  const acts = asked.class === 'act' || asked.class === 'raw';
  if (!governor.rules.governsLooks && (acts || governor.decide(asked).answer === 'allow')) return desktop;
  const looking: Asked = acts ? { ...asked, class: 'read' } : asked;
  const yes: Yes[] = [];
  // The same few windows are listed again and again while one call is at work.
  const asking = (): ((facts: TargetFacts) => Decided) =>
    remembered(
      (facts) => JSON.stringify([facts, facts[WHOLE], governor.isEnabled(sessionOf(looking.caller))]),
      (facts) => governor.decide(looking, facts),
    );
  let [rules, ask] = [governor.rules, asking()];
  const decide = (window?: WindowInfo): Decided => {
    if (governor.rules !== rules) [rules, ask] = [governor.rules, asking()];
    return ask(factsOf(aimAt(window)));
  };
  const list = await desktop.listWindows(deadline);
  const named = namedIn(desktop, asked, list.windows);
  for (const window of named.length > 0 ? named : [undefined]) {
    const decided = decide(window);
    if (decided.answer === 'deny' && (window || !acts)) throw denied(asked.tool, decided);
    if (decided.answer !== 'ask' || acts) continue;
    await approve(desktop, looking, line, async () => {
      const { windows } = await desktop.listWindows(Deadline.in(LIST_MS, line.signal));
      const now = window && windows.find(({ id }) => id === window.id);
      return { decided: decide(now), ...(now && { aim: aimAt(now) }) };
    });
    yes.push({ rule: decided.rule, ...(window && { window: window.id }) });
  }
  const agreed = (rule: string, window?: string): boolean =>
    yes.some((one) => one.rule === rule && (one.window === undefined || one.window === window));
  const open = (window: WindowInfo, owner: WindowInfo): boolean => {
    const decided = decide(window);
    if (decided.answer !== 'ask') return decided.answer === 'allow';
    if (acts || agreed(decided.rule, window.id) || agreed(decided.rule, owner.id)) return true;
    const matter = { asked: looking, decided, aim: aimAt(window) };
    return governor.grants.covers(grantable(desktop, matter)) !== undefined;
  };
  // A dialog or a menu of what may not be seen is not seen either.
  const sees = (window: WindowInfo, owner: WindowInfo): boolean =>
    open(window, owner) && (owner === window || open(owner, owner));
  // A person may have thought for long.
  return narrowed(desktop, sees, agreed, yes.length > 0 ? await desktop.listWindows(deadline) : list);
}

const aimAt = (window: WindowInfo | undefined) => ({ verb: 'look', needs: {}, ...(window && { window }) });

/** The windows that a call is about by its own words; none when it is about whatever there is. */
function namedIn(desktop: Desktop, { tool, args }: Asked, windows: WindowInfo[]): WindowInfo[] {
  const { window, target } = args;
  if (typeof window === 'string' && window.trim() !== '*') {
    const ref = parseRef(window);
    return ref ? windows.filter((one) => one.ref === ref) : windowsTitled(windows, window);
  }
  if (typeof target === 'string') {
    const ref = parseRef(target.trim());
    const id = ref && desktop.refs.get(ref)?.windowId;
    if (ref) return windows.filter((one) => one.ref === ref || one.id === id);
    if (target.trim().toLowerCase() !== 'focused') return [];
  } else if (tool !== 'ui_snapshot' || window !== undefined) return [];
  return windows.filter(({ active }) => active);
}
