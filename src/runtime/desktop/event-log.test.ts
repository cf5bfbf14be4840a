import { describe, expect, it } from 'vitest';
import type { DriverEvent } from '../../drivers/contract/index.js';
import { EventLog, type EventContext } from './event-log.js';

const namer: EventContext = {
  window: (id) =>
    id === 'nobody' ? undefined : { ref: `w-${id}`, role: 'window', title: `Title of ${id}`, app: 'app' },
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

function told(log: EventLog, caller = 'me'): string[] {
  return log.since(caller).happenings.map(({ what, window, element, text, times }) => {
    return [what, what === 'opened' ? window?.ref : (element?.name ?? text ?? window?.ref), times]
      .filter(Boolean)
      .join(' ');
  });
}

describe('between two calls', () => {
  it('is told what a caller should know, and nothing before the first', () => {
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
  it('tells in which window something changed, also when its driver does not', () => {
    const log = new EventLog(namer);
    for (const element of ['x', 'somewhere']) log.take({ type: 'text', at, element, change: 'inserted' });
    expect(log.since('me').happenings.map(({ window }) => window?.ref)).toEqual(['w-a', undefined]);
  });

  it('tells each caller everything once', () => {
    const log = new EventLog(namer);
    log.take(opened('a'));
    expect(told(log, 'one')).toEqual(['opened w-a']);
    log.take(opened('b'));
    expect(told(log, 'one')).toEqual(['opened w-b']);
    expect(told(log, 'two')).toEqual(['opened w-a', 'opened w-b']);
    expect(told(log, 'one')).toEqual([]);
  });

  it('joins what repeats, but not notifications', () => {
    const log = new EventLog(namer);
    for (const event of [focus('one'), focus('two'), typed('x'), typed('x'), typed('x'), note('n'), note('n')])
      log.take(event);
    expect(told(log)).toEqual(['focus two 2', 'changed x 3', 'notification n', 'notification n']);
  });

  it('tells of a repetition also to whoever has read the first', () => {
    const log = new EventLog(namer);
    log.take(typed('x'));
    told(log);
    log.take(typed('x'));
    expect(told(log)).toEqual(['changed x 2']);
  });

  it('tells once that a secret changed, however many keys that took', () => {
    const log = new EventLog(namer);
    const heard: string[] = [];
    log.listen(({ what }) => heard.push(what));
    for (const event of [focus('password'), typed('password'), typed('password')]) log.take(event);
    expect(told(log)).toEqual(['focus password', 'changed password']);
    for (const event of [typed('password'), typed('strength'), typed('password')]) log.take(event);
    expect(told(log)).toEqual(['changed strength']);
    expect(heard).toEqual(['focus', 'changed', 'changed']);
    for (const event of [focus('x'), focus('password'), typed('password')]) log.take(event);
    expect(told(log)).toEqual(['focus password 2', 'changed password']);
  });

  it('uses the words of the driver for what nobody has looked at, and leaves out what cannot be named', () => {
    const log = new EventLog(namer);
    log.take(focus('unseen'));
    log.take(typed('unseen'));
    log.take(opened('nobody'));
    expect(told(log)).toEqual(['focus OK']);
  });

  it('is no news: pixels, children, moves', () => {
    const log = new EventLog(namer);
    log.take({ type: 'damage', at, window: 'a', box: { x: 0, y: 0, width: 1, height: 1 } });
    log.take({ type: 'children', at, window: 'a', element: 'x', change: 'added' });
    log.take({ type: 'window', at, window: 'a', change: 'moved' });
    expect(told(log)).toEqual([]);
  });

  it('is bounded and says so', () => {
    const log = new EventLog(namer);
    log.take(note('first'));
    expect(log.since('early').missed).toBe(false);
    for (let n = 0; n < 2_000; n++) log.take(note(`n${n}`));
    const { happenings, missed } = log.since('early');
    expect(happenings).toHaveLength(500);
    expect(happenings.at(-1)!.text).toBe('n1999');
    expect(missed).toBe(true);
    expect(log.since('early').missed).toBe(false);
  });

  it('forgets callers that never come back', () => {
    const log = new EventLog(namer);
    log.take(note('old'));
    expect(told(log, 'first')).toEqual(['notification old']);
    for (let n = 0; n < 300; n++) log.since(`caller ${n}`);
    expect(told(log, 'first')).toEqual(['notification old']);
  });

  it('can be listened to, until one has heard enough', () => {
    const log = new EventLog(namer);
    const heard: string[] = [];
    const stop = log.listen((event) => heard.push(event.text ?? ''));
    log.take(note('a'));
    stop();
    log.take(note('b'));
    expect(heard).toEqual(['a']);
  });
});
