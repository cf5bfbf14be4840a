// One X window without a toolkit, whose number its program chooses. One line in, one line out when the server has done it.
import { createInterface } from 'node:readline';
import x11 from 'x11';

x11.createClient((error, display) => {
  if (error) throw error;
  const { client: x, screen } = display;
  const { root } = screen[0];
  const xid = x.AllocID();
  const name = (title) => x.ChangeProperty(0, xid, x.atoms.WM_NAME, x.atoms.STRING, 8, title);
  const open = (title, past) => {
    x.CreateWindow(xid, root, 50, 50, 300, 200, 0, 0, 1, 0, {
      overrideRedirect: Number(past),
      backgroundPixel: 0x3a6ea5,
    });
    name(title);
    x.MapWindow(xid);
  };
  const commands = {
    open,
    /** The same number for another window, with nothing in between. */
    again(title, past) {
      x.DestroyWindow(xid);
      open(title, past);
    },
    title: name,
    hide: () => x.UnmapWindow(xid),
    show: () => x.MapWindow(xid),
    past: (on) => x.ChangeWindowAttributes(xid, { overrideRedirect: Number(on) }),
  };
  createInterface({ input: process.stdin }).on('line', (line) => {
    const [verb, ...words] = line.split('|');
    commands[verb](...words);
    x.GetInputFocus(() => {
      console.log('ok', xid);
      return true;
    });
  });
  console.log('ok ready');
});
