import { WHOLE } from '../shared/index.js';
import type { CallClass, DesktopKind, FindMethod, PolicyRequest, TargetFacts } from './decision.js';

/** Real path as the operating system tells it, or a name that the app gives itself. */
export type App = { path: string } | { claimed: string };

/** What rules and points look at. `undefined` is not known yet; `null` is known not to be there. */
export interface Facts {
  tool: string;
  class: CallClass;
  caller: string;
  desktop: DesktopKind;
  args?: Readonly<Record<string, unknown>>;
  keys?: readonly string[];
  app?: App | null;
  /** Of a start: real paths of what it has run besides. */
  runs?: readonly string[];
  /** Of a start: the system has it among its apps. */
  installed?: boolean;
  appName?: string | null;
  window?: string | null;
  /** Of a title that is cut. */
  [WHOLE]?: string;
  role?: string | null;
  /** What it is about is a terminal by itself, whatever app it is in. */
  terminal?: boolean;
  name?: string | null;
  description?: string | null;
  method?: FindMethod | null;
  secure?: boolean;
  confidence?: number | null;
  contradicted?: boolean;
}

/** Tools that press keys: of others it is known without being told that they press none. */
const PRESSES: ReadonlySet<string> = new Set(['ui_key', 'ui_type']);

export function factsOf({ tool, class: kind, caller, desktop, args, keys, target }: PolicyRequest): Facts {
  const pressed = keys ?? (PRESSES.has(tool) ? undefined : []);
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
  // Keys go where the focus is, whatever that will be.
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

/** A question that one call asks besides its own. */
export interface Also {
  facts: Facts;
  /** It is not known yet whether this is part of it. */
  maybe: boolean;
}

/** Taking pixels is a capture whatever the tool is called, and a text with a line break presses Enter. */
export function alsoAsked(question: PolicyRequest, facts: Facts): Also[] {
  const { tool, class: kind, args, pixels = args ? false : undefined } = question;
  const found: Also[] = [];
  if (kind !== 'capture' && pixels !== false) {
    found.push({ facts: { ...facts, class: 'capture' }, maybe: pixels === undefined });
  }
  if (tool === 'ui_type' && facts.keys?.length !== 0) {
    found.push({ facts: { ...facts, tool: 'ui_key' }, maybe: facts.keys === undefined });
  }
  return found;
}
