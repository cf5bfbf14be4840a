import { cleanName } from '../../../tree/index.js';
import { extentsOf, frameBox } from './frame.js';
import type { Atoms } from './atoms.js';
import { monitorOf, type Monitor } from './monitors.js';
import type { ListedWindow } from './process-facts.js';
import { classOf, numbersOf } from './property.js';
import type { TopLevel, WindowFacts } from './window-facts.js';
import { windowIdOf } from './window-id.js';
import { titleOf } from './window-title.js';
import { roleOf, typeOf } from './x-window.js';

export interface Surroundings {
  atoms: Atoms;
  active: boolean;
  frame?: TopLevel;
  monitors: readonly Monitor[];
  pid?: number;
}

const ICONIC = 3;
const VIEWABLE = 2;

export function describeWindow(
  facts: WindowFacts,
  { atoms, active, frame, monitors, pid }: Surroundings,
): ListedWindow {
  const states = new Set(numbersOf(facts.state));
  const is = (name: keyof Atoms): boolean => states.has(atoms[name]);
  const viewable = facts.attributes.mapState === VIEWABLE;
  const hidden = is('_NET_WM_STATE_HIDDEN') || numbersOf(facts.wmState)[0] === ICONIC;
  const client = {
    x: facts.origin.destX,
    y: facts.origin.destY,
    width: facts.geometry.width,
    height: facts.geometry.height,
  };
  const shadow = extentsOf(numbersOf(facts.gtkExtents));
  const bounds = frameBox({
    client,
    border: facts.geometry.borderWidth,
    frame: frame?.box,
    decoration: extentsOf(numbersOf(facts.frameExtents)),
    shadow,
  });
  const overrideRedirect = facts.attributes.overrideRedirect !== 0;
  const type = typeOf(numbersOf(facts.type), atoms);
  const transientFor = numbersOf(facts.transientFor)[0];
  const wmClass = classOf(facts.wmClass);
  const monitor = monitorOf(bounds, monitors);
  return {
    xid: facts.xid,
    id: windowIdOf(facts.xid),
    ...titleOf([facts.netName, facts.name], atoms),
    ...(wmClass && {
      wmClass: { instance: cleanName(wmClass.instance).text, name: cleanName(wmClass.name).text },
    }),
    ...(type && { type }),
    role: roleOf({ type, transient: transientFor !== undefined && transientFor !== 0, overrideRedirect }),
    ...(pid !== undefined && { pid }),
    bounds,
    client,
    ...(shadow && { shadow }),
    visible: viewable && monitor !== undefined,
    minimised: hidden && !viewable && !is('_NET_WM_STATE_SHADED'),
    maximised: is('_NET_WM_STATE_MAXIMIZED_HORZ') && is('_NET_WM_STATE_MAXIMIZED_VERT'),
    fullscreen: is('_NET_WM_STATE_FULLSCREEN'),
    active,
    modal: is('_NET_WM_STATE_MODAL'),
    above: is('_NET_WM_STATE_ABOVE'),
    skipTaskbar: is('_NET_WM_STATE_SKIP_TASKBAR'),
    overrideRedirect,
    ...(transientFor && { of: transientFor }),
    ...(monitor !== undefined && { monitor }),
  };
}
