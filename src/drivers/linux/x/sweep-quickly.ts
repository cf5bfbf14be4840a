import type { Client, Reply } from 'x11';

/**
 * For every packet that comes in, the package goes through all open requests to find those without a reply; with
 * hundreds of requests on their way that took more time than everything else together (10 ms of 15 for 20 windows).
 * Only the few that asked to be told are remembered here.
 */
export function sweepQuickly(client: Client): void {
  const open: number[] = [];
  const schedule = client._scheduleVoidSync.bind(client);
  client._scheduleVoidSync = (sequence) => {
    open.push(sequence);
    schedule(sequence);
  };
  client._sweepVoid = (upTo) => {
    while (open.length > 0 && open[0]! <= upTo) {
      const sequence = open.shift()!;
      const entry = client.replies[sequence];
      if (!entry) continue;
      delete client.replies[sequence];
      (entry[1] as Reply<undefined>)(null, undefined);
    }
  };
}
