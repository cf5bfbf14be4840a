import { CUT_MARK } from '../../shared/index.js';
import { any, type Ternary, not, ternary } from '../decision.js';
import { type CallFacts, type Facts, launches, writesText } from '../facts.js';
import { BUILT_IN } from '../file/built-in.js';
import type { PolicyFile } from '../file/schema.js';
import { compileChord, reachesDesktop, sameChords } from '../rules/argument-match.js';
import { actionPoints, destructiveWord, wordFinder } from './action-risk.js';
import { type AppClass, type AppClasses, compileApps, compileProgram, namesOf } from './program-class.js';

export const LEVELS = ['low', 'medium', 'high', 'prohibited'] as const;
export type Level = (typeof LEVELS)[number];

export interface Points {
  points: number;
  why: string;
}

export interface Risk {
  /** All possible levels; one when the facts are known. */
  levels: readonly Level[];
  /** The lowest and the highest possible score. */
  score: { least: number; most: number };
  /** The points that are known to count. */
  parts: readonly Points[];
  /** Why the level is at least high, whatever the score. */
  raised?: string;
}

/** The configurable part of the risk score. */
export interface RiskModel {
  apps: AppClasses;
  /** The destructive word in a text, if any. */
  wordIn: (text: string) => string | undefined;
  dangerousKey: (chord: string) => boolean;
  /** The program is in every `launch.allow` list, so launching it is not raised to high risk. */
  mayLaunch: (facts: Facts) => Ternary;
}

export function levelOf(score: number): Level {
  if (score <= 1) return 'low';
  if (score <= 5) return 'medium';
  return score <= 8 ? 'high' : 'prohibited';
}

/** Each factor returns its points; several alternatives where a fact is missing. */
const RISK_FACTORS: readonly ((facts: CallFacts, model: RiskModel) => readonly Points[])[] = [
  actionPoints,
  appPoints,
  methodPoints,
  wordPoints,
  confidencePoints,
  contradictionPoints,
  plainTextPoints,
];

const NO_POINTS: readonly Points[] = [{ points: 0, why: '' }];
const READ_RISK: Risk = {
  levels: ['low'],
  score: { least: 0, most: 0 },
  parts: [{ points: 0, why: 'reading changes nothing' }],
};

export function riskOf(facts: CallFacts, model: RiskModel): Risk {
  if (facts.class === 'read' || facts.class === 'capture') return READ_RISK;
  let scores = [0];
  const parts: Points[] = [];
  for (const part of RISK_FACTORS) {
    const possible = part(facts, model);
    if (possible === NO_POINTS) continue;
    if (possible.length === 1 && possible[0]!.points > 0) parts.push(possible[0]!);
    scores = [...new Set(scores.flatMap((score) => possible.map(({ points }) => score + points)))];
  }
  const raise = raiseToHigh(facts, model);
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

/**
 * Acts that are high whatever their score: in a terminal window, keys that reach the window manager or the desktop, and
 * launching a program that is not in `launch.allow`. No grant covers them.
 */
function raiseToHigh(facts: CallFacts, { apps, mayLaunch }: RiskModel): { match: Ternary; why: string } {
  const key = facts.keys?.find(reachesDesktop);
  if (key !== undefined) return { match: 'yes', why: `the keys ${JSON.stringify(key.slice(0, 40))} reach the desktop` };
  const unknown = facts.does.includes('press') && !facts.keys ? 'maybe' : 'no';
  if (!launches(facts)) return { match: any([unknown, inTerminal(facts, apps)]), why: 'in a terminal window' };
  return { match: not(mayLaunch(facts)), why: 'not in launch.allow' };
}

/** Commands can be typed there: a terminal window, or a terminal embedded in another app. */
export function inTerminal({ app, terminal }: Facts, apps: AppClasses): Ternary {
  return any([terminal === undefined ? 'maybe' : ternary(terminal), apps.isTerminal(app)]);
}

const APP_POINTS = { finance: 3, admin: 3, terminal: 4 } as const;

function appPoints({ app, terminal }: Facts, { apps }: RiskModel): readonly Points[] {
  if (terminal) return [{ points: APP_POINTS.terminal, why: 'a terminal' }];
  if (app === undefined) return [...NO_POINTS, ...[3, 4].map((points) => ({ points, why: 'app' }))];
  const own = app === null ? NO_POINTS : classPoints(apps.of(app));
  return terminal === undefined ? [...own, { points: APP_POINTS.terminal, why: 'a terminal' }] : own;
}

function classPoints(kind: AppClass | undefined): readonly Points[] {
  return kind ? [{ points: APP_POINTS[kind], why: `app of class ${kind}` }] : NO_POINTS;
}

const METHOD_POINTS = { id: 0, name: 1, focus: 1, point: 2, ocr: 3 } as const;

function methodPoints({ method }: Facts): readonly Points[] {
  if (method === null) return NO_POINTS;
  if (method === undefined) return [0, 1, 2, 3].map((points) => ({ points, why: 'method' }));
  return [{ points: METHOD_POINTS[method], why: `found by ${method}` }];
}

const WORD_POINTS = 3;

function wordPoints({ name, description, keys }: Facts, { wordIn, dangerousKey }: RiskModel): readonly Points[] {
  for (const text of [name, description]) {
    const word = text ? wordIn(text) : undefined;
    if (word !== undefined) return [{ points: WORD_POINTS, why: `the word ${JSON.stringify(word)}` }];
  }
  // The part that was cut off may contain a destructive word.
  if (CUT_MARK.test(name ?? '') || CUT_MARK.test(description ?? ''))
    return [{ points: WORD_POINTS, why: 'a name too long to be read in full' }];
  const key = keys?.find(dangerousKey);
  if (key !== undefined) return [{ points: WORD_POINTS, why: `the keys ${JSON.stringify(key.slice(0, 40))}` }];
  const known = name !== undefined && description !== undefined && keys !== undefined;
  return known ? NO_POINTS : [...NO_POINTS, { points: WORD_POINTS, why: 'words' }];
}

function confidencePoints({ confidence }: Facts): readonly Points[] {
  if (confidence === null) return NO_POINTS;
  if (confidence === undefined) return [0, 1, 2].map((points) => ({ points, why: 'confidence' }));
  if (confidence >= 0.7) return NO_POINTS;
  if (confidence >= 0.4) return [{ points: 1, why: 'confidence below 0.7' }];
  return [{ points: 2, why: 'confidence below 0.4' }];
}

function contradictionPoints({ contradicted }: Facts): readonly Points[] {
  const yes = { points: 3, why: 'tree and pixels disagree' };
  if (contradicted === undefined) return [...NO_POINTS, yes];
  return contradicted ? [yes] : NO_POINTS;
}

/** A model has already seen a password that the caller passes as plain text. */
function plainTextPoints(facts: CallFacts): readonly Points[] {
  const { args, secure } = facts;
  if (!writesText(facts) || secure === false || (args && args.secret !== undefined)) return NO_POINTS;
  const yes = { points: 1, why: 'plain text into a secure field' };
  return secure && args ? [yes] : [...NO_POINTS, yes];
}

const BUILT_IN_WORDS = BUILT_IN.words.map(destructiveWord);
const BUILT_IN_KEYS = BUILT_IN.keys.map(compileChord);

type RiskFields = Pick<PolicyFile, 'risk' | 'launch'> | undefined;

/** Builds the risk model from the files that may set it. Their words, keys and apps are added to the built-in lists. */
export function riskModel(user: RiskFields, managed: RiskFields): RiskModel {
  const risks = [user?.risk ?? {}, managed?.risk ?? {}];
  const dangerous = [...BUILT_IN_KEYS, ...risks.flatMap(({ keys = [] }) => keys.map(compileChord))];
  // A program must be in every list that exists: the managed file can only narrow the user's list.
  const launch = [user?.launch?.allow, managed?.launch?.allow]
    .filter((list) => list !== undefined)
    .map((list) => list.map(compileProgram));
  return {
    apps: compileApps({
      finance: risks.flatMap(({ apps }) => apps?.finance ?? []),
      admin: risks.flatMap(({ apps }) => apps?.admin ?? []),
      terminal: risks.flatMap(({ apps }) => apps?.terminal ?? []),
    }),
    wordIn: wordFinder([...BUILT_IN_WORDS, ...risks.flatMap(({ words = [] }) => words.map(destructiveWord))]),
    dangerousKey: (pressed) => sameChords(pressed).some((chord) => dangerous.some((fits) => fits(chord))),
    mayLaunch: ({ app }) => {
      if (launch.length === 0) return 'no';
      if (app === undefined) return 'maybe';
      // A program that cannot be verified is in no list.
      if (app === null || !('path' in app)) return 'no';
      const names = namesOf(app);
      return ternary(launch.every((list) => list.some((fits) => fits(names))));
    },
  };
}
