import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Desktops, type CallAnswer, type HostClient, type LaunchAnswer } from '../../../src/host/index.js';
import { DesktopError } from '../../../src/shared/index.js';
import { failureText } from '../../../src/tools/index.js';
import type { Snapshot, WindowInfo } from '../../../src/tree/index.js';
import { CliRoom } from '../cli-room.js';
import { until } from './seat-room.js';

/** What one call gave: the text for models and the JSON for programs, or a failure in both forms. */
export interface Said {
  text: string;
  json: unknown;
  failed?: DesktopError;
}

/** A private desktop with its host process, as the command line starts it, and a connection to that host. */
export class HostRoom extends CliRoom {
  private client!: HostClient;
  seatEnv!: Readonly<Record<string, string>>;

  private constructor() {
    super();
  }

  /** `policy`: the user's own, in YAML. */
  static async open(env: Record<string, string> = {}, size = '1280x900', policy?: string): Promise<HostRoom> {
    const room = new HostRoom();
    Object.assign(room.env, env);
    if (policy !== undefined) {
      const folder = join(room.base, '.config/deskproof');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, 'policy.yaml'), policy, { mode: 0o600 });
    }
    await room.ok('desktop', 'start', '--name', 'room', '--size', size);
    room.client = await new Desktops('test', room.env).connect({ kind: 'private', name: 'room' });
    const details = await room.client.request<{ env: Record<string, string> }>('info');
    room.seatEnv = details.env;
    return room;
  }

  get hostPid(): number {
    return this.client.hello.pid;
  }

  /** Starts an app and waits for its window. */
  launch(command: string, ...args: string[]): Promise<LaunchAnswer> {
    return this.client.request<LaunchAnswer>('launch', { command, args, timeoutMs: 60_000 });
  }

  /** A tool call as the surfaces make it, without the second that a process of its own would take. */
  async call(tool: string, args: Record<string, unknown> = {}, timeoutMs?: number): Promise<Said> {
    try {
      const request = { tool, args, want: 'both', caller: 'room', ...(timeoutMs && { timeoutMs }) };
      const { text = '', json } = await this.client.request<CallAnswer>('call', request);
      return { text, json };
    } catch (error) {
      if (!(error instanceof DesktopError)) throw error;
      return { text: failureText(error), json: error.toJSON(), failed: error };
    }
  }

  async snapshot(args: Record<string, unknown> = {}): Promise<Snapshot> {
    const { json, failed } = await this.call('ui_snapshot', args);
    if (failed) throw failed;
    return json as Snapshot;
  }

  async windows(): Promise<WindowInfo[]> {
    return ((await this.call('ui_list_windows')).json as { windows: WindowInfo[] }).windows;
  }

  /** A snapshot that fits, as soon as there is one. */
  snapshotUntil(
    what: string,
    fits: (snapshot: Snapshot) => unknown,
    args: Record<string, unknown> = {},
  ): Promise<Snapshot> {
    return until(what, async () => {
      const { json, failed } = await this.call('ui_snapshot', args);
      if (!failed) return fits(json as Snapshot) ? (json as Snapshot) : undefined;
      // No such window yet, or busy with its start: both pass.
      if (['element_not_found', 'app_hung'].includes(failed.code)) return undefined;
      throw failed;
    });
  }

  /** Everything that Deskproof wrote to files, apart from what apps keep in their home. */
  written(directory = join(this.base, 'run')): string {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.name !== 'home')
      .map((entry) => {
        const path = join(entry.parentPath, entry.name);
        if (entry.isDirectory()) return this.written(path);
        return entry.isFile() ? `${path}\n${readFileSync(path, 'latin1')}` : path;
      })
      .join('\n');
  }

  override async close(): Promise<void> {
    this.client?.close();
    await super.close();
  }
}
