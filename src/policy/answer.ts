/** From mild to strict. */
export const ANSWERS = ['allow', 'ask', 'deny'] as const;
export type Answer = (typeof ANSWERS)[number];

export const strictness = (answer: Answer): number => ANSWERS.indexOf(answer);

export function mildest(answers: readonly Answer[]): Answer {
  return ANSWERS.find((answer) => answers.includes(answer)) ?? 'deny';
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
