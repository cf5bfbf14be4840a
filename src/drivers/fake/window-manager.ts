import type { Box } from '../../tree/index.js';
import type { WindowChange } from '../contract/index.js';
import type { Controls } from './controls.js';
import type { FakeWindow, World } from './world.js';

/** Windows do not become smaller than this. As on a real desktop, the actual size is reported. */
const MIN_SIZE = { width: 120, height: 60 };

/** The window manager of a fake desktop. */
export class FakeWindowManager {
  private readonly boundsBefore = new WeakMap<FakeWindow, Box>();

  constructor(
    private readonly world: World,
    private readonly controls: Controls,
  ) {}

  change(window: FakeWindow, change: WindowChange): void {
    const { id, spec } = window;
    switch (change.action) {
      case 'focus':
        return this.controls.activate(id);
      case 'front':
      case 'back':
        return this.restack(window, change.action);
      case 'minimize':
        return this.controls.minimise(id);
      case 'maximize':
        spec.minimised = false;
        if (spec.maximised) return;
        this.boundsBefore.set(window, window.bounds);
        spec.maximised = true;
        return this.controls.moveWindow(id, this.world.screen);
      case 'restore':
        if (spec.minimised) return this.controls.activate(id);
        return this.unmaximise(window);
      case 'close':
        return this.controls.closeWindow(id);
      case 'move':
        this.unmaximise(window);
        return this.controls.moveWindow(id, { x: change.x, y: change.y });
      case 'resize': {
        this.unmaximise(window);
        const { width, height } = change;
        const size = { width: Math.max(MIN_SIZE.width, width), height: Math.max(MIN_SIZE.height, height) };
        return this.controls.moveWindow(id, size);
      }
    }
  }

  private restack(window: FakeWindow, action: 'front' | 'back'): void {
    window.spec.minimised = false;
    const family = this.world.windows.filter((one) => one === window || one.of === window.id);
    const others = this.world.windows.filter((one) => !family.includes(one));
    this.world.windows = action === 'front' ? [...family, ...others] : [...others, ...family];
  }

  /** A window that is moved or resized is first restored. */
  private unmaximise(window: FakeWindow): void {
    window.spec.minimised = false;
    if (!window.spec.maximised) return;
    window.spec.maximised = false;
    this.controls.moveWindow(window.id, this.boundsBefore.get(window) ?? window.bounds);
  }
}
