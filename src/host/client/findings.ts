import { localiseHint } from '../../shared/index.js';

/** One line of `doctor`, as drivers return them. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail' | 'off';
  what: string;
  fix?: string;
}

/** `exposed`: why apps on private desktops can see them. */
export function ownFilesFinding(exposed: string | undefined): Finding {
  if (exposed === undefined) return { level: 'ok', what: 'apps on private desktops cannot see the files of Deskproof' };
  return {
    level: 'warn',
    what: `apps on private desktops can see and change the policy, logs and keys of Deskproof (${exposed})`,
    fix: 'Permit user namespaces (sysctl kernel.unprivileged_userns_clone=1, or AppArmor), or run the agent as another user',
  };
}

/** `desktop`: the name of a private desktop. */
export const unconfirmedFinding = (desktop?: string): Finding => ({
  level: 'warn',
  what: 'the policy changed since you last confirmed it, so only reads are served',
  fix: localiseHint(desktop, 'deskproof policy reload'),
});
