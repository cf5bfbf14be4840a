import type { DesktopError } from '../../shared/index.js';
import type { CapabilityState, Capability } from '../contract/index.js';

/** Without an X display there is a driver at all only on Wayland. */
const WAYLAND: CapabilityState = {
  can: 'partly',
  reason: 'On Wayland apps tell their windows themselves; where they are on the screen is not known.',
  fix: 'a private desktop knows all: deskproof desktop start',
};

/** What X programs draw there is not what is on the screen. */
export const NO_PICTURE = {
  can: 'no',
  reason: "On Wayland a picture needs the compositor's consent.",
  fix: 'a private desktop needs none: deskproof desktop start',
} as const satisfies CapabilityState;

const X_ONLY = {
  can: 'partly',
  reason: 'On Wayland only what runs through its X server is reached.',
  fix: 'a private desktop has no such limit: deskproof desktop start',
} as const satisfies CapabilityState;

/** What is missing, if something is. */
export interface Missing {
  noDisplay: DesktopError | undefined;
  noApps: DesktopError | undefined;
  /** The accessibility bus was there and is not any more. */
  lost: DesktopError | undefined;
  wayland: boolean;
}

export function abilitiesOf({ noDisplay, noApps, lost, wayland }: Missing): Record<Capability, CapabilityState> {
  const tree = lost ? partly(lost) : ability(noApps);
  const screen = ability(noDisplay);
  const known = noDisplay ? WAYLAND : screen;
  // On Wayland a program reaches only those that came through its X server.
  const ofX = screen.can === 'yes' && wayland ? X_ONLY : screen;
  return {
    windows: known,
    read: tree,
    events: tree,
    atPoint: tree.can === 'yes' ? screen : tree,
    focused: tree.can === 'yes' ? known : tree,
    text: tree,
    range: tree,
    picture: wayland ? NO_PICTURE : screen,
    act: tree,
    hands: ofX,
    changeWindow: ofX,
    clipboard: ofX,
    humans: ofX,
  };
}

function partly({ message, hint }: DesktopError): CapabilityState {
  return { can: 'partly', reason: message, ...(hint && { fix: hint }) };
}

function ability(missing: DesktopError | undefined): CapabilityState {
  if (!missing) return { can: 'yes' };
  return { can: 'no', reason: missing.message, ...(missing.hint && { fix: missing.hint }) };
}
