import { isAbsolute } from 'node:path';
import { z } from 'zod';
import type { Finding, OpenDesktop, ResolvedCommand } from '../../compose.js';
import { isDescendantProcess } from '../../platform/index.js';
import {
  waitForFirstWindow,
  authorizeLaunch,
  CallView,
  perform,
  sessionOf,
  surfaceOf,
  type Desktop,
  type LaunchAnswer,
  type PendingApproval,
  type Performed,
  type Authorizer,
} from '../../runtime/index.js';
import { Deadline, DesktopError, debug } from '../../shared/index.js';
import { keptSnapshot, TOOLS, uiLaunch, type Tool } from '../../tools/index.js';
import type { Size, WindowInfo } from '../../tree/index.js';
import { follow } from './follow-events.js';
import type { LoadedGovernance } from '../governance/load-governance.js';
import { ownFilesFinding, unconfirmedFinding } from '../client/findings.js';
import { toQuestion } from './approvals.js';
import { parseParams } from '../server/protocol.js';
import type { Requests } from '../server/server.js';

/** What `info` returns about a desktop. */
export interface DesktopDetails {
  name: string;
  kind: 'virtual' | 'user' | 'fake';
  pid: number;
  version: string;
  /** Milliseconds since the epoch. */
  startedAt: number;
  /** How long it took to start. */
  bootMs: number;
  display?: string;
  size?: Size;
  monitors?: 1 | 2;
  visible?: boolean;
  /** The user has not confirmed its policy yet: only reads are served. */
  policyUnconfirmed?: true;
  /** The environment of programs in a private desktop; empty for the user desktop. */
  env: Record<string, string>;
}

export interface CallAnswer extends Partial<Performed> {
  /** Id of the snapshot or capture in the answer. */
  id?: string;
}
export interface PictureAnswer extends Size {
  /** Base64. */
  png: string;
}

export interface StopAnswer {
  stopped: boolean;
  /** False if it was already in that state. */
  changed: boolean;
  /** A host that did not answer and had to be killed. */
  killed?: {
    pid: number;
    /** The processes that it had started have ended too, and keys and buttons are released. */
    clean: boolean;
  };
}

/** The parts of the answer of `ui_capture` that are used. */
interface Captured extends Size {
  data: string;
}

const LAUNCH_MS = 15_000;
/** The host's own calls, separate from every caller's "since your last call". */
const HOST_CALLER = 'cli:host';

const Milliseconds = z.coerce.number().int().positive().max(600_000);
const CallParams = z.strictObject({
  tool: z.string().max(100),
  args: z.unknown(),
  caller: z.string().max(200),
  timeoutMs: Milliseconds.optional(),
  want: z.enum(['text', 'json', 'both']),
  /** The caller wants pending approvals as items, and a user can answer them over this channel. */
  asks: z.enum(['terminal', 'mcp', 'library', 'none']).optional(),
});
const LaunchParams = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()),
  cwd: z.string().refine(isAbsolute).optional(),
  timeoutMs: Milliseconds.default(LAUNCH_MS),
});
const FollowParams = z.strictObject({
  args: z.record(z.string(), z.unknown()),
  /** The caller that gets the events; the command line by default. */
  caller: z.string().max(150).optional(),
  ready: z.boolean().optional(),
});
const StoredSnapshotParams = z.strictObject({ id: z.string().max(20), caller: z.string().max(200) });
const LeaveParams = z.strictObject({ caller: z.string().max(200) });

export function hostRequests(
  open: OpenDesktop,
  details: () => DesktopDetails,
  shutdown: () => void,
  begin: LoadedGovernance['begin'],
): Requests {
  const sessions = new CallerSessions(open.desktop.authorizer);
  /** If the user's display is lost, this host is of no more use, and the next call gets a new one. */
  const endingOnLostDisplay = async <T>(work: Promise<T>): Promise<T> => {
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
      // After the answer is sent.
      setImmediate(shutdown);
    },
    call: async (params, { signal, directory, connection, atEnd, progress, item }): Promise<CallAnswer> => {
      const { want, asks: by, ...call } = parseParams(CallParams, params);
      // A program may approve acts on a desktop that it started, never on the user desktop.
      const asks = by === 'library' && details().kind === 'user' ? 'none' : by;
      await sessions.begin(call.caller, atEnd);
      const { questions } = open.desktop.authorizer;
      const onQuestion = (question: PendingApproval): void => {
        item({ question: toQuestion(question) });
        const stop = questions.onChange(() => {
          if (questions.all.some(({ id }) => id === question.id)) return;
          stop();
          item({ closed: question.id });
        });
      };
      const { json, text } = await endingOnLostDisplay(
        perform(
          open.desktop,
          TOOLS,
          await callFrom(directory, {
            ...call,
            signal,
            door: connection,
            onProgress: progress,
            ...(asks && { onQuestion, asksBy: asks }),
          }),
        ),
      );
      const id = isSnapshotOrCaptureId(json.id) ? { id: json.id } : {};
      if (want === 'both') return { json, text, ...id };
      return want === 'json' ? { json, ...id } : { text, ...id };
    },
    /** A stored snapshot, for the caller that took it. */
    kept: async (params, { signal, directory }): Promise<CallAnswer> => {
      const { id, caller } = parseParams(StoredSnapshotParams, params);
      const call = { tool: keptSnapshot.name, args: { id }, caller, signal };
      const { json } = await endingOnLostDisplay(
        perform(open.desktop, [keptSnapshot as Tool], await callFrom(directory, call)),
      );
      return { json };
    },
    /** For a client that serves several callers on one connection. */
    leave: async (params): Promise<void> => sessions.end(sessionOf(parseParams(LeaveParams, params).caller)),
    picture: async (_, { signal, directory }): Promise<PictureAnswer> => {
      const call = { tool: 'ui_capture', args: { maxSize: 0 }, caller: HOST_CALLER, signal };
      const { json } = await endingOnLostDisplay(perform(open.desktop, TOOLS, await callFrom(directory, call)));
      const { width, height, data } = json as unknown as Captured;
      return { width, height, png: data };
    },
    stop: async (): Promise<StopAnswer> => {
      return { stopped: true, changed: await open.desktop.stop('the user ran deskproof stop') };
    },
    resume: async (): Promise<StopAnswer> => ({ stopped: false, changed: open.desktop.resume() }),
    /** Takes the findings from `ui_capabilities`, so that hidden apps are left out here too. */
    doctor: async (_, { signal, directory }): Promise<Finding[]> => {
      const call = { tool: 'ui_capabilities', args: {}, caller: HOST_CALLER, signal };
      const { json } = await perform(open.desktop, TOOLS, await callFrom(directory, call));
      const { name, policyUnconfirmed } = details();
      return [
        ...(json.findings as Finding[]),
        ...(open.seat ? [ownFilesFinding(open.seat.exposed)] : []),
        ...(policyUnconfirmed ? [unconfirmedFinding(name)] : []),
      ];
    },
    launch: async (params, { signal, directory }): Promise<LaunchAnswer> => {
      const { command, args, cwd, timeoutMs } = parseParams(LaunchParams, params);
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
      const surroundings = cwd === undefined ? {} : { cwd };
      const start = (authorized: ResolvedCommand | undefined) =>
        seat.launch(command, args, { ...surroundings, ...(authorized && { authorized }) });
      const deadline = Deadline.in(timeoutMs, signal);
      const started = await authorizeLaunch(
        view,
        { tool: uiLaunch, command, args, ...surroundings, caller: 'cli', deadline },
        start,
      );
      return waitForFirstWindow(started, before, windows, deadline, isDescendantProcess);
    },
    follow: async (params, { signal, directory, item }) => {
      const { args, caller: who, ready } = parseParams(FollowParams, params);
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
  // Part of a launch, which has its own record.
  const call = {
    tool: 'ui_list_windows',
    args: { hidden: true },
    caller: HOST_CALLER,
    signal,
    directory,
    unwritten: true,
  };
  return (await perform(desktop, TOOLS, call)).json.windows as WindowInfo[];
}

const isSnapshotOrCaptureId = (id: unknown): id is string => typeof id === 'string' && /^[sc]\d+$/.test(id);

/**
 * The sessions of the connected callers. The grants of a session end with it: when its connection closes, or when the
 * caller leaves. All commands on the command line share one session, which ends with the host.
 */
export class CallerSessions {
  private readonly active = new Set<string>();

  constructor(private readonly authorizer: Pick<Authorizer, 'ledger' | 'endSession'>) {}

  /** `atEnd` registers work for when the caller has disconnected. */
  async begin(caller: string, atEnd: (key: string, end: () => void) => void): Promise<void> {
    const session = sessionOf(caller);
    if (surfaceOf(caller) === 'cli') return;
    atEnd(session, () => void this.end(session));
    if (this.active.has(session)) return;
    this.active.add(session);
    await this.note('begin', session);
  }

  async end(session: string): Promise<void> {
    if (!this.active.delete(session)) return;
    this.authorizer.endSession(session);
    await this.note('end', session);
  }

  private async note(event: 'begin' | 'end', session: string): Promise<void> {
    const caller = { surface: surfaceOf(session), session };
    try {
      await this.authorizer.ledger.note({ kind: 'session', event, caller });
    } catch (error) {
      // A log that cannot be written refuses the calls themselves, with its own error. A closed log has already
      // recorded the end.
      debug('host', () => `session ${event}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
