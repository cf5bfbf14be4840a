import { Deadline, DesktopError, type ErrorCode } from '../../src/shared/index.js';
import type { ReadAnswer, ReadOptions } from '../../src/drivers/contract/index.js';
import type { Node, Role, WindowNode } from '../../src/tree/index.js';
import { MAIN } from './scene.js';
import type { Stage } from './stage.js';

export interface CaseOn<S> {
  name: string;
  run(stage: S): Promise<void>;
  /** Leaves the scene changed: the suite shows it again afterwards. */
  disturbs?: boolean;
  /** About a secret or a wrong element: npm test never repeats a failure. */
  safety?: boolean;
}

export type Case = CaseOn<Stage>;

const CALL_MS = 10_000;
const EVENTUALLY_MS = 8_000;
/** For what is not expected to come. */
const HURRIED_MS = 1_200;
let hurrying = false;

/** What is known not to work is tried, but not waited for. One case runs at a time. */
export async function inHurry<T>(work: () => Promise<T>): Promise<T> {
  hurrying = true;
  try {
    return await work();
  } finally {
    hurrying = false;
  }
}

/** The time limit, shorter in fast runs. */
export const unlessHurried = (ms: number): number => (hurrying ? Math.min(ms, HURRIED_MS) : ms);

export const soon = (): Deadline => Deadline.in(CALL_MS);

export async function windowTitled(stage: Stage, title: string): Promise<WindowNode> {
  return until(`a window "${title}"`, async () => {
    const { windows } = await stage.driver.windows({ deadline: soon() });
    return windows.find((window) => window.title === title);
  });
}

export async function readWindow(stage: Stage, title = MAIN, options: Partial<ReadOptions> = {}): Promise<ReadAnswer> {
  const window = await windowTitled(stage, title);
  return stage.driver.read({ window: window.id }, { deadline: soon(), ...options });
}

export function* everyNode(root: Node): Generator<Node> {
  yield root;
  for (const child of root.children) yield* everyNode(child);
}

export function find(root: Node, role: Role | Role[], name?: string): Node | undefined {
  const roles = Array.isArray(role) ? role : [role];
  return [...everyNode(root)].find((node) => roles.includes(node.role) && (name === undefined || node.name === name));
}

/** The element, as soon as the app shows it. */
export async function shown(stage: Stage, role: Role | Role[], name?: string, title = MAIN): Promise<Node> {
  const wanted = `${String(role)} ${name === undefined ? '' : JSON.stringify(name)}`;
  return until(wanted, async () => find((await readWindow(stage, title)).root, role, name));
}

/** Waits on a condition, never on a clock: the first answer that is neither undefined nor false. */
export async function until<T>(
  what: string,
  ask: () => Promise<T | undefined | false>,
  eventuallyMs = unlessHurried(EVENTUALLY_MS),
): Promise<T> {
  const deadline = Deadline.in(eventuallyMs);
  for (let pause = 20; ; pause = Math.min(pause * 1.5, 150)) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (deadline.over) throw new Error(`did not come: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

export async function codeOf(work: Promise<unknown>): Promise<ErrorCode | 'no error'> {
  try {
    await work;
    return 'no error';
  } catch (error) {
    if (error instanceof DesktopError) return error.code;
    throw error;
  }
}

export const LISTS: Role[] = ['list', 'listbox'];
export const TABLES: Role[] = ['table', 'grid', 'treegrid'];

/** All that a user would read in an item or row. */
export function wordsOf(node: Node): string {
  const words = [...everyNode(node)].flatMap((part) => [part.name, part.value]);
  return words.filter((word) => word !== undefined && word !== '').join(' ');
}
