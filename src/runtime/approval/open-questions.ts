import type { Element, Snapshot, WindowInfo } from '../../tree/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { HeldError } from '../request/act-errors.js';
import type { CallRequest } from '../request/policy-request.js';
import type { CallView } from '../visibility/call-view.js';
import type { Place } from './pending-approvals.js';

/**
 * While a question to the user is open, another act must not be able to answer it. So acts go on only by pattern, and
 * only where no question can be answered: not in a terminal, a browser or one of our own windows, and not in the window
 * or app that a question is about. Keys, mouse, launches, window changes and the clipboard wait. An act that the user
 * has just approved was shown to them as it is: it may use input, but in the same places only.
 */
type Manner = 'pattern' | 'input' | 'approved input';

/** Throws if an act in these windows has to wait for the user's answers to other questions. */
export function refuseWhileAsking(view: CallView, manner: Manner, targets: readonly HeldTarget[]): void {
  const open = view.authorizer.questions.all;
  if (open.length === 0) return;
  const mayGoOn =
    manner !== 'input' && targets.length > 0 && targets.every((target) => !isConcerned(view, target, open));
  if (!mayGoOn) throw new HeldError();
}

/** Where an act happens. */
export interface HeldTarget {
  window: WindowInfo | undefined;
  role?: string;
}

export const heldTarget = ({ window, element }: Target): HeldTarget => ({ window, role: element.role });

/**
 * The same before anything is written to the log, as far as the plan shows how the act will be done. `family`: the
 * window of the act, the window that it belongs to, and the dialogs of both. A button there may paste into a terminal
 * that is part of the app, and a dialog may be shown by another program on behalf of the app in question.
 */
export async function refusePlanWhileAsking(
  view: CallView,
  request: CallRequest,
  plan: ActionPlan,
  approved: boolean,
  family: () => Promise<Snapshot>,
): Promise<void> {
  if (view.authorizer.questions.all.length === 0) return;
  const { target, onto, at, keys, start } = plan;
  const byInput =
    request.class === 'raw' || !target || at !== undefined || keys || start || request.args.method === 'input';
  const manner = approved ? 'approved input' : byInput ? 'input' : 'pattern';
  const targets = [target, onto].filter((one) => one !== undefined).map(heldTarget);
  refuseWhileAsking(view, manner, targets.length > 0 ? targets : plan.window ? [{ window: plan.window }] : []);
  const { windows, roots, degraded } = await family();
  // What could not be read may hold a terminal.
  if (degraded !== undefined || roots.some(hasTerminal)) throw new HeldError();
  refuseWhileAsking(
    view,
    manner,
    windows.map((window) => ({ window })),
  );
}

const hasTerminal = ({ role, children = [] }: Element): boolean => role === 'terminal' || children.some(hasTerminal);

function isConcerned(
  { authorizer }: CallView,
  { window, role }: HeldTarget,
  open: readonly { places?: readonly Place[] }[],
): boolean {
  const { rules } = authorizer;
  if (!window || role === 'terminal' || (rules.takesAnswers?.(window) ?? true)) return true;
  // The path of an interpreter does not identify an app; its process does.
  const identifies = (program: string): boolean => !(rules.runsAnything?.(program) ?? true);
  return open.some(({ places = [] }) =>
    places.some(
      ({ id, pid, program }) =>
        id === window.id ||
        (pid !== undefined && pid === window.pid) ||
        (program !== undefined && program === window.program && identifies(program)),
    ),
  );
}

/** The windows and programs that a question is about. */
export function placesOf(plan: ActionPlan | undefined): Place[] {
  if (!plan) return [];
  const { window, target, onto, lands, end, start } = plan;
  const windows = [window, target?.window, onto?.window, lands?.target?.window, end?.window];
  return [
    ...windows.filter((one) => one !== undefined).map(({ id, pid, program }) => ({ id, pid, program })),
    ...(start ? [{ program: start.program }] : []),
  ];
}
