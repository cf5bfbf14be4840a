import type { Skip } from './stage.js';

/**
 * Cases that a driver cannot hold, with the reason. A skipped case is still run: when it passes, the run fails, so
 * that no skip outlives its reason. A skip that names no case fails too.
 */
export const SKIPS: Skip[] = [];
