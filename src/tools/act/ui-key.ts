import { z } from 'zod';
import { defineAct, keyLanding, landsIn, parseKeys } from '../../runtime/index.js';
import { actionText } from '../text/action.js';
import { uiClick } from './ui-click.js';
import { notTooLong, QUIET, READY_MS, readyWithin, TARGET, WAITING, WINDOW } from '../fields.js';
import { pressedKeys } from '../text/sentence.js';

export const uiKey = defineAct({
  name: 'ui_key',
  class: 'act',
  description: 'Press keys, in order: "ctrl+s", "Down Down Enter".',
  traits: {
    text: 'none',
    keys: { argument: 'keys' },
    risk: 'key',
    clicksRuledAs: uiClick.name,
    place: 'active-window',
    appGrant: true,
  },
  cli: {
    group: 'Act',
    positionals: ['keys', 'target'],
    usage: 'key KEYS [TARGET]',
    help: {
      keys: 'keys, for example ctrl+s or Down Down Enter',
      delayMs: 'pause between two chords, in milliseconds',
    },
    examples: [
      ['key ctrl+s --window w3', 'press keys in a window'],
      ["key 'ctrl+a Delete' 'textbox:Name'", 'press keys in an element, which gets the focus first'],
    ],
  },
  sentence: { verb: ({ keys }) => ['Press', ...pressedKeys(keys)], at: 'in' },
  timeoutMs: READY_MS,
  limitMs: readyWithin,
  longerMs: ({ keys, delayMs = 0 }) => parseKeys(keys).length * delayMs,
  quiet: QUIET,
  input: z.object({
    keys: z.string().min(1).max(2_000),
    target: TARGET.optional(),
    window: WINDOW,
    delayMs: z.int().min(0).max(2_000).optional(),
    ...WAITING,
  }),
  async plan(reader, { keys, target, window, delayMs = 0 }) {
    const chords = parseKeys(keys);
    notTooLong(chords.length * delayMs, 'fewer keys, or less delayMs');
    if (target === undefined) {
      const where = window === undefined ? await reader.activeWindow() : await reader.window(window);
      // Keys for an app that does not answer would be queued and arrive when the caller no longer expects them.
      await reader.target(where.ref, undefined, { depth: 0, fresh: true });
      // Of the window that is asked about for its own keys alone: its menu may be what is to be closed.
      if (where.active) await reader.noMenuElsewhere(where);
      return {
        verb: 'key',
        keys: true,
        window: where,
        needs: { usable: true },
        ...(await landsIn(reader, where, chords)),
      };
    }
    const found = await reader.target(target, window);
    const beyond = keyLanding(chords, found) === 'unseen' && { lands: {} };
    return { verb: 'key', keys: true, target: found, window: found.window, needs: { usable: true }, ...beyond };
  },
  async act(actor, { target, window, lands }, { keys, delayMs }) {
    const chords = parseKeys(keys);
    if (target) await actor.giveFocus(target, { keepCaret: true });
    else if (!window!.active) await actor.activate(window!);
    await actor.pressIn(window!, target, chords, {
      ...(lands?.target && { lands: lands.target }),
      ...(delayMs && { delayMs }),
    });
    const detail = chords.map(({ modifiers, key }) => [...modifiers, key].join('+')).join(' ');
    return { method: 'input', keys: true, detail };
  },
  text: actionText,
});
