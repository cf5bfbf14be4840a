import type { Facts } from './facts.js';
import type { Risk } from './risk/risk.js';

/** From mild to strict. */
export const EFFECTS = ['allow', 'ask', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

export const strictness = (answer: Effect): number => EFFECTS.indexOf(answer);

export function mildest(answers: readonly Effect[]): Effect {
  return EFFECTS.find((answer) => answers.includes(answer)) ?? 'deny';
}

/** What an approval may cover, from narrow to wide. */
export const SCOPES = ['once', 'session', 'app'] as const;
export type Scope = (typeof SCOPES)[number];

export function narrowest(scopes: readonly Scope[]): Scope {
  return SCOPES.find((scope) => scopes.includes(scope)) ?? 'once';
}

/** Three-valued match: `maybe` when a fact is not known yet. */
export type Ternary = 'yes' | 'no' | 'maybe';

export function all(matches: readonly Ternary[]): Ternary {
  if (matches.includes('no')) return 'no';
  return matches.includes('maybe') ? 'maybe' : 'yes';
}

export function any(matches: readonly Ternary[]): Ternary {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('maybe') ? 'maybe' : 'no';
}

export const not = (match: Ternary): Ternary => (match === 'maybe' ? match : match === 'yes' ? 'no' : 'yes');

export const ternary = (fits: boolean): Ternary => (fits ? 'yes' : 'no');

export const CLASSES = ['read', 'capture', 'act', 'raw'] as const;
export type CallClass = (typeof CLASSES)[number];

/** `seat`: the user's own desktop. `virtual`: a private desktop that we started. */
export const DESKTOPS = ['seat', 'virtual', 'remote'] as const;
export type DesktopKind = (typeof DESKTOPS)[number];

export const CALLERS = ['mcp', 'cli', 'library', 'inspector', 'replay'] as const;

/** How the target was found: by a platform id, by name, by keyboard focus, by OCR, or by a bare point. */
export const METHODS = ['id', 'name', 'focus', 'ocr', 'point'] as const;
export type FindMethod = (typeof METHODS)[number];

/**
 * What a call does beyond its class. `press`: presses the keys in its argument `keys`. `type`: types a text key by key.
 * `write`: replaces the value of a field. `launch`: starts a program.
 */
type Doing = 'press' | 'type' | 'write' | 'launch';

/** What the tool declares about a call. Rules and risk use this; they know no tool by its name. */
export interface CallEffects {
  does: readonly Doing[];
  /** The actions whose base risk counts; all that are possible while the arguments are not known. */
  actions: readonly string[];
  /** For `type`: rules for this tool also apply to the keys that the text presses. */
  keysRuledAs?: string;
}

/** A call in the terms that rules use. The facts of the target are present once it is found. */
export interface PolicyRequest extends CallEffects {
  tool: string;
  class: CallClass;
  /** The surface, one of `CALLERS`. Any other word matches no rule that names callers. */
  caller: string;
  desktop: DesktopKind;
  /** The user has enabled this session; matters only where no file enables it. */
  enabled?: boolean;
  /** The arguments as they may be logged. Absent: not known yet, so every rule about arguments may match. */
  args?: Readonly<Record<string, unknown>>;
  /** The call also takes pixels, whatever its class: it is evaluated as a capture as well. */
  pixels?: boolean;
  /** Key chords that the call presses, such as `ctrl+s`. For typed text see `keysInText`. */
  keys?: readonly string[];
  /** Absent: not found yet. Present: found, and fields that are absent in it do not exist. */
  target?: TargetFacts;
}

export interface TargetFacts {
  /** Real path of the program, from the operating system; absent where it cannot be verified. */
  app?: string;
  /** For a launch: real paths of the other programs that it runs. */
  runs?: readonly string[];
  /** For a launch: the program is a registered app of the system. Absent: not checked. */
  installed?: boolean;
  /** From here to `secure`, the values are claims of the app. */
  appName?: string;
  window?: string;
  /** The full title, when `window` is truncated. */
  fullTitle?: string;
  role?: string;
  name?: string;
  description?: string;
  /** The field masks its input. */
  secure?: boolean;
  /** The act runs a command or a script there, as in a console. */
  console?: boolean;
  method?: FindMethod;
  confidence?: number;
  /** Only the window is known, not the element that will receive the input. */
  unseen?: boolean;
  /** Tree and pixels disagree about the element. */
  contradicted?: boolean;
}

export type Tier = 'built-in' | 'user' | 'project' | 'managed';

/** The part of a decision that callers see. */
export interface Decision {
  /**
   * With all facts known, the only possible answer. Without a target the mildest possible one, with a target the
   * strictest.
   */
  answer: Effect;
  rule: string;
  /** Why it was refused, and what to do instead: one sentence each. */
  reason?: string;
  hint?: string;
}

/** A decision with everything that led to it. */
export interface PolicyVerdict extends Decision {
  /**
   * All answers that are still possible, from mild to strict. The first check refuses only if `deny` is the only one.
   */
  answers: readonly Effect[];
  tier: Tier;
  /** For `ask`: the widest approval that the user may give here. */
  scope?: Scope;
  /** For `ask`: the widest earlier approval that covers this call. Never wider than the rule lets the user give. */
  grant?: Scope;
  /**
   * For `ask`: the question is whether this session may work here at all. After a yes, the request is decided again.
   */
  enables?: true;
  risk: Risk;
  /** The facts that the decision is based on. */
  facts: Facts;
  /** The result of each tier, for explanations. */
  said: readonly TierResult[];
  policyHash: string;
}

/** One tier's part in a decision. Without an answer, no rule matched or several answers are possible. */
export interface TierResult {
  tier: Tier;
  answer?: Effect;
  rule?: string;
}

export interface Policy {
  /** Called twice: before the target is known, and with its facts. */
  decide(request: PolicyRequest): Decision;
}

/** One possible answer, and the rule it comes from. */
export interface Outcome {
  answer: Effect;
  rule: string;
  tier: Tier;
  reason?: string;
  hint?: string;
  /** The widest approval. When several outcomes ask, the narrowest scope counts. */
  scope?: Scope;
  enables?: true;
}

/** What a tier may answer. `undefined` among them: possibly nothing. */
export type Outcomes = readonly (Outcome | undefined)[];

/** The strictest outcome. Among equals it is the first, with the narrowest of their scopes. */
export function strictest(outcomes: Outcomes): Outcome | undefined {
  const said = outcomes.filter((outcome) => outcome !== undefined);
  const most = Math.max(...said.map(({ answer }) => strictness(answer)));
  const equal = said.filter(({ answer }) => strictness(answer) === most);
  const first = equal[0];
  if (!first || first.answer !== 'ask' || first.enables) return first;
  const scopes = equal.flatMap(({ scope }) => scope ?? []);
  return scopes.length === 0 ? first : { ...first, scope: narrowest(scopes) };
}

/** All possible results of several sets when the strictest outcome counts. */
export function combine(...sets: readonly Outcomes[]): Outcomes {
  return sets.reduce((before, set) => distinct(before.flatMap((one) => set.map((other) => strictest([one, other])))));
}

/** One outcome per answer is enough to know what is possible: the first, and for `ask` with the narrowest scope. */
export function distinct(outcomes: Outcomes): Outcomes {
  if (outcomes.length === 1) return outcomes;
  const seen = new Map<string | undefined, Outcome | undefined>();
  for (const outcome of outcomes) {
    seen.set(outcome?.answer, strictest([seen.get(outcome?.answer), outcome]));
  }
  return [...seen.values()];
}
