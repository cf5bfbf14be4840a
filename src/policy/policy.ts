import { createHash } from 'node:crypto';
import { canonicalJson } from '../shared/index.js';
import { decide, type PreparedPolicy } from './decide.js';
import type { DesktopKind, Policy, PolicyRequest, PolicyVerdict } from './decision.js';
import { isConsole } from './facts.js';
import { BUILT_IN } from './file/built-in.js';
import type { PolicyFile, Profile } from './file/schema.js';
import { type Files, profileOf, projectsOf, type Settings, settingsOf } from './file/settings.js';
import { ACTION_POINTS } from './risk/action-risk.js';
import { riskModel } from './risk/risk.js';
import { compileProfile, PROFILE_TABLE } from './rules/profiles.js';
import { compileGlob, foldText } from './rules/glob.js';
import { compileRules } from './rules/rules.js';
import { compileWindows, type WindowRules } from './rules/window-rules.js';

/** The files of all tiers, combined for one desktop. */
export interface CompiledPolicy extends Policy {
  readonly profile: Profile;
  readonly settings: Settings;
  readonly windows: WindowRules;
  readonly hash: string;
  /**
   * A rule or a caller's window list may affect reads by this tool, so visibility depends on the window. The profiles
   * treat all windows alike.
   */
  hasReadRules(tool: string): boolean;
  /** The program executes what its arguments contain, so its identity does not show what it will do. */
  runsAnything(program: string): boolean;
  /** The user may answer approval requests in this window: a terminal, a browser, one of our own, an unknown program. */
  takesAnswers(window: { program?: string; title: string }): boolean;
  decide(request: PolicyRequest): PolicyVerdict;
}

export function compilePolicy(files: Files, desktop: DesktopKind): CompiledPolicy {
  const prepared = preparePolicy(files, desktop);
  const { profile, windows } = prepared;
  const hash = policyHash(profile, files);
  return {
    ...{ profile, settings: settingsOf(files), windows, hash },
    hasReadRules: readRules(files),
    runsAnything: (path) => prepared.riskModel.apps.runsAnything({ path }) !== 'no',
    takesAnswers: ({ program, title }) => {
      if (program === undefined || OURS(foldText(title)) || isConsole(title)) return true;
      const { isTerminal, isBrowser } = prepared.riskModel.apps;
      return isTerminal({ path: program }) !== 'no' || isBrowser({ path: program });
    },
    decide: (request) => ({ ...decide(prepared, request), policyHash: hash }),
  };
}

const OURS = compileGlob(BUILT_IN.ours);

/**
 * Windows that the desktop's own files hide are hidden from every caller. Windows that a caller's project hides are
 * hidden from that caller only.
 */
function readRules(files: Files): (tool: string) => boolean {
  const { user, managed, callerProject } = files;
  const rules = [user, managed, ...projectsOf(files)].flatMap((file) => file?.rules ?? []);
  return (tool) => rules.some((rule) => appliesToReads(rule, tool)) || callerProject?.windows !== undefined;
}

const READ_CLASSES: ReadonlySet<string> = new Set(['read', 'capture']);

function appliesToReads({ when }: NonNullable<PolicyFile['rules']>[number], tool: string): boolean {
  if (when?.tool !== undefined && ![when.tool].flat().includes(tool)) return false;
  return when?.class === undefined || [when.class].flat().some((kind) => READ_CLASSES.has(kind));
}

/** Compiles everything that a decision needs. */
export function preparePolicy(files: Files, desktop: DesktopKind): PreparedPolicy {
  const { user, managed } = files;
  const profile = profileOf(files, desktop);
  const model = riskModel(user, managed);
  return {
    profile,
    enabled: settingsOf(files).enabled,
    builtIn: compileProfile(profile, model),
    user: compileRules(user?.rules ?? [], 'user'),
    projects: projectsOf(files).map(({ rules = [] }) => compileRules(rules, 'project')),
    managed: compileRules(managed?.rules ?? [], 'managed'),
    windows: compileWindows(files),
    riskModel: model,
    riskModelWithoutManaged: managed?.risk || managed?.launch ? riskModel(user, undefined) : model,
  };
}

/** Increase it when the meaning of existing files changes. */
const FORMAT = 1;
const BUILT_IN_HASH = createHash('sha256')
  .update(canonicalJson({ lists: BUILT_IN, profiles: PROFILE_TABLE, actions: ACTION_POINTS }))
  .digest('hex');

/** Identifies the policy in force in every decision, approval request and log record. */
export function policyHash(profile: Profile, { user, project, callerProject, managed }: Files): string {
  const whole = { format: FORMAT, builtin: BUILT_IN_HASH, profile, user, project, callerProject, managed };
  return createHash('sha256').update(canonicalJson(whole)).digest('hex');
}
