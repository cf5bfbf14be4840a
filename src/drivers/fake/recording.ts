import { Deadline, DesktopError } from '../../shared/index.js';
import type { Node, WindowNode } from '../../tree/index.js';
import type { TreeDriver } from '../contract/index.js';
import type { DesktopSpec, WidgetSpec, WindowSpec } from './spec.js';

/** A desktop as it was at one moment: its windows and, where they could be read, their trees. */
interface Recording {
  version: 1;
  windows: WindowNode[];
  /** By window id. */
  trees: Record<string, Node>;
}

/** Records what a driver reports now. A window that cannot be read is kept without its tree. @internal */
export async function record(driver: TreeDriver, timeoutMs = 30_000): Promise<Recording> {
  const deadline = Deadline.in(timeoutMs);
  const { windows } = await driver.windows({ deadline });
  const trees: Recording['trees'] = {};
  for (const window of windows) {
    try {
      trees[window.id] = (await driver.read({ window: window.id }, { deadline, full: true, detail: true })).root;
    } catch (error) {
      const isGone =
        error instanceof DesktopError && ['app_hung', 'process_gone', 'element_not_found'].includes(error.code);
      if (!isGone) throw error;
    }
  }
  return { version: 1, windows, trees };
}

export function parseRecording(json: string): Recording {
  let value: Partial<Recording> | null;
  try {
    value = JSON.parse(json) as Partial<Recording> | null;
  } catch (cause) {
    throw new DesktopError('bad_arguments', 'That recording is not JSON.', { cause });
  }
  if (value?.version !== 1 || !Array.isArray(value.windows) || typeof value.trees !== 'object') {
    throw new DesktopError('bad_arguments', 'That is not a recorded desktop of version 1.', {
      hint: 'A recording has version, windows and trees.',
    });
  }
  return value as Recording;
}

/** Turns a recording into a fake desktop that can be read, changed, hung and killed. */
export function specOf(recording: Recording): DesktopSpec {
  return { windows: recording.windows.map((window) => windowSpec(window, recording.trees[window.id])) };
}

function windowSpec(window: WindowNode, tree: Node | undefined): WindowSpec {
  const { id, title, app, pid, program, role, bounds, minimised, maximised, modal, of } = window;
  const origin = tree?.bounds ?? bounds ?? { x: 0, y: 0 };
  return {
    key: id,
    title,
    app,
    role,
    minimised,
    maximised,
    hidden: !window.visible && !minimised,
    hasTree: tree !== undefined,
    children: tree?.children.map((child) => widgetSpec(child, origin)) ?? [],
    ...(pid !== undefined && { pid }),
    ...(program !== undefined && { program }),
    ...(bounds && { bounds }),
    ...(modal && { modal }),
    ...(of !== undefined && { of }),
  };
}

function widgetSpec(node: Node, origin: { x: number; y: number }): WidgetSpec {
  const { id, role, name, value, description, bounds, states, actions, platformIds, range, level, error } = node;
  const { visible: _visible, offscreen: _offscreen, ...otherStates } = states;
  const box = bounds && { ...bounds, x: bounds.x - origin.x, y: bounds.y - origin.y };
  return {
    key: id,
    role,
    states: otherStates,
    platformIds,
    hidden: !states.visible,
    // An element without a position was not on the screen and stays off it.
    box: box ?? { x: 0, y: 0, width: 0, height: 0 },
    children: node.children.map((child) => widgetSpec(child, bounds ?? origin)),
    ...(name !== undefined && { name }),
    ...(value !== undefined && { value }),
    ...(description !== undefined && { description }),
    ...(actions && { actions }),
    ...(range && { range }),
    ...(level !== undefined && { level }),
    ...(error !== undefined && { error }),
    ...(reportedFacts(node) && { facts: reportedFacts(node) }),
  };
}

function reportedFacts({ table, items, cell }: Node): WidgetSpec['facts'] | undefined {
  if (!table && !items && !cell) return undefined;
  return { ...(table && { table }), ...(items && { items }), ...(cell && { cell }) };
}
