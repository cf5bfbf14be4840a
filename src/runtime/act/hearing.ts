import type { EventLog, Happening } from '../event-log.js';

const MOST = 20;

/** What happens from now on, until `end`; of very much the last. */
export function hearing(log: EventLog): { events: Happening[]; end: () => void } {
  const events: Happening[] = [];
  const end = log.listen((happening) => {
    events.push(happening);
    if (events.length > MOST) events.shift();
  });
  return { events, end };
}
