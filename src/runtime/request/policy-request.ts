import type { CallClass, PolicyRequest, TargetFacts } from '../../policy/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { carriesText, effectsOf, keysOf, loggableArgs, type ToolTraits } from './tool-traits.js';

/** A call before anything is read: who asks for what. */
export interface CallRequest {
  tool: string;
  class: CallClass;
  /** What the tool declares about itself. */
  traits: ToolTraits;
  /** `cli`, `mcp:a71f`: the surface, then its session. */
  caller: string;
  args: Readonly<Record<string, unknown>>;
  /** Keys that its secret presses, once that is known. */
  presses?: readonly string[];
  /** Elements that the pointer met in the target and that were not authorized yet, once that is known. */
  meets?: readonly Target[];
}

/** A request to this tool. */
export function callRequest(
  { name, class: kind, traits }: { name: string; class: CallClass; traits: ToolTraits },
  caller: string,
  args: CallRequest['args'],
): CallRequest {
  return { tool: name, class: kind, traits, caller, args };
}

export const surfaceOf = (caller: string): string => caller.split(':', 1)[0]!;

/**
 * The user allows things to a session. All commands on one desktop are one session; every other caller is its own. The
 * part after a slash names a listener of that session.
 */
export const sessionOf = (caller: string): string => (surfaceOf(caller) === 'cli' ? 'cli' : caller.split('/', 1)[0]!);

/** Facts that are not part of the call itself. */
interface Known {
  desktop: PolicyRequest['desktop'];
  /** The user has enabled the session. */
  enabled?: boolean;
  /** Absent: not found yet. */
  target?: TargetFacts;
  /** False: the arguments are not known yet and may be anything. */
  argsKnown?: boolean;
}

/** A call in the terms that rules use. */
export function policyRequest(
  request: CallRequest,
  { desktop, enabled = false, target, argsKnown = true }: Known,
): PolicyRequest {
  const { tool, class: kind, traits, args, caller } = request;
  const keys = keysOf(request);
  // A text is not known to the policy as long as it may go into a password field.
  const known = argsKnown && (target !== undefined || !carriesText(request));
  return {
    ...{ tool, class: traits.classFor?.(args) ?? kind, caller: surfaceOf(caller), desktop, enabled },
    ...effectsOf(traits, known ? args : undefined),
    ...(known && { args: loggableArgs(request, target !== undefined && !target.secure) }),
    ...(keys && { keys }),
    ...(target && { target }),
  };
}

/** The facts of a target, for rules and for the log. A launch and the clipboard have no place on the screen. */
export function targetFacts({ target: found, window, start, lands }: ActionPlan): TargetFacts {
  const where = found?.window ?? window;
  const unseen = lands && !lands.target;
  const target = unseen ? undefined : (found ?? lands?.target);
  const app = start?.program ?? where?.program;
  return {
    ...(app !== undefined && { app }),
    ...(start && { runs: start.runs, installed: start.installed }),
    ...(where && { appName: where.app, window: where.title }),
    ...(where?.fullTitle !== undefined && { fullTitle: where.fullTitle }),
    ...(unseen && { unseen }),
    ...(target && {
      role: target.element.role,
      ...(target.element.name !== undefined && { name: target.element.name }),
      ...(target.element.description !== undefined && { description: target.element.description }),
      ...(target.element.states.secret && { secure: true }),
      method: target.how ?? 'id',
      confidence: target.confidence ?? 1,
    }),
  };
}
