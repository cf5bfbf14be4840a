import type { AppCalls } from '../atspi/app-link.js';
import { ROOT_PATH } from '../atspi/interfaces.js';
import { readChildren, readStates } from '../atspi/raw-element.js';

/** The windows of an app that make its others wait, by path. */
export async function modalWindows(calls: AppCalls): Promise<Set<string>> {
  const paths = (await readChildren(calls, ROOT_PATH)).map(([, path]) => path);
  const states = await Promise.all(paths.map((path) => readStates(calls, path)));
  return new Set(paths.filter((_, at) => states[at]?.has('modal')));
}
