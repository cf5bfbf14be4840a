import type { Reloaded } from '../../../host/index.js';
import { DesktopError } from '../../../shared/index.js';
import { personIsHere } from '../approve/ask-here.js';
import { printJson } from '../call-tool.js';
import { closing, openChosen, type Context, type Flags } from '../context.js';
import { saysYes } from '../says-yes.js';
import { safeForTerminal } from '../terminal.js';

/** Whoever may change the files must not also be the one who lets them count: a person looks in between. */
export async function reloadPolicy(context: Context, flags: Flags): Promise<void> {
  if (!personIsHere()) {
    throw new DesktopError('approval_required', 'Only a person at a terminal lets a changed policy count.', {
      hint: 'Type it yourself: deskproof policy reload',
    });
  }
  const { host } = await openChosen(context, flags);
  await closing(host, async () => {
    const seen = await host.request<Reloaded>('preview', {}, { signal: context.signal });
    if (seen.files.length === 0) return tell(context, flags, { ...seen, reloaded: false }, 'nothing has changed');
    for (const line of reloadLines(seen)) context.terminal.err(`${safeForTerminal(line)}\n`);
    if (!(await saysYes('Let it count, and end all grants?', context.signal))) {
      return tell(context, flags, { ...seen, reloaded: false }, 'left as it was: acts stay refused');
    }
    // What counts afterwards is what was shown, or nothing is changed.
    const done = await host.request<Reloaded>('reload', { expected: seen.seen }, { signal: context.signal });
    tell(context, flags, { ...done, reloaded: true }, 'it counts now; grants and open questions are gone');
  });
}

export function reloadLines({ files, differences, before, after }: Reloaded): string[] {
  return [
    ...files.map((file) => `changed  ${file}`),
    ...(differences.length > 0 ? differences : ['what they say is the same']).map((line) => `         ${line}`),
    `policy   ${before.slice(0, 12)} -> ${after.slice(0, 12)}`,
  ];
}

function tell(context: Context, flags: Flags, answer: Reloaded & { reloaded: boolean }, words: string): void {
  if (flags.json) printJson(context, { schema: 1, ...answer });
  else context.terminal.out(`${words}\n`);
}
