import type { Scope } from '../../policy/index.js';
import { subjectHashOf, type ApprovalSubject } from './approval-subject.js';

/** How long an approval stays valid after the answer. The target may change while the user is not looking. */
const VALID_MS = 10_000;

/** The user's approval, and what it was given for. */
export interface Approval {
  subject: ApprovalSubject;
  hash: string;
  by: string;
  scope: Scope;
  answeredAt: number;
  /** This was the second request, because the subject had changed after the first. */
  again: boolean;
}

/** Whether an approval still applies: the same subject, byte for byte, and not too long ago. */
export function isStillValid({ hash, answeredAt }: Approval, subject: ApprovalSubject, now = Date.now()): boolean {
  return hash === subjectHashOf(subject) && now - answeredAt <= VALID_MS;
}
