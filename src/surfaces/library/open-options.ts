import type { Size } from '../../tree/index.js';
import { checkOptions, MILLISECONDS, OBJECT, oneOf, SIGNAL, TEXT, type Kinds } from './check-options.js';
import type { OpenOptions } from './options.js';
import { wrong } from './selector-text.js';

const isSize = ({ width, height }: Size): boolean =>
  [width, height].every(Number.isInteger) && width >= 320 && width <= 7680 && height >= 200 && height <= 4320;

const KINDS: Kinds<OpenOptions> = {
  desktop: { fits: (given) => TEXT.fits(given) && given !== '', words: '"virtual", "user" or the name of a desktop' },
  size: {
    fits: (given) => OBJECT.fits(given) && isSize(given as Size),
    words: '{ width, height } from 320x200 to 7680x4320, in whole pixels',
  },
  monitors: { fits: (given) => given === 1 || given === 2, words: '1 or 2' },
  policy: { fits: (given) => TEXT.fits(given) || OBJECT.fits(given), words: 'the path of a file, or a policy' },
  approve: { fits: (given) => typeof given === 'function', words: 'a function' },
  timeoutMs: MILLISECONDS,
  trace: oneOf('off', 'on', 'on-failure'),
  signal: SIGNAL,
};

/** A policy that is misspelt must not be none. */
export function checkOpen(options: OpenOptions): void {
  checkOptions('openDesktop()', options, KINDS);
  const { desktop = 'virtual', size, monitors, policy, approve } = options;
  if (desktop === 'virtual') return;
  const [given] = Object.entries({ size, monitors, policy, approve }).filter(([, value]) => value !== undefined);
  if (!given) return;
  const why = given[0] === 'approve' ? 'questions about it are answered by: deskproof approvals' : 'it has its own';
  throw wrong(
    `${given[0]} is for new private desktops; ${JSON.stringify(desktop)} is there already.`,
    `Leave it out: ${why}.`,
  );
}
