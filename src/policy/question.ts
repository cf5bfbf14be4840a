/** What a call would do, in the words that rules are written in. Facts of the target are there once it is found. */
export interface Question {
  tool: string;
  class: 'read' | 'capture' | 'act' | 'raw';
  caller: string;
  /** `seat`: a person's own screen. `virtual`: a private desktop that we started. */
  desktop: 'seat' | 'virtual';
  target?: TargetFacts;
}

export interface TargetFacts {
  /** Real path of the program, as the operating system tells it; absent where it cannot be checked. */
  app?: string;
  /** From here on, what the app says of itself. */
  appName?: string;
  window?: string;
  role?: string;
  name?: string;
  confidence?: number;
}

export interface Decision {
  answer: 'allow' | 'deny';
  rule: string;
  /** Why not, and what to do instead: one sentence each. */
  reason?: string;
  hint?: string;
}

export interface Policy {
  /** Asked twice: before the target is known, and with its facts. */
  decide(question: Question): Decision;
}
