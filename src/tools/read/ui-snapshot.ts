import { z } from 'zod';
import { defineTool, READ_TRAITS } from '../../runtime/index.js';
import {
  checkMaxTokens,
  incompleteReason,
  parseRef,
  type RenderOptions,
  renderSince,
  renderSnapshot,
  type Snapshot,
  type SnapshotAnswer,
} from '../../tree/index.js';
import { quoted } from '../text/sentence.js';
import { COUNT, DEGRADED, ROOT, THING, THINGS } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  snapshot: Snapshot;
  since?: Snapshot;
  options: RenderOptions;
}

export const uiSnapshot = defineTool({
  name: 'ui_snapshot',
  class: 'read',
  description:
    'Look: the visible elements of a window as indented text, each with a ref (e12) to act on. Default: the active window with its dialogs and menus. Folded parts say how to open them.',
  traits: { ...READ_TRAITS, place: 'active-window' },
  cli: {
    group: 'Look',
    positionals: ['window'],
    shortFlags: { interactive: 'i', compact: 'c', depth: 'd', target: 's' },
    help: {
      depth: 'fold elements below this depth',
      bounds: 'show the bounds of each element',
      compact: 'leave out structure without a name; the default, except with --full',
    },
    examples: [
      ['snapshot Calculator', 'one window'],
      ["snapshot '*' --interactive", 'all windows, interactive elements only'],
      ['snapshot --since s7', 'changes since that snapshot'],
    ],
  },
  sentence: { verb: ({ window }) => ['Take a snapshot of', quoted(window) ?? 'the active window'] },
  output: z.looseObject({
    ...ROOT,
    ...{ id: z.string(), takenAt: z.string(), scope: z.enum(['desktop', 'window', 'element']) },
    ...{ app: THING.optional(), driver: THING, windows: THINGS, roots: THINGS, count: COUNT },
    ...{ degraded: DEGRADED, hiddenByPolicy: COUNT.optional(), complete: z.boolean() },
  }),
  timeoutMs: 5_000,
  quiet: ['compact'],
  input: z.object({
    window: z.string().max(500).optional().describe('title, w2, or * for all'),
    target: z.string().max(2_000).optional().describe('only this part'),
    interactive: z.boolean().optional().describe('controls only'),
    depth: z.int().min(0).max(100).optional(),
    bounds: z.boolean().optional(),
    full: z.boolean().optional().describe('also what is not on screen'),
    maxTokens: z.int().default(2000),
    since: z.string().max(20).optional().describe('snapshot id: only what changed'),
    compact: z.boolean().optional(),
  }),
  async run({ reader }, { window, target, since, ...options }): Promise<Result> {
    checkMaxTokens(options.maxTokens);
    const old = since === undefined ? undefined : reader.snapshot(since);
    const { full } = options;
    const snapshot = await (target !== undefined
      ? reader.snapshotOf(target, { window, full })
      : isElement(window)
        ? reader.snapshotOf(window, { full })
        : reader.takeSnapshot({ window, full }));
    return { snapshot, options, ...(old && { since: old }) };
  },
  text: ({ snapshot, since, options }) =>
    since ? renderSince(since, snapshot, options).text : renderSnapshot(snapshot, options).text,
  json: ({ snapshot }): SnapshotAnswer => ({ ...snapshot, complete: incompleteReason(snapshot) === undefined }),
});

/** Folds print `ui_snapshot e14`, and that is copied into the first field there is. */
function isElement(window: string | undefined): window is string {
  return window !== undefined && parseRef(window)?.startsWith('e') === true;
}

/** An earlier snapshot, as long as none of its windows has become hidden. It is a read for policy and log, too. */
export const keptSnapshot = defineTool({
  name: 'ui_snapshot',
  class: 'read',
  description: 'An earlier snapshot.',
  traits: { ...READ_TRAITS, place: 'active-window' },
  cli: 'none',
  sentence: uiSnapshot.sentence,
  output: uiSnapshot.output,
  timeoutMs: 5_000,
  input: z.object({ id: z.string().max(20) }),
  run: async ({ reader }, { id }): Promise<{ snapshot: Snapshot }> => ({ snapshot: reader.snapshot(id) }),
  text: ({ snapshot }) => `snapshot ${snapshot.id}`,
  json: ({ snapshot }): SnapshotAnswer => ({ ...snapshot, complete: incompleteReason(snapshot) === undefined }),
});
