import { isAbsolute } from 'node:path';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { OpenDesktop, ResolvedCommand } from '../../compose.js';
import { isDescendantProcess } from '../../platform/index.js';
import { waitForFirstWindow, authorizeLaunch, CallView, perform, type LaunchAnswer } from '../../runtime/index.js';
import { BoundedMap, Deadline, DesktopError } from '../../shared/index.js';
import { TOOLS, uiLaunch } from '../../tools/index.js';
import type { WindowInfo } from '../../tree/index.js';
import type { LoadedGovernance } from '../governance/load-governance.js';
import { parseParams } from '../server/protocol.js';
import type { RequestContext, Requests } from '../server/server.js';

/** What is sent about an app while it runs. */
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
  /** The windows that existed when it was started. */
  before: readonly WindowInfo[];
}

const MAX_REMEMBERED = 256;
/** An app may want to save something before it ends. */
const TERMINATE_MS = 2_000;
/**
 * Output may arrive after the end of the app. A process that the app left running may keep its output open for ever.
 */
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

/** Apps that belong to the connection that started them: it gets their output, and they end with it. */
export function appRequests(open: OpenDesktop, begin: LoadedGovernance['begin']): Requests {
  const started = new BoundedMap<number, Started>(MAX_REMEMBERED);
  const windows = async (caller: string, { signal, directory }: Context): Promise<WindowInfo[]> => {
    // Part of a launch, which has its own record.
    const call = { tool: 'ui_list_windows', args: { hidden: true }, caller, signal, directory, unwritten: true };
    return (await perform(open.desktop, TOOLS, call)).json.windows as WindowInfo[];
  };
  const startedApp = (pid: number): Started => {
    const app = started.get(pid);
    if (app) return app;
    throw new DesktopError('process_gone', `No app was started as process ${pid}.`);
  };
  return {
    app: async (params, context): Promise<AppEnd> => {
      const { signal, directory, item } = context;
      const { command, args, env, cwd, caller } = parseParams(AppParams, params, 'app');
      const { seat } = open;
      if (!seat) {
        throw new DesktopError('not_supported', 'Apps are started in private desktops only.', {
          hint: 'Open one: openDesktop()',
        });
      }
      await begin(directory);
      const before = await windows(caller, context);
      const surroundings = { env, ...(cwd !== undefined && { cwd }) };
      const start = (authorized: ResolvedCommand | undefined) =>
        seat.launch(command, args, { ...surroundings, output: 'pipe', ...(authorized && { authorized }) });
      const deadline = Deadline.in(TERMINATE_MS * 5, signal);
      const wanted = { tool: uiLaunch, command, args, ...surroundings, caller, deadline };
      const app = await authorizeLaunch(CallView.forUser(open.desktop, directory), wanted, start);
      started.set(app.pid, { ...app, before });
      let isOver = false;
      const send = (value: AppItem): void => (isOver ? undefined : item(value));
      const written = Promise.all([
        drain(app.stdout, (chunk) => send({ out: chunk })),
        drain(app.stderr, (chunk) => send({ err: chunk })),
      ]);
      send({ pid: app.pid });
      const cancelled = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      const end = (await Promise.race([app.exited, cancelled.then(() => undefined)])) ?? (await endApp(app));
      await Promise.race([written, pause(DRAIN_MS, undefined, { ref: false })]);
      isOver = true;
      return end;
    },
    appWindow: async (params, context): Promise<LaunchAnswer> => {
      const { pid, caller, timeoutMs } = parseParams(WindowParams, params, 'app');
      const app = startedApp(pid);
      return waitForFirstWindow(
        app,
        app.before,
        () => windows(caller, context),
        Deadline.in(timeoutMs, context.signal),
        isDescendantProcess,
      );
    },
    appWindows: async (params, context): Promise<{ windows: WindowInfo[] }> => {
      const { pid, caller } = parseParams(WindowParams, params, 'app');
      startedApp(pid);
      const all = await windows(caller, context);
      return { windows: all.filter((one) => one.pid !== undefined && isDescendantProcess(one.pid, pid)) };
    },
  };
}

/** Reads the output to its end, also without a listener: an app must not block because its output is not read. */
async function drain(output: Readable | undefined, onChunk: (base64: string) => void): Promise<void> {
  output?.on('data', (chunk: Buffer) => onChunk(chunk.toString('base64')));
  // The end of the app reports how it ended. There is nothing else to handle.
  if (output) await finished(output).catch(() => undefined);
}

/** The app leads its own process group, so the processes that it started end with it. */
async function endApp({ pid, exited }: Pick<Started, 'pid' | 'exited'>): Promise<AppEnd> {
  let ended = false;
  const end = exited.then((how) => ((ended = true), how));
  signalGroup(pid, 'SIGTERM');
  await Promise.race([end, pause(TERMINATE_MS, undefined, { ref: false })]);
  if (!ended) signalGroup(pid, 'SIGKILL');
  return end;
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    // The whole group has already ended.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
