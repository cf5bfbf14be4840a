import { sure } from './answer.js';
import { compileApps, compileProgram, namesOf } from './app-class.js';
import { BUILT_IN } from './built-in.js';
import { compileChord } from './chord.js';
import { destructiveWord, wordFinder } from './destructive-words.js';
import type { PolicyFile } from './policy-file.js';
import type { Scales } from './risk.js';

const OUR_WORDS = BUILT_IN.words.map(destructiveWord);
const OUR_KEYS = BUILT_IN.keys.map(compileChord);

type Part = Pick<PolicyFile, 'risk' | 'launch'> | undefined;

/** What acts are weighed by, from the files that may say so. Lists of words, keys and apps are added to the built-in. */
export function scalesOf(user: Part, managed: Part): Scales {
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
