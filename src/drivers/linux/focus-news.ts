import type { Deadline } from '../../shared/index.js';
import type { Incoming } from './dbus/index.js';

const LOOK_MS = 10;

/** When each app last told that something of it got the focus. */
export class FocusNews {
  private readonly told = new Map<string, number>();

  signal(incoming: Pick<Incoming, 'sender' | 'member' | 'body'>): void {
    if (incoming.member !== 'StateChanged' || incoming.sender === undefined) return;
    const [state, on] = incoming.body();
    if (state === 'focused' && on === 1) this.told.set(incoming.sender, performance.now());
  }

  /** Resolves when this app has told of a focus since then, or when it has had the time to. */
  async after(sender: string, since: number, deadline: Deadline): Promise<void> {
    while ((this.told.get(sender) ?? -Infinity) < since && !deadline.over) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LOOK_MS, deadline.remaining())));
    }
  }
}
