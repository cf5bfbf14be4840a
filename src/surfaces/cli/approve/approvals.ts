import type { PendingQuestion, Grant } from '../../../host/index.js';
import { localiseHint, DesktopError } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import { closing, connectDesktop, type Context, type Flags } from '../context.js';
import { askHere, userIsHere, requestLines, requireUser } from './ask-here.js';

/** Shows the approval requests of a desktop and answers them one by one, until Ctrl-C. */
export async function approvals(context: Context, flags: Flags): Promise<void> {
  const { host, choice } = await connectDesktop(context, flags);
  await closing(host, async () => {
    if (flags.json || !userIsHere()) return listRequests();
    const where = choice.kind === 'private' ? `desktop ${choice.name}` : 'your desktop';
    context.terminal.err(
      `Approval requests of ${where} appear here. Press Ctrl-C to end; after that, requests are no longer shown here.\n`,
    );
    let open: PendingQuestion[] = [];
    let asking: { id: string; gone: AbortController } | undefined;
    const next = (): void => {
      if (asking) {
        if (!open.some(({ id }) => id === asking?.id)) asking.gone.abort();
        return;
      }
      const question = open[0];
      if (!question) return;
      const gone = new AbortController();
      const leave = (): void => gone.abort();
      context.signal.addEventListener('abort', leave, { once: true });
      asking = { id: question.id, gone };
      void askHere(context, host, question, gone.signal).finally(() => {
        context.signal.removeEventListener('abort', leave);
        open = open.filter(({ id }) => id !== question.id);
        asking = undefined;
        next();
      });
    };
    const onItem = (item: unknown): void => {
      open = (item as { open: PendingQuestion[] }).open;
      next();
    };
    try {
      await host.request('approvals', {}, { signal: context.signal, onItem });
    } finally {
      // Lets the shell prompt start on its own line.
      if (context.signal.aborted) context.terminal.err('\n');
    }
  });

  async function listRequests(): Promise<void> {
    const { open } = await host.request<{ open: PendingQuestion[] }>('questions', {}, { signal: context.signal });
    if (flags.json) return printJson(context, { schema: 1, open });
    if (open.length === 0) return context.terminal.out('no open requests\n');
    for (const question of open) context.terminal.out(`${requestLines(question, (_, text) => text).join('\n')}\n`);
    context.terminal.out(`${localiseHint(context.named, 'Answer them in a terminal: deskproof approvals')}\n`);
  }
}

/** Only the user can enable agents on the user's own desktop, so a script or a pipe is refused. */
export async function enable(context: Context, flags: Flags): Promise<void> {
  requireUser('enable a desktop', 'deskproof enable', '. To enable it permanently, set enabled: true in your policy.');
  await setEnabled(context, flags, 'enable', (changed) =>
    changed ? 'Enabled until the host of this desktop ends.' : 'It was already enabled.',
  );
}

/** Revoking needs no confirmation. */
export function disable(context: Context, flags: Flags): Promise<void> {
  return setEnabled(context, flags, 'disable', (changed, byPolicy) => {
    if (byPolicy)
      return 'All grants were revoked, but your policy has enabled: true. To stop all agents: deskproof stop';
    return changed ? 'Disabled. All grants were revoked.' : 'It was not enabled.';
  });
}

async function setEnabled(
  context: Context,
  flags: Flags,
  what: 'enable' | 'disable',
  words: (changed: boolean, byPolicy: boolean) => string,
): Promise<void> {
  const { host } = await connectDesktop(context, flags);
  const { changed, byPolicy = false } = await closing(host, () =>
    host.request<{ changed: boolean; byPolicy?: true }>(what, {}, { signal: context.signal }),
  );
  if (flags.json) printJson(context, { schema: 1, changed, ...(byPolicy && { byPolicy }) });
  else context.terminal.out(`${localiseHint(context.named, words(changed, byPolicy))}\n`);
}

/** Lists the grants: what the user has allowed beyond a single act. */
export async function grants(context: Context, flags: Flags): Promise<void> {
  const { host } = await connectDesktop(context, flags);
  const list = await closing(host, () => host.request<{ grants: Grant[] }>('grants', {}, { signal: context.signal }));
  if (flags.json) return printJson(context, { schema: 1, ...list });
  if (list.grants.length === 0) return context.terminal.out('no grants\n');
  for (const { id, scope, session, program, tool, upTo, until } of list.grants) {
    const what = scope === 'app' ? 'every act' : tool;
    const when = new Date(until).toTimeString().slice(0, 5);
    context.terminal.out(
      `${id}  ${scope.padEnd(7)} ${session}: ${what}${program && ` in ${program}`}, up to ${upTo} risk, until ${when}\n`,
    );
  }
}

export async function revoke(context: Context, id: string, flags: Flags): Promise<void> {
  const { host } = await connectDesktop(context, flags);
  const { revoked } = await closing(host, () => host.request<{ revoked: boolean }>('revoke', { id }));
  if (!revoked) {
    throw new DesktopError('element_not_found', `There is no grant ${JSON.stringify(id.slice(0, 20))}.`, {
      hint: 'List the grants with: deskproof grants',
    });
  }
  if (flags.json) printJson(context, { schema: 1, revoked });
  else context.terminal.out('revoked\n');
}
