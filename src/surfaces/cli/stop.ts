import type { Command } from 'commander';
import { type Choice, hasDisplay, type StopAnswer } from '../../host/index.js';
import { DesktopError, localiseHint } from '../../shared/index.js';
import { requireUser } from './approve/ask-here.js';
import { printJson } from './call-tool.js';
import { resolveDesktop, closing, connectDesktop, type Context, type Flags } from './context.js';
import { withGuide } from './command-guide.js';

const UNTIL_RESUME = 'until you run deskproof resume in a terminal.';

export function stopCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('stop')
    .description('Stop everything that agents do on a desktop, until you run resume.')
    .option('--all', 'stop the agents on every desktop');
  command.action(() => stop(context, command.optsWithGlobals<Flags & { all?: boolean }>()));
  return withGuide(command, {
    overview: { group: 'Govern', usage: 'stop' },
    examples: [
      ['stop --desktop work', 'stop the agents on this desktop at once'],
      ['stop --all', 'stop the agents on every desktop'],
    ],
  });
}

export function resumeCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('resume').description('Let agents continue after a stop.');
  command.action(() => resume(context, command.optsWithGlobals<Flags>()));
  return withGuide(command, {
    overview: { group: 'Govern', usage: 'resume' },
    examples: [['resume --desktop work', 'only in a terminal']],
  });
}

const REASON = 'the user ran deskproof stop';

/** Stops everything that agents do on a desktop and blocks new acts until `resume`. `all`: on every desktop. */
async function stop(context: Context, flags: Flags & { all?: boolean }): Promise<void> {
  if (flags.all) return stopAll(context, flags);
  const choice = await resolveDesktop(context, flags);
  printAnswer(context, flags, choice, await context.desktops.stopAgents(choice, REASON), describeStop);
}

/** A desktop that cannot be stopped does not keep the others from being stopped. */
async function stopAll(context: Context, flags: Flags): Promise<void> {
  if (flags.desktop !== undefined) {
    throw new DesktopError('bad_arguments', 'stop takes --all or --desktop, not both.', {
      hint: 'Leave --desktop out to stop the agents on every desktop.',
    });
  }
  const choices: Choice[] = [
    ...(hasDisplay(context.env) ? [{ kind: 'user' as const }] : []),
    ...(await context.desktops.running()).map((name) => ({ kind: 'private' as const, name })),
  ];
  const results = await Promise.allSettled(choices.map((choice) => context.desktops.stopAgents(choice, REASON)));
  const failed = results.filter(({ status }) => status === 'rejected');
  if (flags.json) {
    const desktops = results.map((result, at) => ({
      desktop: nameOf(choices[at]!),
      ...(result.status === 'fulfilled' ? result.value : { error: messageOf(result.reason) }),
    }));
    printJson(context, { schema: 1, desktops });
  } else {
    if (choices.length === 0) context.terminal.out('No desktop is running.\n');
    for (const [at, result] of results.entries()) {
      const choice = choices[at]!;
      const text =
        result.status === 'fulfilled' ? describeStop(result.value, choice) : `NOT stopped. ${messageOf(result.reason)}`;
      context.terminal.out(`desktop ${nameOf(choice)}: ${localiseHint(nameOf(choice), text)}\n`);
    }
  }
  if (failed.length > 0) context.exitCode = 1;
}

const nameOf = (choice: Choice): string => (choice.kind === 'private' ? choice.name : 'user');
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Only a user at a terminal may resume: an agent must not undo its own stop. */
async function resume(context: Context, flags: Flags): Promise<void> {
  requireUser('end a stop', 'deskproof resume');
  const { host, choice } = await connectDesktop(context, flags);
  const answer = await closing(host, () => host.request<StopAnswer>('resume', {}, { signal: context.signal }));
  printAnswer(context, flags, choice, answer, ({ changed }) =>
    changed ? 'Agents may continue.' : 'The desktop was not stopped.',
  );
}

function describeStop({ changed, killed }: StopAnswer, { kind }: Choice): string {
  if (!killed)
    return changed ? `Stopped. Agents cannot act on this desktop ${UNTIL_RESUME}` : 'The desktop is already stopped.';
  const held = killed.clean
    ? ''
    : ' Some of the programs that it started are still running, so keys may still be held.';
  const rest =
    kind === 'private'
      ? `The desktop and its apps ended with it. Agents cannot act on a new desktop of this name ${UNTIL_RESUME}`
      : `Agents cannot act on this desktop ${UNTIL_RESUME}`;
  return `Stopped. The host (process ${killed.pid}) did not answer and was killed.${held} ${rest}`;
}

function printAnswer(
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
