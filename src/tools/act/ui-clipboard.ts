import { z } from 'zod';
import { characters, defineAct } from '../../runtime/index.js';
import { DesktopError } from '../../shared/index.js';
import { actionText } from '../text/action.js';
import { QUIET, READY_MS, readyWithin, WAITING } from '../fields.js';
import { quoted } from '../text/sentence.js';

export const uiClipboard = defineAct({
  name: 'ui_clipboard',
  class: 'act',
  description: "Read or replace the clipboard's text.",
  traits: {
    text: { argument: 'text', to: 'elsewhere' },
    ...{ keys: 'none', risk: 'clipboard', place: 'no-window', appGrant: true },
    // The clipboard may hold text of any window, so reading it counts as a screenshot.
    classFor: ({ text }) => (text === undefined ? 'capture' : undefined),
  },
  cli: {
    group: 'Act',
    positionals: ['text'],
    help: {
      text: 'new text',
    },
    examples: [
      ['clipboard', 'show the text'],
      ["clipboard 'some text'", 'replace the text'],
    ],
  },
  sentence: { verb: ({ text }) => (text === undefined ? ['Read the clipboard'] : ['Copy', quoted(text)]) },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  quiet: [...QUIET, 'verify', 'timeoutMs'],
  input: z.object({
    action: z.enum(['read', 'write']).optional().describe('write when there is a text'),
    text: z.string().max(1_000_000).optional(),
    ...WAITING,
  }),
  async aim(_, { text, action = text === undefined ? 'read' : 'write' }) {
    if ((action === 'write') === (text === undefined)) {
      throw new DesktopError('bad_arguments', action === 'write' ? 'write needs a text.' : 'read takes no text.', {
        hint: 'to replace it: action "write" and text.',
        retry: 'no',
      });
    }
    return { verb: `${action} the clipboard`, needs: {} };
  },
  async act(actor, _, { text }) {
    if (text !== undefined) {
      await actor.copy(text);
      const held = await actor.pasted();
      return { detail: `(${characters(text)})`, confirmed: held === text };
    }
    const held = await actor.pasted();
    return {
      confirmed: true,
      onlyReads: true,
      ...(held === undefined ? { detail: '(it holds no text)' } : { read: held }),
    };
  },
  text: actionText,
});
