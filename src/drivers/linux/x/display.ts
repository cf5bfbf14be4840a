import type { Deadline } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { Picture } from '../../contract/index.js';
import { takePicture } from '../capture/picture.js';
import { SharedPicture } from '../capture/shared-picture.js';
import { internAtoms, type Atoms } from './atoms.js';
import { noDisplay } from './display-errors.js';
import { parseDisplayName } from './display-name.js';
import { monitorSource, readMonitors, type Monitor, type MonitorSource } from './monitors.js';
import { withProcesses } from './process-facts.js';
import { watchWindows, type WindowEvents } from './watch-windows.js';
import { WindowWatch, type WatchListener, type WatchOptions } from './window-watch.js';
import { listWindows } from './windows.js';
import { X11Client } from './x11-client.js';
import { readAuthFile } from './xauthority.js';
import type { XWindow } from './x-window.js';

export type Environment = Record<string, string | undefined>;

/** An open X display. All of it asks the server only; apps are never asked, so none of them can hold it up. */
export class XDisplay {
  private sharing?: SharedPicture;

  private constructor(
    readonly client: X11Client,
    private readonly env: Environment,
    private readonly atoms: Atoms,
    private readonly source: MonitorSource,
  ) {}

  static async open(env: Environment, deadline: Deadline): Promise<XDisplay> {
    if (!env.DISPLAY) throw noDisplay(Boolean(env.WAYLAND_DISPLAY));
    const name = parseDisplayName(env.DISPLAY);
    const client = await X11Client.connect(name, await readAuthFile(env), deadline);
    try {
      const setup = Promise.all([internAtoms(client), monitorSource(client), client.extension('res')]);
      const [atoms, source] = await deadline.race(setup, `The X server at ${name.text}`);
      return new XDisplay(client, env, atoms, source);
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** `:0`, as DISPLAY names it. */
  get name(): string {
    return this.client.name.text;
  }

  /** Front to back. */
  async windows(deadline: Deadline): Promise<XWindow[]> {
    return withProcesses((await deadline.race(listWindows(this.parts), 'Listing the windows')).windows);
  }

  monitors(deadline: Deadline): Promise<Monitor[]> {
    return deadline.race(readMonitors(this.client, this.source), 'Listing the monitors');
  }

  /** Pixels of the whole desktop, or of the part of it in `area`. */
  picture(area: Box | undefined, deadline: Deadline): Promise<Picture> {
    return deadline.race(takePicture(this.client, this.shared, area), 'Taking the picture');
  }

  /** Memory that the server writes pixels into. */
  get shared(): SharedPicture {
    return (this.sharing ??= new SharedPicture(this.client));
  }

  /**
   * What happens to windows and pixels, until `signal` aborts. On a connection of its own: everything that was asked of
   * the server ends with it.
   */
  events(signal: AbortSignal, options: { damage?: boolean } = {}): WindowEvents {
    return watchWindows((deadline) => XDisplay.open(this.env, deadline), signal, options);
  }

  /** The same, told as it happens and not as a stream; `lost` when the server goes. Whoever asked stops it. */
  async watch(
    listener: WatchListener & { lost(error: Error): void },
    options: WatchOptions,
    deadline: Deadline,
  ): Promise<WindowWatch> {
    const display = await XDisplay.open(this.env, deadline);
    const watch = new WindowWatch(display, listener, options);
    display.onLost((error) => listener.lost(error));
    try {
      await deadline.race(watch.begin(), 'Watching the windows');
      return watch;
    } catch (error) {
      watch.stop();
      throw error;
    }
  }

  /** For the watcher: the parts that it listens and lists with. */
  get parts(): { client: X11Client; atoms: Atoms; monitors: MonitorSource } {
    return { client: this.client, atoms: this.atoms, monitors: this.source };
  }

  onLost(listener: (error: Error) => void): void {
    this.client.onLost(listener);
  }

  close(): void {
    this.client.close();
  }
}

/** Opens the display that `env` names (DISPLAY, XAUTHORITY, HOME). */
export function openDisplay(env: Environment, deadline: Deadline): Promise<XDisplay> {
  return XDisplay.open(env, deadline);
}
