import type { PendingQuestion } from '../../../host/index.js';
import { localiseHint } from '../../../shared/index.js';
import { printJson } from '../call-tool.js';
import { closing, connectDesktop, type Context, type Flags } from '../context.js';
import { askHere, userIsHere, requestLines } from './ask-here.js';

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
