import {
  chooseDesktop,
  hasDisplay,
  checkProject,
  toolsByFiles,
  type Desktops,
  type HostClient,
} from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';
import { TOOL_FACES } from './tool-manifest.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface LinkOptions {
  desktops: Desktops;
  /** `user`, `virtual` or a name; what is usual here when absent. */
  desktop?: string;
  env: Env;
  /** Where people may read what was done for them. */
  say: (line: string) => void;
}

const SURFACE = 'mcp';

/** The connection of one server to its desktop: made when it is first needed, and again after the desktop ended. */
export class DesktopLink {
  private opening: Promise<HostClient> | undefined;
  /** What it has become. */
  private opened: HostClient | undefined;
  /** It was made for this server, and has gone with all that was in it. */
  private isOwn = false;
  private offered: readonly string[] | undefined;
  private readonly listeners = new Set<() => void>();

  constructor(private readonly options: LinkOptions) {}

  /** Whoever asks while it is being made waits for the same one: two calls at once must not get a desktop each. */
  async host(): Promise<HostClient> {
    if (this.opened?.isGone) {
      if (this.opened.vanished && this.isOwn) throw wasKilled();
      this.forget();
    }
    this.opening ??= this.make();
    return this.opening;
  }

  /** What the policy does not refuse in any case; undefined where nobody knows. Waits for no desktop. */
  offers(): readonly string[] | undefined {
    return this.offered;
  }

  async learnOffers(): Promise<void> {
    const read = this.offered ?? (await toolsByFiles(TOOL_FACES, this.kind, process.cwd(), SURFACE));
    // A desktop may have said it meanwhile, and knows better.
    this.offered ??= read;
  }

  /** Told when other tools are offered than before; the answer ends it. */
  onOffers(listener: () => void): () => void {
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
    // It ends with the host; until the next one comes, the last list holds.
    host.request('tools', { caller: SURFACE }, { onItem }).catch(() => undefined);
  }

  /** A caller that comes no more; where no desktop was ever needed there is nobody to tell. */
  async leave(caller: string): Promise<void> {
    const host = await this.opening?.catch(() => undefined);
    // A host that has ended has ended its sessions.
    await host?.request('leave', { caller }).catch(() => undefined);
  }

  async close(): Promise<void> {
    const host = await this.opening?.catch(() => undefined);
    host?.close();
  }

  private async make(): Promise<HostClient> {
    try {
      this.opened = await this.open();
      this.followTools(this.opened);
      return this.opened;
    } catch (error) {
      // Whoever asks next tries again.
      this.forget();
      throw error;
    }
  }

  private forget(): void {
    [this.opening, this.opened] = [undefined, undefined];
  }

  private async open(): Promise<HostClient> {
    const { desktops, env, say } = this.options;
    const desktop = this.options.desktop ?? (env.DESKPROOF_DESKTOP || undefined);
    if (desktop === 'virtual') return this.startPrivate();
    try {
      const choice = await chooseDesktop(desktop, env, () => desktops.running());
      const host = await desktops.connect(choice);
      await checkProject(host);
      return host;
    } catch (error) {
      // Named by nobody, and none there: an empty one is better than an error that no model can mend.
      const none = error instanceof DesktopError && error.code === 'driver_unavailable' && desktop === undefined;
      if (!none) throw error;
      say('there is no display here: a private desktop is started');
      return this.startPrivate();
    }
  }

  private async startPrivate(): Promise<HostClient> {
    const { name, host } = await this.options.desktops.startPrivate({ prefix: 'mcp', leash: true });
    this.isOwn = true;
    this.options.say(`private desktop "${name}"; to watch it: deskproof desktop view ${name}`);
    return host;
  }
}

/** A stop kills a host that does not answer: another desktop in its place would let an agent go on. */
function wasKilled(): DesktopError {
  return new DesktopError('driver_unavailable', 'The private desktop of this server was killed, or has failed.', {
    retry: 'no',
    hint: 'stop here and tell the person. A new one comes when they start this server again.',
  });
}
