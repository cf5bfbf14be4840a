import type { CallClass, CallEffects, DesktopKind, FindMethod, PolicyRequest, TargetFacts } from './decision.js';
import { BUILT_IN } from './file/built-in.js';
import { compileGlob, foldText } from './rules/glob.js';

/** Real path from the operating system, or a name that the app claims. */
export type App = { path: string } | { claimed: string };

/** The facts that rules and risk points use. `undefined`: not known yet. `null`: known to be absent. */
export interface Facts {
  tool: string;
  class: CallClass;
  caller: string;
  desktop: DesktopKind;
  args?: Readonly<Record<string, unknown>>;
  keys?: readonly string[];
  app?: App | null;
  /** For a launch: real paths of the other programs that it runs. */
  runs?: readonly string[];
  /** For a launch: the program is a registered app of the system. */
  installed?: boolean;
  appName?: string | null;
  window?: string | null;
  /** The full title, when `window` is truncated. */
  fullTitle?: string;
  role?: string | null;
  /** The target itself is a terminal, whatever app it is in. */
  terminal?: boolean;
  name?: string | null;
  description?: string | null;
  method?: FindMethod | null;
  secure?: boolean;
  confidence?: number | null;
  contradicted?: boolean;
}

/** The facts of one evaluation: those that a decision reports, and what the tool declares about the call. */
export interface CallFacts extends Facts, Pick<CallEffects, 'does' | 'actions'> {}

export const pressesKeys = ({ does }: Pick<CallFacts, 'does'>): boolean =>
  does.includes('press') || does.includes('type');

export const writesText = ({ does }: Pick<CallFacts, 'does'>): boolean =>
  does.includes('type') || does.includes('write');

export const launches = ({ does }: Pick<CallFacts, 'does'>): boolean => does.includes('launch');

export function factsOf(request: PolicyRequest): CallFacts {
  const { tool, class: kind, caller, desktop, args, keys, target, does, actions } = request;
  // A call that presses no keys is known to press none.
  const pressed = keys ?? (pressesKeys(request) ? undefined : []);
  return {
    ...{ tool, class: kind, caller, desktop, does, actions },
    ...(args && { args }),
    ...(pressed && { keys: pressed }),
    ...(target && factsOfTarget(target)),
  };
}

const CONSOLES = BUILT_IN.consoles.map(compileGlob);

/** A window inside another app that takes commands: a script console, developer tools. */
export function isConsole(title: string): boolean {
  const folded = foldText(title);
  return CONSOLES.some((fits) => fits(folded));
}

function factsOfTarget(target: TargetFacts): Omit<Facts, 'tool' | 'class' | 'caller' | 'desktop' | 'args' | 'keys'> {
  const { app, appName = null, window = null, role = null, name = null, description = null } = target;
  const { method = null, secure = false, confidence = null, contradicted = false } = target;
  const identity = app !== undefined ? { path: app } : appName === null ? null : { claimed: appName };
  const { runs, installed } = target;
  const start = { ...(runs && { runs }), ...(installed !== undefined && { installed }) };
  const title = { ...(target.fullTitle !== undefined && { fullTitle: target.fullTitle }) };
  const terminal = role === 'terminal' || target.console === true || isConsole(target.fullTitle ?? window ?? '');
  // Keys go to the element that has the focus, and that element is not known.
  if (target.unseen)
    return { ...title, app: identity, appName, window, terminal, method: 'focus', confidence, contradicted };
  return {
    ...start,
    ...title,
    app: identity,
    appName,
    window,
    role,
    terminal,
    name,
    description,
    method,
    secure,
    confidence,
    contradicted,
  };
}

/** A second request that a call implies. */
interface ImpliedRequest {
  facts: CallFacts;
  /** It is not known yet whether the call does this. */
  maybe: boolean;
}

/** Taking pixels is a capture, whatever the tool. Typing a line break presses Enter. */
export function impliedRequests(request: PolicyRequest, facts: CallFacts): ImpliedRequest[] {
  const { class: kind, args, keysRuledAs, pixels = args ? false : undefined } = request;
  const found: ImpliedRequest[] = [];
  if (kind !== 'capture' && pixels !== false) {
    found.push({ facts: { ...facts, class: 'capture' }, maybe: pixels === undefined });
  }
  if (keysRuledAs !== undefined && facts.keys?.length !== 0) {
    const pressing: CallFacts = { ...facts, tool: keysRuledAs, does: ['press'], actions: ['key'] };
    found.push({ facts: pressing, maybe: facts.keys === undefined });
  }
  return found;
}
