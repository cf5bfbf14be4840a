import type { Deadline } from '../../shared/index.js';
import type { ApprovalChannel } from '../approval/ask-user.js';
import type { VerifiedStep } from '../verify/batch-changes.js';
import type { CallView } from '../visibility/call-view.js';
import type { CallRequest } from './policy-request.js';

/** What all stages of one call share. `perform` creates it once the arguments are valid. */
export interface CallContext {
  /** The desktop as this call may see and use it, with its cost and its call log. */
  readonly view: CallView;
  readonly request: CallRequest;
  readonly channel: ApprovalChannel;
  /** How long a read may take, or a target may need to become actionable. */
  readonly limitMs: number;
  /** Ends `limitMs` after the stage that asks for it begins: an answer of the user does not use up the time. */
  readonly deadline: () => Deadline;
  /** Set when the intent of an act is written. From then on the act writes its own record. */
  recordsItself: boolean;
  /** Receives what a verified act observed; a batch adds these up. */
  readonly onVerified?: ((step: VerifiedStep) => void) | undefined;
}
