import type { WHOLE } from '../shared/index.js';
import type { Facts } from './facts.js';
import type { Risk } from './risk/risk.js';

/** From mild to strict. */
export const EFFECTS = ['allow', 'ask', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

export const strictness = (answer: Effect): number => EFFECTS.indexOf(answer);

export function mildest(answers: readonly Effect[]): Effect {
  return EFFECTS.find((answer) => answers.includes(answer)) ?? 'deny';
}

/** How much a person's yes may cover, from narrow to wide. */
export const SCOPES = ['once', 'session', 'app'] as const;
export type Scope = (typeof SCOPES)[number];

export function narrowest(scopes: readonly Scope[]): Scope {
  return SCOPES.find((scope) => scopes.includes(scope)) ?? 'once';
}

/** Whether something fits, when not everything is known yet. */
export type Match = 'yes' | 'no' | 'maybe';

export function all(matches: readonly Match[]): Match {
  if (matches.includes('no')) return 'no';
  return matches.includes('maybe') ? 'maybe' : 'yes';
}

export function any(matches: readonly Match[]): Match {
  if (matches.includes('yes')) return 'yes';
  return matches.includes('maybe') ? 'maybe' : 'no';
}

export const not = (match: Match): Match => (match === 'maybe' ? match : match === 'yes' ? 'no' : 'yes');

export const sure = (fits: boolean): Match => (fits ? 'yes' : 'no');

export const CLASSES = ['read', 'capture', 'act', 'raw'] as const;
export type CallClass = (typeof CLASSES)[number];

/** `seat`: a person's own screen. `virtual`: a private desktop that we started. */
export const DESKTOPS = ['seat', 'virtual', 'remote'] as const;
export type DesktopKind = (typeof DESKTOPS)[number];

export const CALLERS = ['mcp', 'cli', 'library', 'inspector', 'replay'] as const;

/** How the target was found: by an identity that the platform gives, by words, where the focus is, or by pixels. */
export const METHODS = ['id', 'name', 'focus', 'ocr', 'point'] as const;
export type FindMethod = (typeof METHODS)[number];

/** What a call would do, in the words that rules are written in. Facts of the target are there once it is found. */
export interface PolicyRequest {
  tool: string;
  class: CallClass;
  /** The surface, as `CALLERS` has them; any other word fits no rule that names callers. */
  caller: string;
  desktop: DesktopKind;
  /** A person has enabled this session; counts where the files have not. */
  enabled?: boolean;
  /** As they may be written down. Absent: not known yet, so every rule about them may fit. */
  args?: Readonly<Record<string, unknown>>;
  /** It takes pixels too, whatever its class: asked as a capture as well. */
  pixels?: boolean;
  /** What it presses, `ctrl+s`; of a text that is typed, see `keysInText`. */
  keys?: readonly string[];
  /** Absent: not found yet. Present: found, and what is absent in it is not there. */
  target?: TargetFacts;
}

export interface TargetFacts {
  /** Real path of the program, as the operating system tells it; absent where it cannot be checked. */
  app?: string;
  /** Of a start: real paths of what it has run besides. */
  runs?: readonly string[];
  /** Of a start: the system has it among its apps. Absent: nobody has looked. */
  installed?: boolean;
  /** From here on, what the app says of itself. */
  appName?: string;
  window?: string;
  /** Of a title that is cut. */
  [WHOLE]?: string;
  role?: string;
  name?: string;
  description?: string;
  /** What is typed there is not shown. */
  secure?: boolean;
  method?: FindMethod;
  confidence?: number;
  /** On what it lands nobody can say: only where. */
  unseen?: boolean;
  /** Tree and pixels disagree about it. */
  contradicted?: boolean;
}

export const TIERS = ['built-in', 'user', 'project', 'managed'] as const;
export type Tier = (typeof TIERS)[number];

/** What was decided, as far as a caller needs to know. */
export interface Decision {
  /** With all facts known the one answer; without a target the mildest that may come, with one the strictest. */
  answer: Effect;
  rule: string;
  /** Why not, and what to do instead: one sentence each. */
  reason?: string;
  hint?: string;
}

/** A decision and all that led to it. */
export interface PolicyVerdict extends Decision {
  /** What may come of it when all is known, mild to strict. The first question refuses only if it is `deny` alone. */
  answers: readonly Effect[];
  tier: Tier;
  /** Of `ask`: the widest yes that a person may give here. */
  scope?: Scope;
  /** Of `ask`: the widest yes, given to an earlier question, that covers this one: no wider than its rule lets people give. */
  grant?: Scope;
  /** Of `ask`: the question is whether this session may work here at all; asked again when it may. */
  enables?: true;
  risk: Risk;
  /** What was known when it was decided. */
  facts: Facts;
  /** What each part of the policy said, for explanations. */
  said: readonly TierResult[];
  policyHash: string;
}

/** One voice in a decision; without an answer it had nothing to say. */
export interface TierResult {
  tier: Tier;
  answer?: Effect;
  rule?: string;
}

export interface Policy {
  /** Asked twice: before the target is known, and with its facts. */
  decide(question: PolicyRequest): Decision;
}

/** One answer that may come, and who gives it. */
export interface Outcome {
  answer: Effect;
  rule: string;
  tier: Tier;
  reason?: string;
  hint?: string;
  /** The widest yes; of asks that meet, the narrowest counts. */
  scope?: Scope;
  enables?: true;
}

/** What a part of the policy may say; undefined among them: it may say nothing. */
export type Outcomes = readonly (Outcome | undefined)[];

/** The strictest of those that say something; among equals the first, with the narrowest scope of them. */
export function strictest(voices: Outcomes): Outcome | undefined {
  const said = voices.filter((voice) => voice !== undefined);
  const most = Math.max(...said.map(({ answer }) => strictness(answer)));
  const equal = said.filter(({ answer }) => strictness(answer) === most);
  const first = equal[0];
  if (!first || first.answer !== 'ask' || first.enables) return first;
  const scopes = equal.flatMap(({ scope }) => scope ?? []);
  return scopes.length === 0 ? first : { ...first, scope: narrowest(scopes) };
}

/** All that can come of several sets when the strictest voice counts. */
export function combine(...sets: readonly Outcomes[]): Outcomes {
  return sets.reduce((before, set) => distinct(before.flatMap((one) => set.map((other) => strictest([one, other])))));
}

/** One of each answer is enough to know what may come; of asks it is the first, with the narrowest scope of them. */
export function distinct(outcomes: Outcomes): Outcomes {
  if (outcomes.length === 1) return outcomes;
  const seen = new Map<string | undefined, Outcome | undefined>();
  for (const outcome of outcomes) {
    seen.set(outcome?.answer, strictest([seen.get(outcome?.answer), outcome]));
  }
  return [...seen.values()];
}
