import { createHash } from 'node:crypto';
import { canonicalJson } from '../shared/index.js';
import { ACTION_POINTS } from './actions.js';
import { BUILT_IN } from './built-in.js';
import type { Profile } from './policy-file.js';
import { PROFILE_TABLE } from './profiles.js';
import type { Files } from './settings.js';

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
