import { internNames } from '../x11/atoms.js';
import type { X11Client } from '../x11/client.js';
import { clientMessage, mapWindow, sendEvent, WINDOW_MANAGER_MASK } from '../x11/wire.js';

const ATOM_NAMES = [
  'WM_CHANGE_STATE',
  '_NET_ACTIVE_WINDOW',
  '_NET_CLOSE_WINDOW',
  '_NET_MOVERESIZE_WINDOW',
  '_NET_RESTACK_WINDOW',
  '_NET_WM_STATE',
  '_NET_WM_STATE_FULLSCREEN',
  '_NET_WM_STATE_MAXIMIZED_HORZ',
  '_NET_WM_STATE_MAXIMIZED_VERT',
] as const;

/** Source indication "pager": requested by the user, not by an app. */
const SOURCE_PAGER = 2;
const ICONIC = 3;
const GRAVITY_NORTH_WEST = 1;
const [ADD, REMOVE] = [1, 0];
const [ABOVE, BELOW] = [0, 1];

/** Requests to the window manager (EWMH). None of them has a reply; the window list shows their effect. */
export class EwmhRequests {
  private constructor(
    private readonly client: X11Client,
    private readonly atoms: Record<(typeof ATOM_NAMES)[number], number>,
  ) {}

  static async create(client: X11Client): Promise<EwmhRequests> {
    return new EwmhRequests(client, await internNames(client, ATOM_NAMES));
  }

  activate(window: number, instead: number): void {
    this.send(window, '_NET_ACTIVE_WINDOW', [SOURCE_PAGER, 0, instead]);
  }

  raise(window: number): void {
    this.send(window, '_NET_RESTACK_WINDOW', [SOURCE_PAGER, 0, ABOVE]);
  }

  lower(window: number): void {
    this.send(window, '_NET_RESTACK_WINDOW', [SOURCE_PAGER, 0, BELOW]);
  }

  minimise(window: number): void {
    this.send(window, 'WM_CHANGE_STATE', [ICONIC]);
  }

  /** As ICCCM defines it, mapping a minimised window restores it. */
  show(window: number): void {
    this.client.sendRaw(mapWindow(window));
  }

  maximise(window: number, on: boolean): void {
    const { _NET_WM_STATE_MAXIMIZED_HORZ: across, _NET_WM_STATE_MAXIMIZED_VERT: down } = this.atoms;
    this.send(window, '_NET_WM_STATE', [on ? ADD : REMOVE, across, down, SOURCE_PAGER]);
  }

  leaveFullScreen(window: number): void {
    this.send(window, '_NET_WM_STATE', [REMOVE, this.atoms._NET_WM_STATE_FULLSCREEN, 0, SOURCE_PAGER]);
  }

  close(window: number): void {
    this.send(window, '_NET_CLOSE_WINDOW', [0, SOURCE_PAGER]);
  }

  /** The outer corner of the frame. */
  move(window: number, x: number, y: number): void {
    this.send(window, '_NET_MOVERESIZE_WINDOW', [
      GRAVITY_NORTH_WEST | (0b0011 << 8) | (SOURCE_PAGER << 12),
      x,
      y,
      0,
      0,
    ]);
  }

  /** The size of the app's own window, without the frame. */
  resize(window: number, width: number, height: number): void {
    this.send(window, '_NET_MOVERESIZE_WINDOW', [
      GRAVITY_NORTH_WEST | (0b1100 << 8) | (SOURCE_PAGER << 12),
      0,
      0,
      width,
      height,
    ]);
  }

  private send(window: number, name: (typeof ATOM_NAMES)[number], data: readonly number[]): void {
    const message = clientMessage(window, this.atoms[name], data);
    this.client.sendRaw(sendEvent(this.client.root, WINDOW_MANAGER_MASK, message));
  }
}
