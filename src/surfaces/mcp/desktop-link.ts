import { chooseDesktop, type Desktops, type HostClient } from '../../host/index.js';
import { DesktopError } from '../../shared/index.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface LinkOptions {
  desktops: Desktops;
  /** `user`, `virtual` or a name; what is usual here when absent. */
  desktop?: string;
  env: Env;
  /** Where people may read what was done for them. */
  say: (line: string) => void;
}

/** The connection of one server to its desktop: made when it is first needed, and again after the desktop ended. */
export class DesktopLink {
  private opening: Promise<HostClient> | undefined;

  constructor(private readonly options: LinkOptions) {}

  async host(): Promise<HostClient> {
    const host = await this.opening;
    if (host && !host.isGone) return host;
    this.opening = this.open();
    // Whoever asks next tries again.
    this.opening.catch(() => (this.opening = undefined));
    return this.opening;
  }

  async close(): Promise<void> {
    const host = await this.opening?.catch(() => undefined);
    host?.close();
  }

  private async open(): Promise<HostClient> {
    const { desktops, env, say } = this.options;
    const desktop = this.options.desktop ?? (env.DESKWRIGHT_DESKTOP || undefined);
    if (desktop === 'virtual') return this.startPrivate();
    try {
      const choice = await chooseDesktop(desktop, env, () => desktops.running());
      return await desktops.connect(choice);
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
    this.options.say(`private desktop "${name}"; to watch it: deskwright desktop view ${name}`);
    return host;
  }
}
