/** Deeper trees exist only by mistake. */
export const MAX_DEPTH = 200;

/** The way from where reading began down to an element. */
export interface Descent {
  path: string;
  depth: number;
  up?: Descent;
}

/**
 * One step further down. An app may list an element among its own descendants, or make a new child at every question;
 * following that would end with the time only.
 */
export function descend(up: Descent | undefined, path: string): Descent | 'loop' | 'too deep' {
  for (let above = up; above; above = above.up) if (above.path === path) return 'loop';
  const depth = up ? up.depth + 1 : 0;
  return depth > MAX_DEPTH ? 'too deep' : { path, depth, ...(up && { up }) };
}
