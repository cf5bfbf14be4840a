import type { DesktopError } from '../../shared/index.js';
import type { CapabilityState, Capability } from '../contract/index.js';
import type { Apps } from './atspi/apps.js';
import type { IdGeneration } from './events/reconnect.js';
import type { Environment } from './session-bus.js';
import type { XDisplay } from './x11/display.js';

/** The parts of the driver. Display and apps may be missing, with the reason. */
export interface DriverParts {
  env: Environment;
  display?: XDisplay;
  noDisplay?: DesktopError;
  apps?: Apps;
  noApps?: DesktopError;
  /** Address of the accessibility bus, for the separate connection of events. */
  busAddress?: string;
  /** Marks ids with the bus connection that they came from. */
  idGeneration: IdGeneration;
}

/** A driver without an X display exists only on Wayland. */
const WAYLAND: CapabilityState = {
  can: 'partly',
  reason: 'On Wayland windows are known only from their apps, and their position on the screen is unknown.',
  fix: 'Use a private desktop, which has no such limit: deskproof desktop start',
};

/** On Wayland the X server does not have the pixels of the screen. */
export const NO_SCREENSHOT = {
  can: 'no',
  reason: 'On Wayland a screenshot needs the consent of the compositor.',
  fix: 'Use a private desktop, which needs no consent: deskproof desktop start',
} as const satisfies CapabilityState;

const X_ONLY = {
  can: 'partly',
  reason: 'On Wayland only programs that use XWayland can be reached.',
  fix: 'Use a private desktop, which has no such limit: deskproof desktop start',
} as const satisfies CapabilityState;

/** The parts of the desktop that are missing, with the reason. */
interface MissingParts {
  noDisplay: DesktopError | undefined;
  noApps: DesktopError | undefined;
  /** The accessibility bus was connected and is gone. */
  lost: DesktopError | undefined;
  wayland: boolean;
}

export function capabilitiesOf({
  noDisplay,
  noApps,
  lost,
  wayland,
}: MissingParts): Record<Capability, CapabilityState> {
  const tree = lost ? partly(lost) : capabilityState(noApps);
  const screen = capabilityState(noDisplay);
  const known = noDisplay ? WAYLAND : screen;
  // On Wayland a program reaches only programs that use XWayland.
  const ofX = screen.can === 'yes' && wayland ? X_ONLY : screen;
  return {
    windows: known,
    read: tree,
    events: tree,
    atPoint: tree.can === 'yes' ? screen : tree,
    focused: tree.can === 'yes' ? known : tree,
    text: tree,
    range: tree,
    screenshot: wayland ? NO_SCREENSHOT : screen,
    act: tree,
    input: ofX,
    changeWindow: ofX,
    clipboard: ofX,
    userInput: ofX,
    caret: tree,
    pages: tree,
    keyBindings: tree,
    waitForTreeSync: tree,
    releaseScreenshot: wayland ? NO_SCREENSHOT : screen,
    lost: screen,
    resume: { can: 'yes' },
  };
}

function partly({ message, hint }: DesktopError): CapabilityState {
  return { can: 'partly', reason: message, ...(hint && { fix: hint }) };
}

function capabilityState(missing: DesktopError | undefined): CapabilityState {
  if (!missing) return { can: 'yes' };
  return { can: 'no', reason: missing.message, ...(missing.hint && { fix: missing.hint }) };
}
