// For vitest's desktop tests, which start compiled programs (the command line, the seat's keeper).
import { build, isBuilt } from './build.mjs';

export async function setup() {
  if (isBuilt()) return;
  const problems = await build();
  // What tsc wrote is used all the same; `npm run check` is where types fail.
  if (problems) console.error(`the build has problems: ${problems.split('\n')[0]}`);
}
