import { z } from 'zod';
import { defineTool, READ_TRAITS, type DesktopEvent, type WindowWords } from '../../runtime/index.js';
import { withUntrustedMarkers, quote } from '../../tree/index.js';
import { COUNT, ROOT, THINGS } from '../output-schemas.js';

/** @public The published types name it. */
export interface Result {
  untrusted: true;
  /** ISO time of the caller's last question. */
  since: string;
  events: DesktopEvent[];
  /** Older ones that were left out, by `limit`. */
  left: number;
  /** More happened than is kept. */
  missed: boolean;
}

export const uiEvents = defineTool({
  name: 'ui_events',
  class: 'read',
  // Each event was filtered by policy when it arrived.
  blind: true,
  description: 'What happened since your last call: windows, dialogs, notifications, focus, values.',
  traits: { ...READ_TRAITS, place: 'any-window' },
  cli: {
    group: 'Look',
    usage: 'events [--follow]',
    follows: true,
    examples: [['events --follow', 'print events until Ctrl-C']],
  },
  sentence: { verb: () => ['Read the events'] },
  output: z.looseObject({ ...ROOT, since: z.string(), events: THINGS, left: COUNT, missed: z.boolean() }),
  timeoutMs: 5_000,
  input: z.object({
    window: z.string().max(500).optional(),
    limit: z.int().min(1).max(500).default(20),
  }),
  async run({ reader }, { window, limit }): Promise<Result> {
    // Listing the windows drops the events of hidden windows.
    await reader.windows();
    const wanted = window === undefined ? undefined : (await reader.window(window)).ref;
    const fits = (event: DesktopEvent): boolean => wanted === undefined || event.window?.ref === wanted;
    const { since, events: all, missed } = reader.eventsSince(fits);
    const events = all.slice(-limit);
    return {
      untrusted: true,
      since: new Date(since).toISOString(),
      events,
      left: all.length - events.length,
      missed,
    };
  },
  text({ since, events, left, missed }) {
    const count = events.length + left;
    const notes = [...(left > 0 ? [`the last ${events.length}`] : []), ...(missed ? ['older ones were not kept'] : [])];
    const said = `${count === 0 ? 'no' : count} ${count === 1 ? 'event' : 'events'} since ${clock(Date.parse(since))}`;
    const head = notes.length > 0 ? `${said}, ${notes.join(', ')}` : said;
    return events.length === 0 ? head : `${head}\n${withUntrustedMarkers(events.map(eventText).join('\n'))}`;
  },
});

/** `14:03:12 + w5 dialog "Save As" (mousepad)` */
function eventText(event: DesktopEvent): string {
  return `${clock(event.at)} ${words(event)}`;
}

const MOST_MEANWHILE = 5;

/** `meanwhile: + w8 dialog "Update available" (gnome-software); the person used the mouse 3 s ago` */
export function meanwhileLine(events: readonly DesktopEvent[]): string {
  const shown = events.slice(-MOST_MEANWHILE).map((one) => (one.what === 'pause' ? ago(one) : words(one)));
  const left = events.length - shown.length;
  return `meanwhile: ${[...(left > 0 ? [`${left} more`] : []), ...shown].join('; ')}`;
}

function ago({ text, at }: DesktopEvent): string {
  return `the person used the ${text ?? 'mouse'} ${Math.max(0, Math.round((Date.now() - at) / 1000))} s ago`;
}

function words({ what, window, element, text, app, times }: DesktopEvent): string {
  const place = window ? ` in ${window.ref}` : '';
  switch (what) {
    case 'opened':
      return `+ ${windowText(window)}${appText(window?.app)}`;
    case 'closed':
      return `- ${windowText(window)}`;
    case 'title':
      return `~ ${window?.ref ?? 'window'} title ${quote(window?.title ?? '')}`;
    case 'active':
      return `active ${windowText(window)}`;
    case 'focus':
      return `focus ${elementText(element)}${place}`;
    case 'changed':
      return `~ ${elementText(element)} changed${times ? ` ${times} times` : ''}${place}`;
    case 'notification':
      return `notification ${quote(text ?? '')}${appText(app)}`;
    case 'lost':
      return 'some events were lost: look again to be sure';
    case 'pause':
      return `the user uses the ${text ?? 'mouse'}: acts that need mouse or keys wait`;
    case 'resume':
      return 'the user has released mouse and keyboard';
    case 'stop':
      return `everything was stopped, because ${text ?? 'the user stopped it'}`;
    case 'continue':
      return 'the user resumed work';
    case 'unwatched':
      return 'user activity is no longer detected';
  }
}

function windowText(window: WindowWords | undefined): string {
  return window ? `${window.ref} ${window.role} ${quote(window.title)}` : 'a window';
}

function elementText(element: DesktopEvent['element']): string {
  if (!element) return 'something';
  return [element.ref, element.role, element.name ? quote(element.name) : ''].filter(Boolean).join(' ');
}

function appText(app: string | undefined): string {
  if (!app) return '';
  return ` (${/^[\w.+@-]{1,40}$/.test(app) ? app : quote(app)})`;
}

function clock(ms: number): string {
  const date = new Date(ms);
  return [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0')).join(':');
}
