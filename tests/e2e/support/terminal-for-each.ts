import { afterEach, beforeEach } from 'vitest';
import { CliRoom } from '../cli-room.js';
import { UserTerminal } from './user-terminal.js';

/** A room and a terminal in it, new for each test of the file that calls this. */
export function terminalForEach(): { readonly room: CliRoom; readonly terminal: UserTerminal } {
  const here = {} as { room: CliRoom; terminal: UserTerminal };
  beforeEach(() => {
    here.room = new CliRoom();
    here.terminal = UserTerminal.open(here.room);
  });
  afterEach(async () => {
    here.terminal.end();
    await here.room.close();
  });
  return here;
}
