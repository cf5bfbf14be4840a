import type { Node } from '../../tree/index.js';
import type { CallClass, PolicyRequest, TargetFacts } from '../../policy/index.js';
import type { ActionPlan } from '../act/action.js';
import type { Target } from '../locate/target.js';
import { carriesText, effectsOf, keysOf, loggableArgs, type ToolTraits } from './tool-traits.js';

/** A call before anything is read: the caller, the tool and its arguments. */
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
  /** Controls found by the hit test in the target, which policy has to evaluate too. */
  hitControls?: readonly Target[];
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
    ...effectsOf(traits, known ? args : undefined, argsKnown ? args : undefined),
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

/**
 * Facts that policy and visibility rules need and that callers never get: the complete title of a window (`fullTitle`)
 * and the app that a finding names (`app`). They are ordinary fields, so that a driver in another process can send
 * them. This is the only place that removes them; answers, errors, log records and findings pass here when they leave.
 */
export function withoutInternalFields<T>(value: T): T {
  return strip(value) as T;
}

/** Element trees are large and contain neither windows nor findings. */
const TREES: ReadonlySet<string> = new Set(['roots', 'children']);

function strip(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(strip);
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isPlainObject(value)) return value;
  const isFinding = typeof value.level === 'string' && typeof value.what === 'string';
  let kept: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const isInternal = key === 'fullTitle' || (isFinding && key === 'app');
    const inner = isInternal || TREES.has(key) ? member : strip(member);
    if (!isInternal && inner === member) continue;
    kept ??= { ...value };
    if (isInternal) delete kept[key];
    else kept[key] = inner;
  }
  return kept ?? value;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** The controls of an act that policy has evaluated, by the properties that rules use. */
export type EvaluatedControls = Set<string>;

/** Whether policy has evaluated such an element for this act. */
export const isEvaluated = (evaluated: EvaluatedControls, one: Pick<Node, 'role' | 'name' | 'states'>): boolean =>
  evaluated.has(evaluationKey(one));

export const evaluationKey = ({ role, name, states }: Pick<Node, 'role' | 'name' | 'states'>): string =>
  JSON.stringify([role, name ?? '', states.secret === true]);
