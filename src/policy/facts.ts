import { WHOLE } from '../shared/index.js';
import type { CallClass, DesktopKind, FindMethod, PolicyRequest, TargetFacts } from './decision.js';

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
  [WHOLE]?: string;
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

/** Tools that press keys. All others are known to press none. */
const KEY_TOOLS: ReadonlySet<string> = new Set(['ui_key', 'ui_type']);

export function factsOf({ tool, class: kind, caller, desktop, args, keys, target }: PolicyRequest): Facts {
  const pressed = keys ?? (KEY_TOOLS.has(tool) ? undefined : []);
  return {
    ...{ tool, class: kind, caller, desktop },
    ...(args && { args }),
    ...(pressed && { keys: pressed }),
    ...(target && factsOfTarget(target)),
  };
}

function factsOfTarget(target: TargetFacts): Omit<Facts, 'tool' | 'class' | 'caller' | 'desktop' | 'args' | 'keys'> {
  const { app, appName = null, window = null, role = null, name = null, description = null } = target;
  const { method = null, secure = false, confidence = null, contradicted = false } = target;
  const identity = app !== undefined ? { path: app } : appName === null ? null : { claimed: appName };
  const { runs, installed } = target;
  const start = { ...(runs && { runs }), ...(installed !== undefined && { installed }) };
  const title = { ...(target[WHOLE] !== undefined && { [WHOLE]: target[WHOLE] }) };
  const terminal = role === 'terminal';
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
  facts: Facts;
  /** It is not known yet whether the call does this. */
  maybe: boolean;
}

/** Taking pixels is a capture, whatever the tool. Typing a line break presses Enter. */
export function impliedRequests(request: PolicyRequest, facts: Facts): ImpliedRequest[] {
  const { tool, class: kind, args, pixels = args ? false : undefined } = request;
  const found: ImpliedRequest[] = [];
  if (kind !== 'capture' && pixels !== false) {
    found.push({ facts: { ...facts, class: 'capture' }, maybe: pixels === undefined });
  }
  if (tool === 'ui_type' && facts.keys?.length !== 0) {
    found.push({ facts: { ...facts, tool: 'ui_key' }, maybe: facts.keys === undefined });
  }
  return found;
}
