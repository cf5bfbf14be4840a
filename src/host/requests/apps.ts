import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { OpenDesktop, Start } from '../../open-desktop.js';
import {
  waitForFirstWindow,
  authorizeLaunch,
  CallView,
  isDescendantProcess,
  perform,
  type LaunchAnswer,
} from '../../runtime/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { TOOLS } from '../../tools/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { LoadedGovernance } from '../governance/load-governance.js';
import type { RequestContext, Requests } from '../server/server.js';

/** What comes of an app while it runs. */
export type AppItem = { pid: number } | { out: string } | { err: string };

/** How an app ended. */
export interface AppEnd {
  code: number | null;
  signal: NodeJS.Signals | null;
}

type Context = Pick<RequestContext, 'signal' | 'directory'>;

interface Started {
  pid: number;
  program: string;
  exited: Promise<AppEnd>;
  /** Ids of the windows that were there when it was started. */
  before: readonly WindowInfo[];
}

const KEPT = 256;
/** An app that is told to end may want to save something. */
const POLITE_MS = 2_000;
/** What an app wrote comes after its end; what it left running may keep its output open for ever. */
const DRAIN_MS = 1_000;

const Milliseconds = z.int().min(0).max(600_000);
const Caller = z
  .string()
  .max(200)
  .regex(/^library:/);
const AppParams = z.strictObject({
  command: z.string().min(1).max(4_000),
  args: z.array(z.string().max(32_000)).max(1_000),
  env: z.record(z.string().regex(/^[A-Za-z_]\w*$/), z.string()).default({}),
  cwd: z.string().refine(isAbsolute).optional(),
  caller: Caller,
});
const WindowParams = z.strictObject({ pid: z.int().positive(), caller: Caller, timeoutMs: Milliseconds });

function parse<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new DesktopError('bad_arguments', `The app's ${field || 'request'} cannot be used.`, {
    details: { issues: parsed.error.issues.map((issue) => issue.message) },
  });
}

/** Apps that belong to whoever started them: their output goes there, and they end with that connection. */
export function appRequests(open: OpenDesktop, begin: LoadedGovernance['begin']): Requests {
  const started = new Map<number, Started>();
  const windows = async (caller: string, { signal, directory }: Context): Promise<WindowInfo[]> => {
    // Part of a start, which has its own record.
    const call = { tool: 'ui_list_windows', args: { hidden: true }, caller, signal, directory, unwritten: true };
    return (await perform(open.desktop, TOOLS, call)).json.windows as WindowInfo[];
  };
  const known = (pid: number): Started => {
    const app = started.get(pid);
    if (app) return app;
    throw new DesktopError('process_gone', `No app was started as process ${pid}.`);
  };
  return {
    app: async (params, context): Promise<AppEnd> => {
      const { signal, directory, item } = context;
      const { command, args, env, cwd, caller } = parse(AppParams, params);
      const { seat } = open;
      if (!seat) {
        throw new DesktopError('not_supported', 'Apps are started in private desktops only.', {
          hint: 'Open one: openDesktop()',
        });
      }
      await begin(directory);
      const before = await windows(caller, context);
      const around = { env, ...(cwd !== undefined && { cwd }) };
      const start = (judged: Start | undefined) =>
        seat.launch(command, args, { ...around, output: 'pipe', ...(judged && { judged }) });
      const deadline = Deadline.in(POLITE_MS * 5, signal);
      const wanted = { command, args, ...around, caller, deadline };
      const app = await authorizeLaunch(CallView.forUser(open.desktop, directory), wanted, start);
      remember(started, { ...app, before });
      let isOver = false;
      const tell = (value: AppItem): void => (isOver ? undefined : item(value));
      const written = Promise.all([
        drained(app.stdout, (chunk) => tell({ out: chunk })),
        drained(app.stderr, (chunk) => tell({ err: chunk })),
      ]);
      tell({ pid: app.pid });
      const told = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      const end = (await Promise.race([app.exited, told.then(() => undefined)])) ?? (await endApp(app));
      await Promise.race([written, pause(DRAIN_MS, undefined, { ref: false })]);
      isOver = true;
      return end;
    },
    appWindow: async (params, context): Promise<LaunchAnswer> => {
      const { pid, caller, timeoutMs } = parse(WindowParams, params);
      const app = known(pid);
      return waitForFirstWindow(
        app,
        app.before,
        () => windows(caller, context),
        Deadline.in(timeoutMs, context.signal),
      );
    },
    appWindows: async (params, context): Promise<{ windows: WindowInfo[] }> => {
      const { pid, caller } = parse(WindowParams, params);
      known(pid);
      const all = await windows(caller, context);
      return { windows: all.filter((one) => one.pid !== undefined && isDescendantProcess(one.pid, pid)) };
    },
  };
}

function remember(started: Map<number, Started>, app: Started): void {
  started.delete(app.pid);
  started.set(app.pid, app);
  const [oldest] = started.keys();
  if (started.size > KEPT && oldest !== undefined) started.delete(oldest);
}

/** Reads it to its end, also when nobody listens any more: an app must not wait for a reader. */
async function drained(output: Readable | undefined, onChunk: (base64: string) => void): Promise<void> {
  output?.on('data', (chunk: Buffer) => onChunk(chunk.toString('base64')));
  // How it ended is told by the app's end; nothing else comes of it.
  if (output) await finished(output).catch(() => undefined);
}

/** It leads a group of its own: what it has started ends with it. */
async function endApp({ pid, exited }: Pick<Started, 'pid' | 'exited'>): Promise<AppEnd> {
  let ended = false;
  const end = exited.then((how) => ((ended = true), how));
  signalGroup(pid, 'SIGTERM');
  await Promise.race([end, pause(POLITE_MS, undefined, { ref: false })]);
  if (!ended) signalGroup(pid, 'SIGKILL');
  return end;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // All of it has ended already: that is what was wanted.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
