import type { ResolvedCommand } from '../../src/drivers/contract/index.js';
import type { ActionPlan } from '../../src/runtime/act/action.js';
import type { Target } from '../../src/runtime/locate/target.js';
import type { Element, States, WindowInfo } from '../../src/tree/index.js';

// Targets made by hand, for code that evaluates them without a desktop.

export const windowInfo = (other: Partial<WindowInfo> = {}): WindowInfo => ({
  ...{ ref: 'w1', id: 'win-1', role: 'window', title: 'Accounts', app: 'crm', program: '/usr/bin/crm' },
  ...{ pid: 71, started: 500, bounds: { x: 10, y: 20, width: 400, height: 300 } },
  ...{ visible: true, minimised: false, maximised: false, active: false },
  ...other,
});

/** What starting it would be. */
export const startOf = (program: string, other: Partial<ResolvedCommand> = {}): ResolvedCommand => ({
  ...{ program, path: program, runs: [], installed: true },
  ...other,
});

type Words = Partial<Omit<Element, 'states'>> & { states?: Partial<States> };

export const elementOf = ({ states, ...other }: Words = {}): Element => ({
  ...{ ref: 'e7', id: 'el-7', role: 'button', name: 'Delete', bounds: { x: 30, y: 50, width: 80, height: 20 } },
  ...{ patterns: [], platformIds: {}, children: [] },
  states: { enabled: true, visible: true, ...states },
  ...other,
});

export const targetOf = (element: Words = {}, other: Partial<Target> = {}): Target => ({
  window: windowInfo(),
  element: elementOf(element),
  path: [elementOf({ role: 'window', name: 'Accounts' }), elementOf({ role: 'group', name: undefined })],
  ...other,
});

export const aimAt = (element: Words = {}, other: Partial<ActionPlan> = {}): ActionPlan => {
  const target = targetOf(element);
  return { verb: 'click', needs: {}, target, window: target.window, ...other };
};
