import { z } from 'zod';
import { defineTool, READ_TRAITS } from '../../runtime/index.js';
import { renderWindowList, type WindowInfo } from '../../tree/index.js';
import { COUNT, DEGRADED, ROOT, THINGS } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  windows: WindowInfo[];
  /** Windows that the filter or `hidden` left out. */
  left: number;
  hiddenByPolicy?: number;
  degraded?: { reason: string };
}

export const uiListWindows = defineTool({
  name: 'ui_list_windows',
  class: 'read',
  description: 'Open windows: ref (w2), title, app, state, bounds.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    help: {
      hidden: 'include windows that are not visible',
    },
    examples: [['list-windows --filter mousepad', 'windows of one app']],
  },
  sentence: { verb: () => ['List the windows'] },
  output: z.looseObject({
    ...ROOT,
    ...{ windows: THINGS, left: COUNT, complete: z.boolean(), hiddenByPolicy: COUNT.optional(), degraded: DEGRADED },
  }),
  timeoutMs: 5_000,
  input: z.object({
    filter: z.string().max(200).optional().describe('part of title or app'),
    hidden: z.boolean().optional(),
  }),
  async run({ reader }, { filter, hidden }): Promise<Result> {
    const { windows, degraded, hiddenByPolicy } = await reader.windows();
    const wanted = filter?.trim().toLowerCase() ?? '';
    const kept = windows.filter((window) => {
      if (!hidden && !window.visible && !window.minimised) return false;
      return `${window.title}\n${window.app}`.toLowerCase().includes(wanted);
    });
    return {
      ...{ untrusted: true, windows: kept, left: windows.length - kept.length, complete: !degraded },
      ...(hiddenByPolicy && { hiddenByPolicy }),
      ...(degraded && { degraded }),
    };
  },
  text({ windows, left, degraded, hiddenByPolicy }) {
    const [first = '', ...rest] = renderWindowList(windows, { ...(hiddenByPolicy && { hiddenByPolicy }) }).split('\n');
    const notes = [
      ...(left > 0 ? [`${left} not listed`] : []),
      ...(degraded ? [`complete: no, ${degraded.reason}`] : []),
    ];
    return [[first, ...notes].join(', '), ...rest].join('\n');
  },
});
