import { createHash } from 'node:crypto';
import { canonicalJson } from '../shared/index.js';
import { decide, type Ready } from './decide.js';
import type { DesktopKind, Policy, PolicyRequest, PolicyVerdict } from './decision.js';
import { BUILT_IN } from './file/built-in.js';
import type { PolicyFile, Profile } from './file/schema.js';
import { type Files, profileOf, projectsOf, type Settings, settingsOf } from './file/settings.js';
import { ACTION_POINTS, isAct } from './risk/action-risk.js';
import { riskModel } from './risk/risk.js';
import { compileProfile, PROFILE_TABLE } from './rules/profiles.js';
import { compileRules } from './rules/rules.js';
import { compileWindows, type WindowRules } from './rules/window-rules.js';

/** The files of all tiers, put together for one desktop. */
export interface CompiledPolicy extends Policy {
  readonly profile: Profile;
  readonly settings: Settings;
  readonly windows: WindowRules;
  readonly hash: string;
  /** A file has a rule about looks: what may be seen depends on the window. The profiles treat all windows alike. */
  readonly governsLooks: boolean;
  /** It does what its arguments say: which program it is tells nothing of what it does. */
  runsAnything(program: string): boolean;
  decide(question: PolicyRequest): PolicyVerdict;
}

export function compilePolicy(files: Files, desktop: DesktopKind): CompiledPolicy {
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
  const scales = riskModel(user, managed);
  return {
    profile,
    enabled: settingsOf(files).enabled,
    builtIn: compileProfile(profile, scales),
    user: compileRules(user?.rules ?? [], 'user'),
    projects: projectsOf(files).map(({ rules = [] }) => compileRules(rules, 'project')),
    managed: compileRules(managed?.rules ?? [], 'managed'),
    windows: compileWindows(files),
    scales,
    ownScales: managed?.risk || managed?.launch ? riskModel(user, undefined) : scales,
  };
}

/** Rises when the same files come to mean something else. */
const FORMAT = 1;
const BUILTIN = createHash('sha256')
  .update(canonicalJson({ lists: BUILT_IN, profiles: PROFILE_TABLE, actions: ACTION_POINTS }))
  .digest('hex');

/** Names the policy that was in force, in every decision, question and record. */
export function policyHash(profile: Profile, { user, project, callerProject, managed }: Files): string {
  const whole = { format: FORMAT, builtin: BUILTIN, profile, user, project, callerProject, managed };
  return createHash('sha256').update(canonicalJson(whole)).digest('hex');
}
