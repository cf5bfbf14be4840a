/** Checks whose absence nobody could see: `{ file, change, why }`. One that is seen after all, or is gone, fails the run. */
export const EQUIVALENT = [];
