import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LedgerPlaces } from '../../../src/audit/index.js';
import { Desktops, userDesktopKey, type HostClient } from '../../../src/host/index.js';
import { makePrivateDirectory } from '../../../src/platform/runtime-directory.js';
import { startHost } from '../../../src/host/client/start-host.js';
import { CliRoom } from '../cli-room.js';
import { openXSeat, type XSeat } from './x-seat.js';

const HOST = fileURLToPath(new URL('../../../dist/host/server/main.js', import.meta.url));
const POLICY = `version: 1
profile: { seat: private }
limits: { actsPerMinute: 100000, capturesPerMinute: 100000 }
`;

/** The environment of a user session. Where programs keep their files is set by the room. */
const OF_THE_SESSION = ['DISPLAY', 'XAUTHORITY', 'DBUS_SESSION_BUS_ADDRESS', 'XDG_RUNTIME_DIR'];

/**
 * A display that stands for a user's own session: hosts come, are killed and come again, and its apps stay. The
 * commands run in it as in a terminal of that session.
 */
export class SessionRoom extends CliRoom {
  private constructor(readonly seat: XSeat) {
    super();
    for (const name of OF_THE_SESSION) this.env[name] = seat.env[name];
    const folder = join(this.base, '.config/deskproof');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(join(folder, 'policy.yaml'), POLICY, { mode: 0o600 });
  }

  static async open(): Promise<SessionRoom> {
    return new SessionRoom(await openXSeat());
  }

  get desktops(): Desktops {
    return new Desktops('test', this.env);
  }

  /** As the first command would, without the command. */
  async startHost(): Promise<number> {
    const { base } = this.desktops;
    makePrivateDirectory(base);
    const options = {
      base,
      key: this.key,
      desktop: { kind: 'user' as const },
      endWithParent: false,
      startDirectory: this.base,
    };
    return (await startHost(options, { program: HOST, env: this.env })).pid;
  }

  /** Its host must run already: from sources none can be started. */
  connect(): Promise<HostClient> {
    return this.desktops.connect({ kind: 'user' });
  }

  get key(): string {
    return userDesktopKey(this.env);
  }

  places(): Promise<LedgerPlaces> {
    return this.desktops.logPlaces(this.key);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.seat.stop();
  }
}
