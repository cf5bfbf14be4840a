import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Finding, OpenDesktop, Start } from '../../open-desktop.js';
import {
  type Desktop,
  waitForFirstWindow,
  authorizeLaunch,
  CallView,
  type LaunchAnswer,
  type PendingApproval,
  perform,
  type Performed,
  sessionOf,
} from '../../runtime/index.js';
import { Deadline, DesktopError } from '../../shared/index.js';
import { keptSnapshot, TOOLS, type Tool } from '../../tools/index.js';
import type { Size, WindowInfo } from '../../tree/index.js';
import { CallerSessions } from './caller-sessions.js';
import { follow } from './follow-events.js';
import type { LoadedGovernance } from '../governance/load-governance.js';
import { forPeople } from './approvals.js';
import type { Requests } from '../server/server.js';

/** What `info` says about a desktop. */
export interface DesktopDetails {
  name: string;
  kind: 'virtual' | 'user' | 'fake';
  pid: number;
  version: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** How long it took to come up. */
  bootMs: number;
  display?: string;
  size?: Size;
  monitors?: 1 | 2;
  visible?: boolean;
  /** What a program needs to run in a private desktop; empty for the person's own. */
  env: Record<string, string>;
}

export interface CallAnswer extends Partial<Performed> {
  /** Of the look or picture that it shows. */
  id?: string;
}
export interface PictureAnswer extends Size {
  /** Base64. */
  png: string;
}

export interface StopAnswer {
  stopped: boolean;
  /** False when it was so already. */
  changed: boolean;
  /** A host that did not answer and had to be killed. */
  killed?: {
    pid: number;
    /** What it had started has ended too, and has let go of keys and buttons. */
    clean: boolean;
  };
}

/** What is used of the answer of `ui_capture`. */
interface Captured extends Size {
  data: string;
}

const LAUNCH_MS = 15_000;
/** The host's own looks, apart from every caller's "since your last call". */
const SELF = 'cli:host';

const Milliseconds = z.coerce.number().int().positive().max(600_000);
const CallParams = z.strictObject({
  tool: z.string().max(100),
  args: z.unknown(),
  caller: z.string().max(200),
  timeoutMs: Milliseconds.optional(),
  want: z.enum(['text', 'json', 'both']),
  /** The caller wants to hear of questions, as items, and has a person at hand who can answer them in this way. */
  asks: z.enum(['terminal', 'mcp', 'library', 'nobody']).optional(),
});
const LaunchParams = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()),
  cwd: z.string().refine(isAbsolute).optional(),
  timeoutMs: Milliseconds.default(LAUNCH_MS),
});
const FollowParams = z.strictObject({
  args: z.record(z.string(), z.unknown()),
  /** Who hears it; the command line by default. */
  caller: z.string().max(150).optional(),
  ready: z.boolean().optional(),
});
const KeptParams = z.strictObject({ id: z.string().max(20), caller: z.string().max(200) });
const LeaveParams = z.strictObject({ caller: z.string().max(200) });

function parse<T>(schema: z.ZodType<T>, params: unknown): T {
  const parsed = schema.safeParse(params);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new DesktopError('bad_arguments', `The request's ${field || 'content'} cannot be used.`, {
    details: { issues: parsed.error.issues.map((issue) => issue.message) },
  });
}

export function hostRequests(
  open: OpenDesktop,
  details: () => DesktopDetails,
  shutdown: () => void,
  begin: LoadedGovernance['begin'],
): Requests {
  const sessions = new CallerSessions(open.desktop.authorizer);
  /** The person's display went away: this host is of no use any more, and the next call gets a new one. */
  const guarded = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      const lost = error instanceof DesktopError && error.code === 'driver_unavailable';
      if (lost && details().kind === 'user') setImmediate(shutdown);
      throw error;
    }
  };
  /** Before a call does anything, the policy of its caller's project is read and noted in the log. */
  const callFrom = async <T extends object>(directory: string | undefined, call: T) => {
    await begin(directory);
    return directory === undefined ? call : { ...call, directory };
  };
  return {
    info: async () => details(),
    shutdown: async () => {
      // After the answer is on its way.
      setImmediate(shutdown);
    },
    call: async (params, { signal, directory, atEnd, progress, item }): Promise<CallAnswer> => {
      const { want, asks: by, ...call } = parse(CallParams, params);
      // A program answers for what it has made, never for a person's own screen.
      const asks = by === 'library' && details().kind === 'user' ? 'nobody' : by;
      await sessions.begin(call.caller, atEnd);
      const { questions } = open.desktop.authorizer;
      const onQuestion = (question: PendingApproval): void => {
        item({ question: forPeople(question) });
        const stop = questions.onChange(() => {
          if (questions.all.some(({ id }) => id === question.id)) return;
          stop();
          item({ closed: question.id });
        });
      };
      const { json, text } = await guarded(
        perform(
          open.desktop,
          TOOLS,
          await callFrom(directory, {
            ...call,
            signal,
            onProgress: progress,
            ...(asks && { onQuestion, asksBy: asks }),
          }),
        ),
      );
      const id = isShown(json.id) ? { id: json.id } : {};
      if (want === 'both') return { json, text, ...id };
      return want === 'json' ? { json, ...id } : { text, ...id };
    },
    /** A look that was made before, for whoever had it. */
    kept: async (params, { signal, directory }): Promise<CallAnswer> => {
      const { id, caller } = parse(KeptParams, params);
      const call = { tool: keptSnapshot.name, args: { id }, caller, signal };
      const { json } = await guarded(perform(open.desktop, [keptSnapshot as Tool], await callFrom(directory, call)));
      return { json };
    },
    /** For whoever serves several on one connection. */
    leave: async (params): Promise<void> => sessions.end(sessionOf(parse(LeaveParams, params).caller)),
    picture: async (_, { signal, directory }): Promise<PictureAnswer> => {
      const call = { tool: 'ui_capture', args: { maxSize: 0 }, caller: SELF, signal };
      const { json } = await guarded(perform(open.desktop, TOOLS, await callFrom(directory, call)));
      const { width, height, data } = json as unknown as Captured;
      return { width, height, png: data };
    },
    stop: async (): Promise<StopAnswer> => {
      return { stopped: true, changed: await open.desktop.stop('a person ran deskproof stop') };
    },
    resume: async (): Promise<StopAnswer> => ({ stopped: false, changed: open.desktop.resume() }),
    /** What `ui_capabilities` says of it, so that of apps that are hidden nothing is told here either. */
    doctor: async (_, { signal, directory }): Promise<Finding[]> => {
      const call = { tool: 'ui_capabilities', args: {}, caller: SELF, signal };
      return (await perform(open.desktop, TOOLS, await callFrom(directory, call))).json.findings as Finding[];
    },
    launch: async (params, { signal, directory }): Promise<LaunchAnswer> => {
      const { command, args, cwd, timeoutMs } = parse(LaunchParams, params);
      if (!open.seat) {
        throw new DesktopError('not_supported', 'Apps are started in private desktops only.', {
          hint: 'Start one: deskproof desktop start',
        });
      }
      const { seat } = open;
      await begin(directory);
      const view = CallView.forUser(open.desktop, directory);
      const windows = async () => listWindows(open.desktop, directory, signal);
      const before = await windows();
      const around = cwd === undefined ? {} : { cwd };
      const start = (judged: Start | undefined) => seat.launch(command, args, { ...around, ...(judged && { judged }) });
      const deadline = Deadline.in(timeoutMs, signal);
      const started = await authorizeLaunch(view, { command, args, ...around, caller: 'cli', deadline }, start);
      return waitForFirstWindow(started, before, windows, deadline);
    },
    follow: async (params, { signal, directory, item }) => {
      const { args, caller: who, ready } = parse(FollowParams, params);
      const ask = async (caller: string, again: boolean) =>
        perform(
          open.desktop,
          TOOLS,
          await callFrom(directory, { tool: 'ui_events', args, caller, signal, unwritten: again }),
        );
      await follow(ask, (happened) => open.desktop.events.listen(happened), signal, item, { who, ready });
    },
  };
}

async function listWindows(
  desktop: Desktop,
  directory: string | undefined,
  signal: AbortSignal,
): Promise<WindowInfo[]> {
  // Part of a start, which has its own record.
  const call = { tool: 'ui_list_windows', args: { hidden: true }, caller: SELF, signal, directory, unwritten: true };
  return (await perform(desktop, TOOLS, call)).json.windows as WindowInfo[];
}

const isShown = (id: unknown): id is string => typeof id === 'string' && /^[sc]\d+$/.test(id);
