import { type Deadline, DesktopError } from '../../../shared/index.js';
import type { Box } from '../../../tree/index.js';
import type { Screenshot } from '../../contract/index.js';
import { captureScreen } from '../capture/pixels.js';
import { SharedImage } from '../capture/shared-image.js';
import { withProcesses } from '../processes.js';
import { type Atoms, internAtoms } from './atoms.js';
import { readAuthFile } from './authority.js';
import { X11Client } from './client.js';
import { noDisplayError } from './display-errors.js';
import { type Monitor, findMonitorSource, type MonitorSource, readMonitors } from './monitors.js';
import { listWindows } from './windows/list.js';
import {
  type WatchListener,
  type WatchOptions,
  watchWindows,
  type WindowEvents,
  WindowWatch,
} from './windows/watch.js';
import type { XWindow } from './windows/window.js';

export type Environment = Record<string, string | undefined>;

/** An open X display. All requests go to the server and never to an app, so a hung app cannot block them. */
export class XDisplay {
  private sharedImage?: SharedImage;

  private constructor(
    readonly client: X11Client,
    private readonly env: Environment,
    private readonly atoms: Atoms,
    private readonly source: MonitorSource,
  ) {}

  static async open(env: Environment, deadline: Deadline): Promise<XDisplay> {
    if (!env.DISPLAY) throw noDisplayError(Boolean(env.WAYLAND_DISPLAY));
    const name = parseDisplayName(env.DISPLAY);
    const client = await X11Client.connect(name, await readAuthFile(env), deadline);
    try {
      const setup = Promise.all([internAtoms(client), findMonitorSource(client), client.extension('res')]);
      const [atoms, source] = await deadline.race(setup, `The X server at ${name.text}`);
      return new XDisplay(client, env, atoms, source);
    } catch (error) {
      client.close();
      throw error;
    }
  }

  /** The name as in DISPLAY, such as `:0`. */
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

  /** The pixels of the whole desktop, or of `area`. */
  screenshot(area: Box | undefined, deadline: Deadline): Promise<Screenshot> {
    return deadline.race(captureScreen(this.client, this.shared, area), 'Taking the screenshot');
  }

  /** The memory that the server writes pixels to. */
  get shared(): SharedImage {
    return (this.sharedImage ??= new SharedImage(this.client));
  }

  /**
   * Window and pixel events, until `signal` aborts. They use a separate connection, so closing it ends all its
   * subscriptions.
   */
  events(signal: AbortSignal, options: { damage?: boolean } = {}): WindowEvents {
    return watchWindows((deadline) => XDisplay.open(this.env, deadline), signal, options);
  }

  /**
   * The same events as callbacks instead of a stream; `lost` is called when the server goes away. The caller must stop
   * the watch.
   */
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

  /** The parts that `WindowWatch` needs to listen and list. */
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

export interface DisplayName {
  /** As written: `:0`, `localhost:10.0`. */
  text: string;
  /** Empty for a local display. */
  host: string;
  number: number;
  screen: number;
  /** The socket of a local display. */
  socket?: string;
}

const DISPLAY_NAME =
  /^(?:(unix|local|tcp|inet|inet6)\/)?([A-Za-z0-9._-]*|\[[0-9A-Fa-f:.]+\]):(\d{1,5})(?:\.(\d{1,3}))?$/;

export function parseDisplayName(text: string): DisplayName {
  const match = DISPLAY_NAME.exec(text);
  if (!match) {
    throw new DesktopError('driver_unavailable', `DISPLAY is ${JSON.stringify(text)}, which is not a display name.`, {
      hint: 'Set it to a name such as :0 (export DISPLAY=:0), or start a private desktop: deskproof desktop start',
      retry: 'no',
    });
  }
  const [, protocol = '', rawHost = '', number = '0', screen = '0'] = match;
  const local = protocol === 'unix' || protocol === 'local' || rawHost === '' || rawHost === 'unix';
  const name = { text, host: local ? '' : rawHost.replace(/^\[|\]$/g, ''), number: +number, screen: +screen };
  return local ? { ...name, socket: `/tmp/.X11-unix/X${number}` } : name;
}
