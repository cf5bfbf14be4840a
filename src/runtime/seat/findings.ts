import type { Finding } from '../../drivers/contract/index.js';
import { commandsFor } from '../../shared/index.js';
import type { Desktop } from '../desktop.js';

/** What `ui_capabilities` says of the person at the seat: that they stopped everything, or that nobody notices them. */
export function seatFindings({ latch, person, kind }: Desktop): Finding[] {
  const findings: Finding[] = [];
  const { stopped } = latch;
  if (stopped)
    findings.push({
      level: 'off',
      what: `stopped, because ${stopped.reason}`,
      fix: 'the person ends it: deskproof resume, in a terminal',
    });
  if (person.unwatched !== undefined) {
    const why = person.unwatched.replace(/[.\s]+$/, '');
    const then = kind === 'seat' ? 'mouse and keys are not used' : 'acts go on without it';
    findings.push({ level: 'warn', what: `a person at mouse or keyboard is not noticed (${why}): ${then}` });
  }
  return findings;
}

/** Its fix as one would type it for this desktop. */
export function fixFor(desktop: string, finding: Finding): Finding {
  return finding.fix === undefined ? finding : { ...finding, fix: commandsFor(desktop, finding.fix) };
}
