import type { Question, TargetFacts } from '../../policy/index.js';
import { carriesText, keysOf, surfaceOf, writtenArgs, type Asked } from './asked.js';

/** What is known besides the call itself. */
export interface Known {
  desktop: Question['desktop'];
  /** A person has enabled the session. */
  enabled?: boolean;
  /** Absent: not found yet. */
  target?: TargetFacts;
}

/** A call in the words that rules are written in. */
export function questionOf(asked: Asked, { desktop, enabled = false, target }: Known): Question {
  const { tool, caller } = asked;
  const keys = keysOf(asked);
  // What is typed is not known as long as it may go into a password field.
  const known = target !== undefined || !carriesText(asked);
  return {
    ...{ tool, class: classOf(asked), caller: surfaceOf(caller), desktop, enabled },
    ...(known && { args: writtenArgs(asked, target !== undefined && !target.secure) }),
    ...(keys && { keys }),
    ...(target && { target }),
  };
}

/** To read what a person has copied, from whatever window, is no less than a picture. */
function classOf({ tool, class: kind, args }: Asked): Question['class'] {
  return tool === 'ui_clipboard' && args.text === undefined ? 'capture' : kind;
}
