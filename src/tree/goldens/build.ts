import type { Element, States } from '../element.js';
import type { Box } from '../geometry.js';
import type { Role } from '../roles/roles.js';
import type { Snapshot, WindowInfo } from '../snapshot.js';

type Given = Partial<Omit<Element, 'states' | 'role' | 'children'>> & { states?: Partial<States> };

/** A short way to write an element as a driver returns it. The name is optional. */
export function el(ref: string, role: Role, given: Given = {}, children: Element[] = []): Element {
  const { states, ...rest } = given;
  return {
    id: `id:${ref}`,
    ref,
    role,
    patterns: [],
    platformIds: {},
    ...rest,
    states: { enabled: true, visible: true, ...states },
    children,
  };
}

export function win(ref: string, title: string, app: string, given: Partial<WindowInfo> = {}): WindowInfo {
  const shown = { visible: true, minimised: false, maximised: false, active: true };
  return { id: `id:${ref}`, ref, title, app, role: 'window', ...shown, ...given };
}

export function box(x: number, y: number, width: number, height: number): { bounds: Box } {
  return { bounds: { x, y, width, height } };
}

function count(elements: readonly Element[]): number {
  return elements.reduce((sum, element) => sum + 1 + count(element.children), 0);
}

export function shot(id: string, windows: WindowInfo[], roots: Element[], given: Partial<Snapshot> = {}): Snapshot {
  return {
    schema: 1,
    untrusted: true,
    id,
    takenAt: '2025-11-03T14:03:10.000Z',
    scope: windows.length === 1 ? 'window' : 'desktop',
    driver: { kind: 'fake', name: 'fake', version: '1' },
    windows,
    roots,
    count: count(roots),
    ...given,
  };
}
