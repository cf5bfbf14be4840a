import type { Command } from 'commander';
import { type Example, withGuide } from '../command-guide.js';
import type { Context, Flags } from '../context.js';

// What the user decides about agents. All of it is loaded on demand.

type Work = (flags: Flags) => Promise<void>;

/** Each of them is also its own entry in the overview. */
function userCommand(command: Command, usage: string, example: Example, work: Work): Command {
  command.action(() => work(command.optsWithGlobals<Flags>()));
  return withGuide(command, { overview: { group: 'Govern', usage }, examples: [example] });
}

export function approvalsCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('approvals').description('Answer approval requests of agents in this terminal.');
  return userCommand(command, 'approvals', ['approvals --desktop work', 'for a private desktop'], async (flags) =>
    (await import('./approvals.js')).approvals(context, flags),
  );
}

export function enableCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('enable').description('Allow commands on your own desktop until its host ends.');
  const example: Example = ['enable', 'commands may read your screen; acts need approval'];
  return userCommand(command, 'enable', example, async (flags) =>
    (await import('./approvals.js')).enable(context, flags),
  );
}

export function disableCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('disable').description('Block commands on your own desktop again, and revoke all grants.');
  const example: Example = ['disable', 'block commands until you enable them again'];
  return userCommand(command, 'disable', example, async (flags) =>
    (await import('./approvals.js')).disable(context, flags),
  );
}

export function grantsCommand(context: Context, make: (name: string) => Command): Command {
  const command = make('grants').description('List what you have allowed for longer than one act.');
  const revoke = make('revoke').description('Revoke a grant.').argument('<id>');
  revoke.action(async (id: string) =>
    (await import('./approvals.js')).revoke(context, id, revoke.optsWithGlobals<Flags>()),
  );
  command.addCommand(
    withGuide(revoke, { examples: [['grants revoke 1f3a9c02', 'the id comes from deskproof grants']] }),
  );
  return userCommand(command, 'grants [revoke ID]', ['grants', 'list grants with their ids'], async (flags) =>
    (await import('./approvals.js')).grants(context, flags),
  );
}
