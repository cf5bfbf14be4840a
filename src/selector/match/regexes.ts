import { createContext, Script } from 'node:vm';
import { DesktopError } from '../../shared/index.js';
import type { RegexValue } from '../ast.js';

/** A regex from a caller may take forever on one name. Only a timeout from outside the engine can stop it. */
const TIME_LIMIT_MS = 50;
const TRIES = 20;

interface Job {
  source: string;
  flags: string;
  texts: string[];
}

const RUN = new Script(
  `jobs.map(({ source, flags, texts }) => {
    const regex = new RegExp(source, flags);
    return texts.map((text) => (regex.test(text) ? '1' : '0')).join('');
  }).join(',')`,
);
const sandbox: { jobs: Job[] } = { jobs: [] };
let context: ReturnType<typeof createContext> | undefined;

/** Results of regexes for the texts of one snapshot. Texts that are known in advance are tested in one batch. */
export class Regexes {
  private readonly known = new Map<string, Map<string, boolean>>();

  /** Tests every regex on all its texts, together within one time limit. */
  prime(asked: Iterable<readonly [RegexValue, Iterable<string>]>): void {
    const jobs = new Map<string, Job>();
    for (const [regex, texts] of asked) {
      const job = jobs.get(keyOf(regex)) ?? { source: regex.source, flags: flagsOf(regex), texts: [] };
      const answers = this.answers(regex);
      job.texts = [...new Set([...job.texts, ...texts])].filter((text) => !answers.has(text));
      if (job.texts.length > 0) jobs.set(keyOf(regex), job);
    }
    if (jobs.size === 0) return;
    const results = run([...jobs.values()]);
    [...jobs].forEach(([key, { texts }], at) => {
      texts.forEach((text, i) => this.known.get(key)!.set(text, results[at]![i] === '1'));
    });
  }

  test(regex: RegexValue, text: string): boolean {
    const answers = this.answers(regex);
    if (!answers.has(text)) this.prime([[regex, [text]]]);
    return answers.get(text)!;
  }

  private answers(regex: RegexValue): Map<string, boolean> {
    const key = keyOf(regex);
    const answers = this.known.get(key) ?? new Map<string, boolean>();
    this.known.set(key, answers);
    return answers;
  }
}

function flagsOf({ ignoreCase }: RegexValue): string {
  return ignoreCase ? 'ui' : 'u';
}

function keyOf(regex: RegexValue): string {
  return `/${regex.source}/${flagsOf(regex)}`;
}

/** The limit is wall-clock time. A busy machine may give us none of that time, which is not the fault of the regex. */
function within(sandboxed: object, tries: number): string[] {
  const before = process.cpuUsage();
  try {
    return (RUN.runInContext(sandboxed, { timeout: TIME_LIMIT_MS }) as string).split(',');
  } catch (cause) {
    const { user, system } = process.cpuUsage(before);
    const starved = (user + system) / 1000 < TIME_LIMIT_MS / 2;
    if (tries <= 1 || !starved || !isTimeout(cause)) throw cause;
    return within(sandboxed, tries - 1);
  }
}

function isTimeout(cause: unknown): boolean {
  return (cause as { code?: string }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function run(jobs: Job[]): string[] {
  context ??= createContext(sandbox);
  sandbox.jobs = jobs;
  try {
    return within(context, TRIES);
  } catch (cause) {
    const slow = isTimeout(cause);
    throw new DesktopError('bad_arguments', slow ? 'The regex is too slow.' : 'The regex is too large.', {
      hint: 'Write a simpler one without repeats inside repeats, or use ~= ^= $= or *=.',
      retry: 'no',
      details: { regexes: jobs.map(({ source }) => source), limitMs: TIME_LIMIT_MS },
      cause,
    });
  } finally {
    sandbox.jobs = [];
  }
}
