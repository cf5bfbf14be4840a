import { any, type Match, not, sure } from '../decision.js';
import type { Facts } from '../facts.js';
import { BUILT_IN } from '../file/built-in.js';
import type { PolicyFile } from '../file/schema.js';
import { type Chord, compileChord, parseChord } from '../rules/argument-match.js';
import { CUT } from '../rules/glob.js';
import { actionPoints, destructiveWord, wordFinder } from './action-risk.js';
import { type AppClass, type AppClasses, compileApps, compileProgram, namesOf } from './program-class.js';

export const LEVELS = ['low', 'medium', 'high', 'prohibited'] as const;
export type Level = (typeof LEVELS)[number];

export interface Points {
  points: number;
  why: string;
}

export interface Risk {
  /** All that it may be; one when the facts are known. */
  levels: readonly Level[];
  /** The least of what is possible, and the most. */
  score: { least: number; most: number };
  /** What is known to count. */
  parts: readonly Points[];
  /** What makes it high at the least, whatever the score. */
  raised?: string;
}

/** What a risk is judged by besides the facts. */
export interface RiskModel {
  apps: AppClasses;
  /** The destructive word in a text. */
  wordIn: (text: string) => string | undefined;
  dangerousKey: (chord: Chord) => boolean;
  /** The program may be started without further ado. */
  mayLaunch: (facts: Facts) => Match;
}

export function levelOf(score: number): Level {
  if (score <= 1) return 'low';
  if (score <= 5) return 'medium';
  return score <= 8 ? 'high' : 'prohibited';
}

/** Each part with its points; several where a fact is missing. */
const PARTS: readonly ((facts: Facts, scales: RiskModel) => readonly Points[])[] = [
  actionPoints,
  appPoints,
  methodPoints,
  wordPoints,
  confidencePoints,
  contradictionPoints,
  plainTextPoints,
];

const NOTHING: readonly Points[] = [{ points: 0, why: '' }];
const LOOKING: Risk = {
  levels: ['low'],
  score: { least: 0, most: 0 },
  parts: [{ points: 0, why: 'looking changes nothing' }],
};

export function riskOf(facts: Facts, scales: RiskModel): Risk {
  if (facts.class === 'read' || facts.class === 'capture') return LOOKING;
  let scores = [0];
  const parts: Points[] = [];
  for (const part of PARTS) {
    const possible = part(facts, scales);
    if (possible === NOTHING) continue;
    if (possible.length === 1 && possible[0]!.points > 0) parts.push(possible[0]!);
    scores = [...new Set(scores.flatMap((score) => possible.map(({ points }) => score + points)))];
  }
  const raise = raiseOf(facts, scales);
  const levels = new Set<Level>();
  for (const level of scores.map(levelOf)) {
    if (raise.match !== 'yes') levels.add(level);
    if (raise.match !== 'no') levels.add(level === 'prohibited' ? level : 'high');
  }
  return {
    levels: LEVELS.filter((level) => levels.has(level)),
    score: { least: Math.min(...scores), most: Math.max(...scores) },
    parts,
    ...(raise.match === 'yes' && { raised: raise.why }),
  };
}

/** Acts that are high whatever they score: in a terminal's window, and starting what no list names. */
function raiseOf(facts: Facts, { apps, mayLaunch }: RiskModel): { match: Match; why: string } {
  if (facts.tool !== 'ui_launch') return { match: inTerminal(facts, apps), why: "in a terminal's window" };
  return { match: not(mayLaunch(facts)), why: 'not in launch.allow' };
}

/** Commands are typed there: in a terminal's window, or in the terminal that another app has in its own. */
export function inTerminal({ app, terminal }: Facts, apps: AppClasses): Match {
  return any([terminal === undefined ? 'maybe' : sure(terminal), apps.isTerminal(app)]);
}

const APP_POINTS = { finance: 3, admin: 3, terminal: 4 } as const;

function appPoints({ app, terminal }: Facts, { apps }: RiskModel): readonly Points[] {
  if (terminal) return [{ points: APP_POINTS.terminal, why: 'a terminal' }];
  if (app === undefined) return [...NOTHING, ...[3, 4].map((points) => ({ points, why: 'app' }))];
  const own = app === null ? NOTHING : ofClass(apps.of(app));
  return terminal === undefined ? [...own, { points: APP_POINTS.terminal, why: 'a terminal' }] : own;
}

function ofClass(kind: AppClass | undefined): readonly Points[] {
  return kind ? [{ points: APP_POINTS[kind], why: `app of class ${kind}` }] : NOTHING;
}

const METHOD_POINTS = { id: 0, name: 1, focus: 1, point: 2, ocr: 3 } as const;

function methodPoints({ method }: Facts): readonly Points[] {
  if (method === null) return NOTHING;
  if (method === undefined) return [0, 1, 2, 3].map((points) => ({ points, why: 'method' }));
  return [{ points: METHOD_POINTS[method], why: `found by ${method}` }];
}

const WORD_POINTS = 3;

function wordPoints({ name, description, keys }: Facts, { wordIn, dangerousKey }: RiskModel): readonly Points[] {
  for (const text of [name, description]) {
    const word = text ? wordIn(text) : undefined;
    if (word !== undefined) return [{ points: WORD_POINTS, why: `the word ${JSON.stringify(word)}` }];
  }
  // Whatever it says behind the cut may be the word.
  if (CUT.test(name ?? '') || CUT.test(description ?? ''))
    return [{ points: WORD_POINTS, why: 'a name too long to be read' }];
  const key = keys?.find((one) => dangerousKey(parseChord(one)));
  if (key !== undefined) return [{ points: WORD_POINTS, why: `the keys ${JSON.stringify(key.slice(0, 40))}` }];
  const known = name !== undefined && description !== undefined && keys !== undefined;
  return known ? NOTHING : [...NOTHING, { points: WORD_POINTS, why: 'words' }];
}

function confidencePoints({ confidence }: Facts): readonly Points[] {
  if (confidence === null) return NOTHING;
  if (confidence === undefined) return [0, 1, 2].map((points) => ({ points, why: 'confidence' }));
  if (confidence >= 0.7) return NOTHING;
  if (confidence >= 0.4) return [{ points: 1, why: 'confidence under 0.7' }];
  return [{ points: 2, why: 'confidence under 0.4' }];
}

function contradictionPoints({ contradicted }: Facts): readonly Points[] {
  const yes = { points: 3, why: 'tree and pixels disagree' };
  if (contradicted === undefined) return [...NOTHING, yes];
  return contradicted ? [yes] : NOTHING;
}

const WRITES: ReadonlySet<string> = new Set(['ui_type', 'ui_set_value']);

/** A password that the caller has in plain text has been seen by a model already. */
function plainTextPoints({ tool, args, secure }: Facts): readonly Points[] {
  if (!WRITES.has(tool) || secure === false || (args && args.secret !== undefined)) return NOTHING;
  const yes = { points: 1, why: 'plain text into a secure field' };
  return secure && args ? [yes] : [...NOTHING, yes];
}

const OUR_WORDS = BUILT_IN.words.map(destructiveWord);
const OUR_KEYS = BUILT_IN.keys.map(compileChord);

type Part = Pick<PolicyFile, 'risk' | 'launch'> | undefined;

/** What acts are weighed by, from the files that may say so. Lists of words, keys and apps are added to the built-in. */
export function riskModel(user: Part, managed: Part): RiskModel {
  const risks = [user?.risk ?? {}, managed?.risk ?? {}];
  const dangerous = [...OUR_KEYS, ...risks.flatMap(({ keys = [] }) => keys.map(compileChord))];
  // A program must be in each list that there is: the managed one may only shorten the user's.
  const launch = [user?.launch?.allow, managed?.launch?.allow]
    .filter((list) => list !== undefined)
    .map((list) => list.map(compileProgram));
  return {
    apps: compileApps({
      finance: risks.flatMap(({ apps }) => apps?.finance ?? []),
      admin: risks.flatMap(({ apps }) => apps?.admin ?? []),
      terminal: risks.flatMap(({ apps }) => apps?.terminal ?? []),
    }),
    wordIn: wordFinder([...OUR_WORDS, ...risks.flatMap(({ words = [] }) => words.map(destructiveWord))]),
    dangerousKey: (chord) => dangerous.some((fits) => fits(chord)),
    mayLaunch: ({ app }) => {
      if (launch.length === 0) return 'no';
      if (app === undefined) return 'maybe';
      // What cannot be checked is in no list.
      if (app === null || !('path' in app)) return 'no';
      const names = namesOf(app);
      return sure(launch.every((list) => list.some((fits) => fits(names))));
    },
  };
}
