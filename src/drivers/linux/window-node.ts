import { cleanName, WHOLE, type WindowNode } from '../../tree/index.js';
import { isMenu, type XWindow } from './x/index.js';

/** What the contract says of a window, from what the X server says. */
export function windowNode(window: XWindow): WindowNode {
  return {
    id: window.id,
    title: cleanName(window.title).text,
    ...(window[WHOLE] !== undefined && { [WHOLE]: window[WHOLE] }),
    app: cleanName(window.app).text,
    ...(window.pid !== undefined && { pid: window.pid }),
    ...(window.program !== undefined && { program: window.program }),
    ...(window.started !== undefined && { started: window.started }),
    role: window.role,
    ...(!window.placeless && { bounds: window.bounds }),
    visible: window.visible,
    minimised: window.minimised,
    maximised: window.maximised,
    active: window.active,
    ...(window.modal && { modal: true }),
    ...(isMenu(window) && { menu: true }),
    ...(window.of !== undefined && { of: `x:0x${window.of.toString(16)}` }),
    ...(window.monitor !== undefined && { monitor: window.monitor }),
    ...(window.stopped && { hung: true }),
  };
}
