import { hiddenWindowIds, type TargetFacts } from '../../policy/index.js';
import { Deadline, DesktopError, memoize } from '../../shared/index.js';
import { parseRef, type WindowInfo } from '../../tree/index.js';
import { windowsTitled } from '../observe/window.js';
import { requireApproval } from './authorize-session.js';
import { coveringGrant, type ApprovalChannel } from '../approval/ask-user.js';
import { type CallRequest, targetFacts, sessionOf } from '../request/policy-request.js';
import { READ_TRAITS } from '../request/tool-traits.js';
import { deniedError, type PolicyDecision } from './authorizer.js';
import { type CallView, SEES_ALL } from '../visibility/call-view.js';
import { forWindowRules } from '../visibility/hidden-windows.js';

/** For rules, the reads of an act are calls of this tool. */
const READ_OF_AN_ACT = { tool: 'ui_query', class: 'read', traits: { ...READ_TRAITS, place: 'any-window' } } as const;

/** Time limit for listing the windows after the user has answered, however long that took. */
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
export async function authorizeRead(
  view: CallView,
  request: CallRequest,
  line: ApprovalChannel,
  deadline: Deadline,
): Promise<void> {
  const { authorizer } = view;
  const acts = request.class === 'act' || request.class === 'raw';
  // Rules for acts do not apply to reads.
  const looking: CallRequest = acts ? { ...request, ...READ_OF_AN_ACT } : request;
  if (!authorizer.rules.hasReadRules?.(looking.tool) && (acts || authorizer.decide(request).answer === 'allow'))
    return view.open(SEES_ALL);
  const yes: Yes[] = [];
  // The same few windows are listed again and again while one call is at work.
  const asking = (): ((facts: TargetFacts) => PolicyDecision) =>
    memoize(
      (facts) => JSON.stringify([facts, authorizer.isEnabled(sessionOf(looking.caller))]),
      (facts) => authorizer.decide(looking, facts),
    );
  let [rules, ask] = [authorizer.rules, asking()];
  const decide = (window?: WindowInfo): PolicyDecision => {
    if (authorizer.rules !== rules) [rules, ask] = [authorizer.rules, asking()];
    return ask(targetFacts(aimAt(window)));
  };
  // Of an act on what its caller knows already one question is enough: its own. Until it is answered nothing is told.
  const asksItself = (window: WindowInfo | undefined): boolean =>
    acts && isPointedAt(request) && authorizer.decide(request, targetFacts(aimAt(window))).answer === 'ask';
  const soon = (): Deadline => Deadline.in(LIST_MS, line.signal);
  // Who may act there has been let in.
  const covered = (window: WindowInfo | undefined, decision: PolicyDecision): boolean =>
    [looking, request].some(
      (one) => coveringGrant(view, { asked: one, decided: decision, aim: aimAt(window) }) !== undefined,
    );
  const list = await view.listAllWindows(deadline).catch((error: unknown) => {
    if (request.traits.diagnostic && error instanceof DesktopError) return { windows: [] };
    throw error;
  });
  const named = namedIn(view, request, list.windows);
  let owed: PolicyDecision | undefined;
  for (const window of named.length > 0 ? named : [undefined]) {
    const decided = decide(window);
    // It is not there for who asks.
    if (isHiding(decided)) continue;
    if (decided.answer === 'deny' && (window || !acts)) throw deniedError(request.tool, decided);
    if (decided.answer !== 'ask' || request.traits.place === 'no-window') continue;
    const letIn = covered(window, decided);
    if (asksItself(window)) owed = letIn ? owed : decided;
    else if (!letIn)
      await requireApproval(view, looking, line, async () => {
        const { windows } = await view.listAllWindows(soon());
        const now = window && windows.find(({ id }) => id === window.id);
        return { decided: decide(now), ...(now && { aim: aimAt(now) }) };
      });
    yes.push({ rule: decided.rule, ...(window && { window: window.id }) });
  }
  const agreed = (rule: string, window?: string): boolean =>
    yes.some((one) => one.rule === rule && (one.window === undefined || one.window === window));
  const open = (window: WindowInfo, owner: WindowInfo): boolean => {
    const decision = decide(window);
    if (decision.answer !== 'ask') return decision.answer === 'allow';
    if (agreed(decision.rule, window.id) || agreed(decision.rule, owner.id)) return true;
    return covered(window, decision);
  };
  // A dialog or a menu of what may not be seen is not seen either.
  const sees = (window: WindowInfo, owner: WindowInfo): boolean =>
    open(window, owner) && (owner === window || open(owner, owner));
  const hiddenIn = (windows: readonly WindowInfo[]): Set<string> => {
    const { windows: hiding } = authorizer.rules;
    if (!hiding) return new Set();
    // What belongs to one of them is not seen by that already.
    return hiddenWindowIds(windows.map(forWindowRules), hiding);
  };
  // A person may have thought for long.
  const now = yes.length > 0 ? await view.listAllWindows(soon()) : list;
  view.open({ sees, agreed, hiddenIn }, now);
  view.pendingReadApproval = owed;
}

/** It is no rule about looks: nobody from this project may know of the window at all. */
const isHiding = ({ rule }: PolicyDecision): boolean => rule.startsWith('windows/');

const aimAt = (window: WindowInfo | undefined) => ({ verb: 'look', needs: {}, ...(window && { window }) });

/** At a window, a ref or the focus: nothing is looked for that could be told of. */
const isPointedAt = ({ args: { target, from, to } }: CallRequest): boolean =>
  [target, from, to].every(
    (word) => typeof word !== 'string' || parseRef(word) !== undefined || word.trim().toLowerCase() === 'focused',
  );

/** The windows that the arguments of a call name; none if it is about all windows. */
function namedIn(view: CallView, { traits, args }: CallRequest, windows: WindowInfo[]): WindowInfo[] {
  const { window, target, from, to, space } = args;
  if (typeof window === 'string' && window.trim() !== '*') {
    const ref = parseRef(window);
    return ref ? windows.filter((one) => one.ref === ref) : windowsTitled(windows, window);
  }
  const words = [target, from, to, space].filter((word) => typeof word === 'string');
  const ids = words.flatMap((word) => view.refs.get(parseRef(word.trim()) ?? '')?.windowId ?? []);
  if (ids.length > 0) return windows.filter(({ id }) => ids.includes(id));
  const focused = words.some((word) => word.trim().toLowerCase() === 'focused');
  const active = focused || (words.length === 0 && window === undefined && traits.place === 'active-window');
  return active ? windows.filter((one) => one.active) : [];
}
