import type { X11Client } from './x11-client.js';

const LOCAL_PID = 2;

/** Process of each client, by the base of its ids. The server asks the socket, so no app can claim another's. */
export async function readPids(client: X11Client, xids: readonly number[]): Promise<Map<number, number>> {
  const res = client.local ? await client.extension('res') : undefined;
  if (!res) return new Map();
  const bases = [...new Set(xids.filter(Boolean).map((xid) => ownerBase(client, xid)))];
  if (bases.length === 0) return new Map();
  const ids = await client.ask<{ client: number; mask: number; value: number[] }[]>((_, reply) =>
    res.QueryClientIds(
      bases.map((base) => ({ client: base, mask: LOCAL_PID })),
      reply,
    ),
  );
  const pids = new Map<number, number>();
  for (const { client: base, mask, value } of ids) if (mask === LOCAL_PID && value[0]) pids.set(base, value[0]);
  return pids;
}

export function ownerBase(client: X11Client, xid: number): number {
  return (xid & ~client.setup.resource_mask) >>> 0;
}
