import type { Link } from './link.js';
import { Secret } from './secret.js';
import type { ActResult, Clipboard, Keyboard, Mouse } from './surface.js';

/** An act without a target; a failure is told as everywhere. */
async function act(link: Link, said: string, tool: string, args: object): Promise<ActResult> {
  try {
    return (await link.call(tool, args)).json as unknown as ActResult;
  } catch (error) {
    throw await link.tell(error, { said });
  }
}

export function keyboardOf(link: Link): Keyboard {
  return {
    press: (keys, { method: _method, ...options } = {}) =>
      act(link, 'keyboard.press(…)', 'ui_key', { ...options, keys }),
    type: (text, options) => {
      const what = text instanceof Secret ? { secret: text.name } : { text };
      return act(link, 'keyboard.type(…)', 'ui_type', { ...options, ...what });
    },
  };
}

export function mouseOf(link: Link): Mouse {
  return {
    click: (x, y, options) => act(link, `mouse.click(${x}, ${y})`, 'ui_click_xy', { ...options, x, y }),
    dblclick: (x, y, options) => act(link, `mouse.dblclick(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, count: 2 }),
    move: (x, y, options) => act(link, `mouse.move(${x}, ${y})`, 'ui_click_xy', { ...options, x, y, action: 'move' }),
  };
}

export function clipboardOf(link: Link): Clipboard {
  return {
    read: async () => (await act(link, 'clipboard.read()', 'ui_clipboard', { action: 'read' })).read,
    write: (text) => act(link, 'clipboard.write(…)', 'ui_clipboard', { action: 'write', text }),
  };
}
