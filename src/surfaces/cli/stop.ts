import type { StopAnswer } from '../../host/index.js';
import { printJson } from './call-tool.js';
import { closing, openChosen, type Context, type Flags } from './context.js';

/** Ends all that agents do on a desktop and lets nothing begin there; `resume` lets them go on. */
export function stop(context: Context, flags: Flags): Promise<void> {
  return tell(context, flags, 'stop', ({ changed }) =>
    changed ? 'stopped: nothing is operated there until: deskwright resume' : 'it was stopped already',
  );
}

export function resume(context: Context, flags: Flags): Promise<void> {
  return tell(context, flags, 'resume', ({ changed }) => (changed ? 'agents may go on' : 'it was not stopped'));
}

async function tell(
  context: Context,
  flags: Flags,
  what: 'stop' | 'resume',
  words: (answer: StopAnswer) => string,
): Promise<void> {
  const { host, choice } = await openChosen(context, flags);
  const answer = await closing(host, () => host.request<StopAnswer>(what, {}, { signal: context.signal }));
  if (flags.json) printJson(context, { schema: 1, ...answer });
  else context.terminal.out(`${choice.kind === 'private' ? `desktop ${choice.name}: ` : ''}${words(answer)}\n`);
}
