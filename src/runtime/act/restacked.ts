import type { WindowInfo } from '../../tree/index.js';

/**
 * Whether other windows are in front of it than before. Lists are front to back; what does not show in both of them
 * opened, closed or was put away, which is told by itself.
 */
export function restacked(before: readonly WindowInfo[], now: readonly WindowInfo[], ref: string): boolean {
  const [was, is] = [inFrontOf(ref, before, now), inFrontOf(ref, now, before)];
  return was.size !== is.size || [...was].some((one) => !is.has(one));
}

function inFrontOf(ref: string, windows: readonly WindowInfo[], others: readonly WindowInfo[]): Set<string> {
  const shown = new Set(others.filter(isShown).map((one) => one.ref));
  const there = windows.filter((one) => isShown(one) && shown.has(one.ref)).map((one) => one.ref);
  return new Set(there.slice(0, Math.max(0, there.indexOf(ref))));
}

const isShown = ({ visible, minimised }: WindowInfo): boolean => visible && !minimised;
