import { DesktopError } from './errors.js';

const ELSEWHERE = 'Make room there, or set DESKPROOF_RUNTIME to a directory on another disk.';

/** What a machine can run out of, by the system's name for it. */
const WORDS: Readonly<Record<string, readonly [message: string, hint: string]>> = {
  ENOSPC: ['The disk is full.', ELSEWHERE],
  EDQUOT: ['Your share of the disk is used up.', ELSEWHERE],
  EROFS: ['The disk can only be read.', 'Set DESKPROOF_RUNTIME to a directory on another disk.'],
  EMFILE: ['Too many files are open in one process.', 'Raise the limit: ulimit -n 4096'],
  ENFILE: ['Too many files are open on this machine.', 'End programs that are not needed.'],
  EAGAIN: ['No more processes can be started.', 'End programs that are not needed, or raise the limit: ulimit -u'],
  ENOMEM: ['There is no memory left.', 'End programs that are not needed.'],
};

/** The machine's trouble in a sentence; undefined when the error says nothing of the kind. */
export function systemFault(error: unknown): DesktopError | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  const words = typeof code === 'string' && Object.hasOwn(WORDS, code) ? WORDS[code] : undefined;
  return words && new DesktopError('command_failed', words[0], { hint: words[1], details: { code }, cause: error });
}
