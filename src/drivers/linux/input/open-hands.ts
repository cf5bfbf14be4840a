import type { Environment } from '../session.js';
import type { Deadline } from '../../../shared/index.js';
import { noDisplay } from '../x/display-errors.js';
import { parseDisplayName } from '../x/display-name.js';
import { X11Client } from '../x/x11-client.js';
import { readAuthFile } from '../x/xauthority.js';
import { LinuxHands } from './hands.js';
import { Injector } from './injector.js';
import { Watch } from './keep-watch.js';
import { ignoreGrabs, useKeyboard } from './requests.js';
import { ServerState } from './server-state.js';
import type { Greeting } from './undo-watcher.js';

/** A connection of its own, as every part that listens or acts has one. */
export async function connect(env: Environment, deadline: Deadline): Promise<X11Client> {
  if (!env.DISPLAY) throw noDisplay(Boolean(env.WAYLAND_DISPLAY));
  return X11Client.connect(parseDisplayName(env.DISPLAY), await readAuthFile(env), deadline);
}

/** The hands for the display that `env` names (DISPLAY, XAUTHORITY, HOME). */
export async function openHands(env: Environment, deadline: Deadline): Promise<LinuxHands> {
  const client = await connect(env, deadline);
  try {
    const server = await deadline.race(ServerState.open(client), `The X server at ${client.name.text}`);
    const watch = await Watch.begin(greeting(server), deadline);
    return new LinuxHands(new Injector(server, watch), watch);
  } catch (error) {
    client.close();
    throw error;
  }
}

function greeting({ client, opcodes }: ServerState): Greeting {
  const { name, cookie } = client;
  // Goes with the connection: the watcher sees by it when the server has heard the last of us.
  const owner = client.raw.AllocID();
  client.tell((x) => x.CreatePixmap(owner, client.root, 1, 1, 1));
  return {
    door: {
      ...(name.socket ? { socket: name.socket } : { host: name.host, port: 6000 + name.number }),
      ...(cookie && { cookie: cookie.toString('base64') }),
    },
    hello: Buffer.concat([ignoreGrabs(opcodes), useKeyboard(opcodes)]).toString('base64'),
    owner,
  };
}
