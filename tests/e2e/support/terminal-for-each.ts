import { afterEach, beforeEach } from 'vitest';
import { CliRoom } from '../cli-room.js';
import { PersonTerminal } from './person-terminal.js';

/** A room and a terminal in it, new for each test of the file that calls this. */
export function terminalForEach(): { readonly room: CliRoom; readonly terminal: PersonTerminal } {
  const here = {} as { room: CliRoom; terminal: PersonTerminal };
  beforeEach(() => {
    here.room = new CliRoom();
    here.terminal = PersonTerminal.open(here.room);
  });
  afterEach(async () => {
    here.terminal.end();
    await here.room.close();
  });
  return here;
}
