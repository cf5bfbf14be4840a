import { Deadline } from '../../shared/index.js';
import { Reader } from '../act/reader.js';
import type { CallContext } from '../request/call-context.js';
import { hiddenByPolicyError } from '../visibility/hidden-windows.js';
import type { ReadTool } from './tool.js';

/** A window can turn into a hidden one while it is read. After this many reads the call is refused. */
const MAX_READS = 4;
const CHECK_MS = 2_000;

/** Runs a tool that reads. Reads overlap, with each other and with acts. */
export async function runRead({ view, request, channel, deadline }: CallContext, tool: ReadTool): Promise<object> {
  const end = deadline();
  const { caller, args } = request;
  for (let left = MAX_READS; ; left -= 1) {
    const { revision } = view.hiddenWindows;
    const reader = new Reader(view, end, caller, channel.onProgress);
    // A driver keeps its own time. The race makes sure that a fault in a driver cannot hold the caller.
    const read = await end.race(tool.run({ reader, deadline: end, caller }, args as never), tool.name).then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    // Titles are checked again, also after an error, which quotes what was read: a window that turned into a hidden one
    // is read again without it.
    if (!tool.blind) await view.listWindows('result' in read ? end : Deadline.in(CHECK_MS, channel.signal));
    const unchanged = view.hiddenWindows.revision === revision;
    if (unchanged && 'result' in read) return read.result;
    if (unchanged) throw (read as { error: unknown }).error;
    if (left <= 1) throw hiddenByPolicyError('The content that was read');
  }
}
