import { z } from 'zod';
import { defineAct } from '../../runtime/index.js';
import { quote } from '../../tree/index.js';
import { actionText } from '../text/action.js';
import { QUIET, WAITING } from '../fields.js';
import { firstArgs, quoted } from '../text/sentence.js';

export const uiLaunch = defineAct({
  name: 'ui_launch',
  class: 'act',
  description: 'Start an allowed app with accessibility on; answers with its window.',
  traits: { text: 'none', keys: 'none', risk: 'launch', place: 'no-window', launches: true },
  cli: {
    group: 'Act',
    positionals: ['command', 'args'],
    takesRest: true,
    usage: 'launch APP [ARGS…]',
    help: {
      args: 'arguments of the program',
    },
    examples: [['launch mousepad', 'start an app and wait for its window']],
  },
  sentence: { verb: ({ command, args }) => ['Launch', quoted(command), ...firstArgs(args)] },
  timeoutMs: 15_000,
  limitMs: ({ timeoutMs }) => timeoutMs,
  quiet: [...QUIET, 'verify'],
  input: z.object({
    command: z.string().min(1).max(4_000).describe('app or program'),
    args: z.array(z.string().max(32_000)).max(1_000).optional(),
    ...WAITING,
    timeoutMs: z.int().min(0).max(600_000).default(15_000),
  }),
  async plan(reader, { command, args = [] }) {
    const start = reader.resolveCommand(command, args);
    return { verb: 'launch', needs: {}, ...(start && { start }) };
  },
  async act(actor, { start }, { command, args = [] }) {
    const { pid, window, handedOver } = await actor.launch(command, args, actor.actionableBy, start);
    const ran = handedOver ? ', which ran already' : '';
    return {
      detail: `${quote(command)}: ${window.ref} ${window.role} ${quote(window.title)}, pid ${pid}${ran}`,
      confirmed: true,
    };
  },
  text: actionText,
});
