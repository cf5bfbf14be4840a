import type { TargetFacts } from '../../policy/index.js';
import { WHOLE } from '../../shared/index.js';
import type { Aim } from '../act/aim.js';

/** What is known of a target, for rules and for the log. Found, but without a place: a start, the clipboard. */
export function factsOf({ target: found, window, start, lands }: Aim): TargetFacts {
  const where = found?.window ?? window;
  const unseen = lands && !lands.target;
  const target = unseen ? undefined : (found ?? lands?.target);
  const app = start?.program ?? where?.program;
  return {
    ...(app !== undefined && { app }),
    ...(start && { runs: start.runs, installed: start.installed }),
    ...(where && { appName: where.app, window: where.title }),
    ...(where?.[WHOLE] !== undefined && { [WHOLE]: where[WHOLE] }),
    ...(unseen && { unseen }),
    ...(target && {
      role: target.element.role,
      ...(target.element.name !== undefined && { name: target.element.name }),
      ...(target.element.description !== undefined && { description: target.element.description }),
      ...(target.element.states.secret && { secure: true }),
      method: target.how ?? 'id',
      confidence: target.confidence ?? 1,
    }),
  };
}
