import { policyFileError, type ParsedPolicy } from './parse-policy.js';
import { quoted } from './policy-fault.js';

/** What is wrong only because of another file. */
export function checkTogether(parsed: readonly ParsedPolicy[]): void {
  const seen = new Map<string, string>();
  for (const { file, policy } of parsed) {
    for (const name of Object.keys(policy.secrets ?? {})) {
      const other = seen.get(name);
      // Which of two places a secret may go to is nothing to guess.
      if (other !== undefined) {
        const fault = { line: 1, column: 1, message: `There is a secret ${quoted(name)} in ${other} already.` };
        throw policyFileError(file, { ...fault, hint: 'Give it another name.' });
      }
      seen.set(name, file);
    }
  }
}
