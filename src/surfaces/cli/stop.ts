import type { Choice, StopAnswer } from '../../host/index.js';
import { localiseHint } from '../../shared/index.js';
import { onlyAPerson } from './approve/ask-here.js';
import { printJson } from './call-tool.js';
import { chosen, closing, openChosen, type Context, type Flags } from './context.js';

const UNTIL = 'until a person lets it go on in a terminal: deskproof resume';

/** Ends all that agents do on a desktop and lets nothing begin there; `resume` lets them go on. */
export async function stop(context: Context, flags: Flags): Promise<void> {
  const choice = await chosen(context, flags);
  tell(context, flags, choice, await context.desktops.stopAgents(choice, 'a person ran deskproof stop'), stopWords);
}

/** Who was stopped must not be the one who lets it go on. */
export async function resume(context: Context, flags: Flags): Promise<void> {
  onlyAPerson('end a stop', 'deskproof resume');
  const { host, choice } = await openChosen(context, flags);
  const answer = await closing(host, () => host.request<StopAnswer>('resume', {}, { signal: context.signal }));
  tell(context, flags, choice, answer, ({ changed }) => (changed ? 'agents may go on' : 'it was not stopped'));
}

function stopWords({ changed, killed }: StopAnswer, { kind }: Choice): string {
  if (!killed) return changed ? `stopped: nothing is operated there ${UNTIL}` : 'it was stopped already';
  const held = killed.clean ? '' : ', and what it had started has not ended yet: keys may still be held';
  const rest =
    kind === 'private'
      ? `The desktop and its apps went with it; the next one of this name is not operated ${UNTIL}`
      : `Nothing is operated there ${UNTIL}`;
  return `stopped: its host (process ${killed.pid}) did not answer and was killed${held}. ${rest}`;
}

function tell(
  context: Context,
  flags: Flags,
  choice: Choice,
  answer: StopAnswer,
  words: (answer: StopAnswer, choice: Choice) => string,
): void {
  if (flags.json) return printJson(context, { schema: 1, ...answer });
  const which = choice.kind === 'private' ? `desktop ${choice.name}: ` : '';
  context.terminal.out(`${which}${localiseHint(context.named, words(answer, choice))}\n`);
}
