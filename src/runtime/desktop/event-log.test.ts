import { describe, expect, it } from 'vitest';
import type { DriverEvent } from '../../drivers/contract/index.js';
import { EventLog, type EventContext } from './event-log.js';

const namer: EventContext = {
  window: (id) =>
    id === 'unknown' ? undefined : { ref: `w-${id}`, role: 'window', title: `Title of ${id}`, app: 'app' },
  element: (id) => {
    if (id === 'unseen') return undefined;
    return { ref: `e-${id}`, role: 'textbox', name: id, ...(id === 'password' && { secret: true }) };
  },
  windowOf: (id) => (id === 'somewhere' ? undefined : 'a'),
};
const at = Date.now();
const opened = (window: string): DriverEvent => ({ type: 'window', at, window, change: 'opened' });
const focus = (element: string): DriverEvent => ({
  type: 'focus',
  at,
  window: 'a',
  element,
  role: 'button',
  name: 'OK',
});
const typed = (element: string): DriverEvent => ({ type: 'text', at, window: 'a', element, change: 'inserted' });
const note = (text: string): DriverEvent => ({ type: 'notification', at, text });

function eventsOf(log: EventLog, caller = 'me'): string[] {
  return log.since(caller).events.map(({ what, window, element, text, times }) => {
    return [what, what === 'opened' ? window?.ref : (element?.name ?? text ?? window?.ref), times]
      .filter(Boolean)
      .join(' ');
  });
}

describe('events between two calls', () => {
  it('reports important events, and none before the first call', () => {
    const log = new EventLog(namer);
    log.take(opened('before'));
    expect(log.eventsSinceLastCall('me')).toEqual([]);
    log.take(opened('during'));
    log.callEnded('me');
    for (const event of [focus('x'), typed('y'), opened('after'), note('Saved')]) log.take(event);
    expect(log.eventsSinceLastCall('me').map(({ what }) => what)).toEqual(['opened', 'notification']);
    expect(log.eventsSinceLastCall('another')).toEqual([]);
    log.callEnded('me');
    expect(log.eventsSinceLastCall('me')).toEqual([]);
  });
});

describe('the event log', () => {
  it('finds the window of a change even if the driver does not name it', () => {
    const log = new EventLog(namer);
    for (const element of ['x', 'somewhere']) log.take({ type: 'text', at, element, change: 'inserted' });
    expect(log.since('me').events.map(({ window }) => window?.ref)).toEqual(['w-a', undefined]);
  });

  it('reports every event once to each caller', () => {
    const log = new EventLog(namer);
    log.take(opened('a'));
    expect(eventsOf(log, 'one')).toEqual(['opened w-a']);
    log.take(opened('b'));
    expect(eventsOf(log, 'one')).toEqual(['opened w-b']);
    expect(eventsOf(log, 'two')).toEqual(['opened w-a', 'opened w-b']);
    expect(eventsOf(log, 'one')).toEqual([]);
  });

  it('joins repeated events, but not notifications', () => {
    const log = new EventLog(namer);
    for (const event of [focus('one'), focus('two'), typed('x'), typed('x'), typed('x'), note('n'), note('n')])
      log.take(event);
    expect(eventsOf(log)).toEqual(['focus two 2', 'changed x 3', 'notification n', 'notification n']);
  });

  it('reports a repetition also to a caller who has read the first event', () => {
    const log = new EventLog(namer);
    log.take(typed('x'));
    eventsOf(log);
    log.take(typed('x'));
    expect(eventsOf(log)).toEqual(['changed x 2']);
  });

  it('reports the change of a secret field once, however many keys were typed', () => {
    const log = new EventLog(namer);
    const heard: string[] = [];
    log.listen(({ what }) => heard.push(what));
    for (const event of [focus('password'), typed('password'), typed('password')]) log.take(event);
    expect(eventsOf(log)).toEqual(['focus password', 'changed password']);
    for (const event of [typed('password'), typed('strength'), typed('password')]) log.take(event);
    expect(eventsOf(log)).toEqual(['changed strength']);
    expect(heard).toEqual(['focus', 'changed', 'changed']);
    for (const event of [focus('x'), focus('password'), typed('password')]) log.take(event);
    expect(eventsOf(log)).toEqual(['focus password 2', 'changed password']);
  });

  it('uses the description of the driver for elements without a snapshot, and omits unknown windows', () => {
    const log = new EventLog(namer);
    log.take(focus('unseen'));
    log.take(typed('unseen'));
    log.take(opened('unknown'));
    expect(eventsOf(log)).toEqual(['focus OK']);
  });

  it('ignores paint events, child changes and moves', () => {
    const log = new EventLog(namer);
    log.take({ type: 'damage', at, window: 'a', box: { x: 0, y: 0, width: 1, height: 1 } });
    log.take({ type: 'children', at, window: 'a', element: 'x', change: 'added' });
    log.take({ type: 'window', at, window: 'a', change: 'moved' });
    expect(eventsOf(log)).toEqual([]);
  });

  it('is bounded and reports dropped events', () => {
    const log = new EventLog(namer);
    log.take(note('first'));
    expect(log.since('early').missed).toBe(false);
    for (let n = 0; n < 2_000; n++) log.take(note(`n${n}`));
    const { events, missed } = log.since('early');
    expect(events).toHaveLength(500);
    expect(events.at(-1)!.text).toBe('n1999');
    expect(missed).toBe(true);
    expect(log.since('early').missed).toBe(false);
  });

  it('drops callers that never come back', () => {
    const log = new EventLog(namer);
    log.take(note('old'));
    expect(eventsOf(log, 'first')).toEqual(['notification old']);
    for (let n = 0; n < 300; n++) log.since(`caller ${n}`);
    expect(eventsOf(log, 'first')).toEqual(['notification old']);
  });

  it('calls listeners until they unsubscribe', () => {
    const log = new EventLog(namer);
    const heard: string[] = [];
    const stop = log.listen((event) => heard.push(event.text ?? ''));
    log.take(note('a'));
    stop();
    log.take(note('b'));
    expect(heard).toEqual(['a']);
  });
});
