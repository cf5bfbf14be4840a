import { isAct } from './actions.js';
import { decide, type Ready } from './decide.js';
import type { PolicyFile, Profile } from './policy-file.js';
import { policyHash } from './policy-hash.js';
import { compileProfile } from './profiles.js';
import type { DesktopKind, Policy, Question, Verdict } from './question.js';
import { compileRules } from './rules.js';
import { scalesOf } from './scales.js';
import { profileOf, projectsOf, settingsOf, type Files, type Settings } from './settings.js';
import { compileWindows, type WindowRules } from './windows.js';

/** The files of all tiers, put together for one desktop. */
export interface GovernedPolicy extends Policy {
  readonly profile: Profile;
  readonly settings: Settings;
  readonly windows: WindowRules;
  readonly hash: string;
  /** A file has a rule about looks: what may be seen depends on the window. The profiles treat all windows alike. */
  readonly governsLooks: boolean;
  /** It does what its arguments say: which program it is tells nothing of what it does. */
  runsAnything(program: string): boolean;
  decide(question: Question): Verdict;
}

export function govern(files: Files, desktop: DesktopKind): GovernedPolicy {
  const ready = prepare(files, desktop);
  const { profile, windows } = ready;
  const hash = policyHash(profile, files);
  return {
    ...{ profile, settings: settingsOf(files), windows, hash },
    governsLooks: governsLooks(files),
    runsAnything: (path) => ready.scales.apps.runsAnything({ path }) !== 'no',
    decide: (question) => ({ ...decide(ready, question), policyHash: hash }),
  };
}

/** Windows that the desktop's own files hide are nobody's; those that a caller's project hides are so for that caller. */
function governsLooks(files: Files): boolean {
  const { user, managed, callerProject } = files;
  const about = [user, managed, ...projectsOf(files)].some((file) => file?.rules?.some(aboutLooks));
  return about || callerProject?.windows !== undefined;
}

const LOOKS: ReadonlySet<string> = new Set(['read', 'capture']);

function aboutLooks({ when }: NonNullable<PolicyFile['rules']>[number]): boolean {
  if (when?.tool !== undefined && [when.tool].flat().every(isAct)) return false;
  return when?.class === undefined || [when.class].flat().some((kind) => LOOKS.has(kind));
}

/** Everything that deciding needs, compiled. */
export function prepare(files: Files, desktop: DesktopKind): Ready {
  const { user, managed } = files;
  const profile = profileOf(files, desktop);
  const scales = scalesOf(user, managed);
  return {
    profile,
    enabled: settingsOf(files).enabled,
    builtIn: compileProfile(profile, scales),
    user: compileRules(user?.rules ?? [], 'user'),
    projects: projectsOf(files).map(({ rules = [] }) => compileRules(rules, 'project')),
    managed: compileRules(managed?.rules ?? [], 'managed'),
    windows: compileWindows(files),
    scales,
    ownScales: managed?.risk || managed?.launch ? scalesOf(user, undefined) : scales,
  };
}
