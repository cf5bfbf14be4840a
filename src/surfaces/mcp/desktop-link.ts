import {
  chooseDesktop,
  hasDisplay,
  checkProject,
  toolsPermittedByFiles,
  type Desktops,
  type HostClient,
} from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOL_MANIFEST } from './tool-manifest.js';

type Env = Readonly<Record<string, string | undefined>>;

interface LinkOptions {
  desktops: Desktops;
  /** `user`, `virtual` or a name. The default depends on the environment. */
  desktop?: string;
  env: Env;
  /** Writes one line for the user. */
  printLine: (line: string) => void;
}

const SURFACE = 'mcp';

/** The connection of one server to its desktop. It opens on first use, and again after the desktop ended. */
export class DesktopLink {
  private opening: Promise<HostClient> | undefined;
  /** The open connection, once `opening` has resolved. */
  private opened: HostClient | undefined;
  /** The private desktop was started for this server; if it ends, everything in it is lost. */
  private isOwnDesktop = false;
  private offered: readonly string[] | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: LinkOptions) {}

  /** Concurrent callers share one promise: two calls at the same time must not open two desktops. */
  async host(): Promise<HostClient> {
    if (this.opened?.isGone) {
      if (this.opened.vanished && this.isOwnDesktop) throw desktopKilledError();
      this.reset();
    }
    this.opening ??= this.openAndFollow();
    return this.opening;
  }

  /** Tools that the policy does not always deny; undefined if unknown. Does not wait for a desktop. */
  offeredTools(): readonly string[] | undefined {
    return this.offered;
  }

  async loadOfferedTools(): Promise<void> {
    const read = this.offered ?? (await toolsPermittedByFiles(TOOL_MANIFEST, this.kind, process.cwd(), SURFACE));
    // A desktop may have reported its tools in the meantime; that is more accurate than the files.
    this.offered ??= read;
  }

  /** Calls the listener when the offered tools change. Call the result to unsubscribe. */
  onOfferedToolsChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private get kind(): 'seat' | 'virtual' {
    const { desktop, env } = this.options;
    const named = desktop ?? (env.DESKPROOF_DESKTOP || undefined);
    return named === 'user' || (named === undefined && hasDisplay(env)) ? 'seat' : 'virtual';
  }

  private followTools(host: HostClient): void {
    const onItem = (item: unknown): void => {
      this.offered = (item as { tools: string[] }).tools;
      for (const listener of this.listeners) listener();
    };
    // The subscription ends with the host. The last list stays valid until the next host reports one.
    host.request('tools', { caller: SURFACE }, { onItem }).catch(() => undefined);
  }

  /** Ends a caller's session. Without a desktop there is nothing to do. */
  async endSession(caller: string): Promise<void> {
    const host = await this.opening?.catch(() => undefined);
    // A host that has ended has ended its sessions too.
    await host?.request('leave', { caller }).catch(() => undefined);
  }

  async close(): Promise<void> {
    const host = await this.opening?.catch(() => undefined);
    host?.close();
  }

  private async openAndFollow(): Promise<HostClient> {
    try {
      this.opened = await this.open();
      this.followTools(this.opened);
      return this.opened;
    } catch (error) {
      // The next caller tries again.
      this.reset();
      throw error;
    }
  }

  private reset(): void {
    [this.opening, this.opened] = [undefined, undefined];
  }

  private async open(): Promise<HostClient> {
    const { desktops, env, printLine } = this.options;
    const desktop = this.options.desktop ?? (env.DESKPROOF_DESKTOP || undefined);
    if (desktop === 'virtual') return this.startPrivate();
    try {
      const choice = await chooseDesktop(desktop, env, () => desktops.running());
      const host = await desktops.connect(choice);
      await checkProject(host);
      return host;
    } catch (error) {
      // No desktop was named and none exists: start an empty one, because a model cannot fix this error.
      const none = error instanceof DesktopError && error.code === 'driver_unavailable' && desktop === undefined;
      if (!none) throw error;
      printLine('no display found; starting a private desktop');
      return this.startPrivate();
    }
  }

  private async startPrivate(): Promise<HostClient> {
    const { name, host } = await this.options.desktops.startPrivate({ prefix: 'mcp', leash: true });
    this.isOwnDesktop = true;
    this.options.printLine(`private desktop "${name}"; to watch it: deskproof desktop view ${name}`);
    return host;
  }
}

/** An emergency stop kills a host that does not answer. Starting another desktop would let the agent continue. */
function desktopKilledError(): DesktopError {
  return new DesktopError('driver_unavailable', 'The private desktop of this server was killed or has crashed.', {
    retry: 'no',
    hint: 'Stop here and tell the user. A new desktop starts when the user restarts this server.',
  });
}
